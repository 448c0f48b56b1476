// SPDX-License-Identifier: Apache-2.0
// How fast a page is when the processor draws, at 1280x720: node test/speed.mjs page.html [seconds]
// Others may use the machine at the same time, so the processor time of the browser is measured as well.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';

const TICK = 0.01; // s of processor time in which Linux counts

/** Processor time in s that this process' children have used so far (Linux); NaN elsewhere. */
function processorTime() {
  try {
    const parents = new Map();
    const used = new Map();
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        parents.set(id, fields[1]);
        used.set(id, TICK * (Number(fields[11]) + Number(fields[12])));
      } catch {
        /* has ended meanwhile */
      }
    }
    const isOurs = (id) => id !== undefined && (parents.get(id) === String(process.pid) || isOurs(parents.get(id)));
    return [...used].reduce((sum, [id, time]) => sum + (isOurs(id) ? time : 0), 0);
  } catch {
    return NaN;
  }
}

/** Until the first picture and per picture while it plays: seconds, and seconds of processor time. */
export async function measureSpeed(file, seconds = 6) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(120000);
    const clock = () => ({ wall: Date.now() / 1000, work: processorTime() });
    const since = (start, count = 1) => {
      const now = clock();
      return { wall: (now.wall - start.wall) / count, work: (now.work - start.work) / count };
    };
    let start = clock();
    await page.goto(pathToFileURL(path.resolve(file)).href);
    await page.waitForFunction(() => window.bricard?.frames() > 0);
    const load = since(start);
    await page.evaluate(() => window.bricard.play());
    await page.waitForTimeout(2500); // until the quality has settled
    start = clock();
    const drawn = await page.evaluate(async (length) => {
      const first = window.bricard.frames();
      await new Promise((done) => {
        setTimeout(done, 1000 * length);
      });
      return window.bricard.frames() - first;
    }, seconds);
    const picture = since(start, drawn);
    return { load, picture, rate: 1 / picture.wall, quality: await page.evaluate(() => window.bricard.quality()) };
  } finally {
    await browser.close();
  }
}

const CORES = 2; // of a small machine that has nothing else to do

/**
 * Problems if the page needs more than `load` s or draws less than `rate` pictures per s. On a busy machine, processor
 * time decides.
 */
export async function checkSpeed(file, limit) {
  const { load, picture, rate, quality } = await measureSpeed(file);
  const ms = (s) => `${(1000 * s).toFixed(0)} ms`;
  console.log(
    `   ${path.basename(file)}: first picture after ${ms(load.wall)} (${ms(load.work)} of processor time),`,
    `then ${rate.toFixed(1)} pictures/s (${ms(picture.work)} each), pixel ratio ${quality.ratio},`,
    `shadows ${quality.shadows ? 'on' : 'off'}, ${quality.plain ? 'plain' : 'glossy'}`,
  );
  const problems = [];
  if (!(load.wall < limit.load || load.work < CORES * limit.load))
    problems.push(`opens after ${ms(load.wall)}, ${ms(load.work)} of processor time; allowed are ${limit.load} s`);
  if (!(rate >= limit.rate || picture.work * limit.rate <= CORES))
    problems.push(
      `draws ${rate.toFixed(1)} pictures/s with ${ms(picture.work)} of processor time each; wanted are ${limit.rate}/s`,
    );
  return problems;
}

/** The same of a run of the program: a chain of 100 links, 10 s, 1001 samples. */
export async function checkChain(program, source, folder, limit) {
  const bricard = (...words) => promisify(execFile)(program, words, { cwd: folder, timeout: 600000 });
  await bricard(
    'run',
    path.join(source, 'models/chain.yaml'),
    '--set',
    'N=100',
    '--duration',
    '10',
    '--output-step',
    '0.01',
    '-q',
    '-o',
    'chain.h5',
  );
  await bricard('view', 'chain.h5', '-o', 'chain.html');
  return checkSpeed(path.join(folder, 'chain.html'), limit);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(await measureSpeed(process.argv[2], Number(process.argv[3] ?? 6)));

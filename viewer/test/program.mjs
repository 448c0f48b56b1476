// SPDX-License-Identifier: Apache-2.0
// The program from model to page and pictures: BRICARD_EXECUTABLE runs a model of BRICARD_SOURCE_DIR.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { address, launch, newPage, openRun } from './browser.mjs';

const call = promisify(execFile);

const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

/** Columns of a table by name. */
async function readTable(file) {
  const [head, ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
  const names = head.split(',').map((n) => n.replace(/ \[.*/, ''));
  const rows = lines.map((l) => l.split(',').map(Number));
  return (name) => rows.map((r) => r[names.indexOf(name)]);
}

export async function checkProgram(program, source, folder) {
  const problems = [];
  const expect = (good, text) => {
    if (!good) problems.push(text);
  };
  const at = (name) => path.join(folder, name);
  const bricard = (...words) => call(program, words, { cwd: folder, timeout: 300000 });
  const refused = (...words) =>
    bricard(...words).then(
      () => '',
      (error) => `${error.code} ${error.stderr}`,
    );
  await bricard(
    'run',
    path.join(source, 'models/double_four_bar.yaml'),
    '-q',
    '-o',
    'run.h5',
    '--csv',
    'run.csv',
    '--duration',
    '2',
  );
  await bricard('view', 'run.h5', '-o', 'run.html');

  // Scrubbing leads to the poses that the solver wrote.
  const column = await readTable(at('run.csv'));
  const time = column('time');
  const browser = await launch();
  try {
    const page = await newPage(browser, problems);
    await openRun(page, at('run.html'));
    const slider = page.locator('.timebar input[type=range]');
    for (const k of [0, Math.floor(time.length / 3), time.length - 1]) {
      await slider.fill(String(time[k]));
      expect(
        Math.abs((await page.evaluate(() => window.bricard.time())) - time[k]) < 1e-6,
        `the slider does not lead to t = ${time[k]}`,
      );
      for (const body of ['left', 'middle', 'right', 'first', 'second']) {
        const { position } = await page.evaluate((name) => window.bricard.bodyPose(name), body);
        ['x', 'y', 'z'].forEach((axis, i) => {
          const stored = column(`${body}.position.${axis}`)[k];
          expect(
            Math.abs(position[i] - stored) < 2e-6,
            `${body}.${axis} at t = ${time[k]}: drawn at ${position[i]}, computed ${stored}`,
          );
        });
      }
    }

    // A beam of the program: drawn where its end is, with all that it can be coloured by.
    const crank = path.join(source, 'models/flexible_slider_crank.yaml');
    await bricard('run', crank, '-q', '-o', 'beam.h5', '--csv', 'beam.csv', '--duration', '0.02');
    await bricard('view', 'beam.h5', '-o', 'beam.html');
    const beams = await newPage(browser, problems);
    await openRun(beams, at('beam.html'));
    await beams.evaluate(() => window.bricard.setTime(1));
    const names = await beams.evaluate(() => window.bricard.quantities());
    expect(names.includes('normal stress') && names.includes('bending moment M y'), `beams have only ${names.join()}`);
    const { positions } = await beams.evaluate(() => window.bricard.beamMesh('rod'));
    const table = await readTable(at('beam.csv'));
    const end = ['x', 'y', 'z'].map((axis) => table(`rod.position.${axis} at 0.4 m`).at(-1));
    // the last corners are those of the cap: 12 of an I of 12 mm
    const off = Math.hypot(...end.map((v, j) => v - mean(positions.slice(-36).filter((_, i) => i % 3 === j))));
    expect(off < 1e-5, `the end of a beam is drawn ${off} m from where it is`);

    // Reports have tables and drawings, and need neither script nor network.
    await bricard(
      'compare',
      path.join(source, 'models/pendulum.yaml'),
      '--integrators',
      'hht,newmark',
      '--steps',
      '4e-3,2e-3',
      '--duration',
      '1',
      '-o',
      'compare.html',
    );
    const report = await newPage(browser, problems, { viewport: { width: 390, height: 844 } });
    report.on('request', (request) => {
      if (!request.url().startsWith('file:')) problems.push(`report: asks for ${request.url()}`);
    });
    await report.goto(address(at('compare.html')));
    expect(
      (await report.locator('table').count()) > 0 && (await report.locator('svg').count()) > 0,
      'a report has no table or no plot',
    );
    expect(
      await report.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'a report is wider than a phone',
    );
    expect((await report.locator('script').count()) === 0, 'a report has a script');
  } finally {
    await browser.close();
  }

  // Pictures without a window.
  const picture = async (...words) => {
    await bricard('view', 'run.h5', '--size', '320x200', ...words);
    return readFile(at('a.png'));
  };
  const first = await picture('--png', 't=0.5', '-o', 'a.png');
  const second = await picture('--png', 't=0.9', '-o', 'a.png');
  expect(
    first.subarray(1, 4).toString() === 'PNG' && first.readUInt32BE(16) === 320 && first.readUInt32BE(20) === 200,
    '--png gives no picture of 320 x 200',
  );
  expect(first.length > 4000 && !first.equals(second), 'pictures at two times are the same');
  await bricard('view', 'run.h5', '--frames', 'film', '--rate', '1', '--size', '160x120');
  expect(
    (await readdir(at('film'))).sort().join() === '00000.png,00001.png,00002.png',
    '--frames does not give a picture per second',
  );
  for (const [words, answer] of [
    [['--png', 't=2.5'], '2 bricard: --png = t=2.5: must be from 0 to 2, the times of the run'],
    [['--png', 'soon'], '2 bricard: --png = soon'],
    [['--png', '0', '--frames', 'f'], '2 bricard: --png and --frames: give only one of them'],
    [['--frames', 'f', '--rate', '0'], '2 bricard: --rate = 0: must be > 0'],
    [['--png', '0', '--color', 'normal stress'], '2 bricard: --color = normal stress: the run has no beams'],
    [['--png', '0', '--size', 'large'], '2 bricard: --size = large: must be WIDTHxHEIGHT'],
  ]) {
    const said = await refused('view', 'run.h5', ...words);
    expect(said.startsWith(answer), `view ${words.join(' ')}: "${said.trim()}" instead of "${answer}"`);
  }
  const without = await call(program, ['view', 'run.h5', '--png', '0'], { cwd: folder, env: { PATH: folder } }).then(
    () => '',
    (error) => error.stderr,
  );
  expect(/need Chromium.*apt install chromium/.test(without), `without a browser the program says "${without.trim()}"`);
  return problems;
}

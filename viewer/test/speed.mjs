// SPDX-License-Identifier: Apache-2.0
// How fast a page is in software rendering at 1280x720: node test/speed.mjs page.html [seconds]
// Prints the time until the page can be used, the pictures per second while it plays, and the script time of a picture.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch } from './browser.mjs';

/** Time to load in ms, and pictures per second: over all the time, and in the best second (others may use the machine). */
export async function measureSpeed(file, seconds = 6) {
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    const began = Date.now();
    await page.goto(pathToFileURL(path.resolve(file)).href);
    await page.waitForFunction(() => window.bricard !== undefined, undefined, { timeout: 60000 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // the first picture is there
    const load = Date.now() - began;
    const frames = await page.evaluate((length) => new Promise((done) => {
      window.bricard.play();
      const times = [], start = performance.now();
      let drawn = -1;
      const tick = (now) => {
        const count = window.bricard.frames();
        if (count !== drawn) times.push(now - start); // only pictures of the scene count
        drawn = count;
        if (now - start < 1000 * length) requestAnimationFrame(tick);
        else done(times);
      };
      requestAnimationFrame(tick);
    }), seconds);
    const rate = (from, to) => frames.filter((t) => t >= from && t < to).length / ((to - from) / 1000);
    const windows = Array.from({ length: 2 * (seconds - 2) - 1 }, (_, k) => rate(2000 + 500 * k, 3000 + 500 * k)).sort((a, b) => a - b);
    const quality = await page.evaluate(() => window.bricard.quality?.());
    return { load, mean: rate(2000, 1000 * seconds), median: windows[windows.length >> 1], best: windows[windows.length - 1], quality, errors };
  } finally {
    await browser.close();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(await measureSpeed(process.argv[2], Number(process.argv[3] ?? 6)));

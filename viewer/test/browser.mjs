// SPDX-License-Identifier: Apache-2.0
// Chromium with drawing by the processor, as on a machine without a graphics card, and how tests wait for it.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const ARGS = ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-background-networking'];

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });

/** A page for files of runs. Errors in it are added to `problems`. */
export async function newPage(browser, problems, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce', ...options });
  page.setDefaultTimeout(120000); // other work may slow the machine down
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  return page;
}

export const address = (file, hash = '') => pathToFileURL(path.resolve(file)).href + (hash ? `#${hash}` : '');

/** Opens a run and waits until its script answers. */
export async function openRun(page, file, hash) {
  await page.goto(address(file, hash));
  await page.waitForFunction(() => window.bricard !== undefined);
}

/** Whether the condition comes true; what shows only after a picture is waited for. */
export async function eventually(condition, seconds = 20) {
  for (const start = Date.now(); Date.now() - start < 1000 * seconds;) {
    if (await condition()) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return condition();
}

/** Waits until nothing is drawn any more: turning has died out, and the fine picture at rest has come. */
export const settle = (page) =>
  page.evaluate(async () => {
    // Longer than what the page waits for before it draws finely.
    const pause = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)));
    for (let k = 0, drawn = -1; k < 200 && drawn !== window.bricard.frames(); ++k, await pause())
      drawn = window.bricard.frames();
  });

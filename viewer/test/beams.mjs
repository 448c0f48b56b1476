// SPDX-License-Identifier: Apache-2.0
// A beam in the sample `linear`: its section goes along with its nodes, and shows what is chosen.
import { launch, newPage, openRun } from './browser.mjs';
import { floats, readData } from './data.mjs';

export async function useBeams(file) {
  const problems = [];
  const expect = (good, text) => {
    if (!good) problems.push(text);
  };
  const run = await readData(file);
  const browser = await launch();
  try {
    const page = await newPage(browser, problems);
    await openRun(page, file);
    const beam = () => page.evaluate(() => window.bricard.beamMesh('cantilever'));
    const stored = floats(run.bodies.find((b) => b.name === 'node 11').position);
    const sample = 20;
    await page.evaluate((t) => window.bricard.setTime(t), floats(run.time)[sample]);
    const { positions } = await beam();
    const corners = Array.from({ length: positions.length / 3 }, (_, i) => positions.slice(3 * i, 3 * i + 3));
    const tip = stored.slice(3 * sample, 3 * sample + 3);
    const near = corners.filter((p) => Math.hypot(...p.map((v, j) => v - tip[j])) < 0.037); // half a diagonal is 0.036
    expect(near.length >= 24, 'the end of the beam is not drawn at its last node');
    const high = Math.max(...near.map((p) => p[2])) - Math.min(...near.map((p) => p[2]));
    expect(Math.abs(high - 0.06) < 0.01, `the section is ${high} high instead of 0.06`);
    const own = (await beam()).colors;
    expect(new Set(own.map((c) => c.toFixed(3))).size > 3, 'the beam is not coloured by its stress at first');
    expect((await page.locator('.colorbar .unit').innerText()) === 'MPa', 'no unit at the scale');
    // sin(3t) is sampled next to ±1: 8 MPa at the rim
    const ticks = await page.locator('.colorbar .ticks span').allInnerTexts();
    expect(
      ticks.length === 5 && Math.abs(Number(ticks[4]) - 8) < 0.1,
      `the scale ends at ${ticks[4]} instead of 8 MPa`,
    );
    await page.locator('.colorbar select').selectOption('bending moment M y');
    const byMoment = (await beam()).colors;
    expect(JSON.stringify(byMoment) !== JSON.stringify(own), 'another quantity does not change the colours');
    const ring = byMoment.slice(0, 3);
    expect(
      byMoment.slice(3, 60).every((c, i) => Math.abs(c - ring[i % 3]) < 1e-6),
      'a moment is not the same all over the section',
    );
    await page.evaluate(() => window.bricard.colorBy(''));
    const plain = (await beam()).colors;
    expect(
      plain.every((c, i) => Math.abs(c - plain[i % 3]) < 1e-6),
      'without a quantity the beam has not one colour',
    );
    expect((await page.locator('.colorbar .ramp').isVisible()) === false, 'a scale without colours');
    await page.evaluate(() => window.bricard.setTime(0));
  } finally {
    await browser.close();
  }
  return problems;
}

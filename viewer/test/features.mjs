// SPDX-License-Identifier: Apache-2.0
// Modes, arrows, charts, cursors and saving, on the sample `linear` whose numbers are known in closed form.
import { readFile } from 'node:fs/promises';
import { eventually, launch, newPage, openRun, settle } from './browser.mjs';
import { floats, readData } from './data.mjs';

const PNG = '89504e470d0a1a0a';

export async function useFeatures(file) {
  const problems = [];
  const expect = (good, text) => {
    if (!good) problems.push(text);
  };
  const expectSoon = async (condition, text) => expect(await eventually(condition), text);
  const run = await readData(file);
  const browser = await launch();
  try {
    const page = await newPage(browser, problems, { acceptDownloads: true });
    await openRun(page, file);
    const pose = (name) => page.evaluate((n) => window.bricard.bodyPose(n), name);
    const save = async (click) => {
      const [download] = await Promise.all([page.waitForEvent('download'), click()]);
      return readFile(await download.path());
    };

    // A mode: displacement along its shape, opposite half a turn later, in the ratio of the bodies; then it goes on by
    // itself.
    const rest = await pose('left');
    await page.evaluate(() => window.bricard.showMode(1, 0));
    const [left, right] = [await pose('left'), await pose('right')];
    // From the first sample: 0.5 + 0.05 + 0.02, 1 + 0.05 − 0.02.
    const at0 = [left.position[0] - 0.57, right.position[0] - 1.03];
    expect(
      Math.abs(at0[0]) > 1e-3 && Math.abs(at0[0] + at0[1]) < 1e-5,
      `the second mode does not move the masses against each other: ${at0}`,
    );
    const turned = await pose('arm');
    expect(
      Math.abs(turned.quaternion_wxyz[2]) > 1e-3 && Math.abs(turned.quaternion_wxyz[3]) < 1e-6,
      'at the angle 0 the arm does not turn about y alone',
    );
    await page.evaluate(() => window.bricard.showMode(1, Math.PI));
    const back = (await pose('left')).position[0] - 0.57;
    expect(Math.abs(back + at0[0]) < 1e-5, 'half a cycle later the mode is not at the opposite side');
    await page.evaluate(() => window.bricard.showMode(1, 1.5 * Math.PI)); // −Im: the arm turns about z
    expect(Math.abs((await pose('arm')).quaternion_wxyz[3]) > 1e-3, 'the imaginary part of a mode is not shown');
    await page.locator('.tabs button', { hasText: 'Modes' }).click();
    expect((await page.locator('.modes tbody tr').count()) === 2, 'no list of modes');
    expect(
      (await page.locator('.modes tbody tr').first().innerText()).includes('2.2508'),
      'the frequency sqrt(k/m)/2π = 2.2508 Hz is not in the list',
    );
    expect((await page.locator('.modes .badge.bad').count()) === 1, 'the mode that grows is not marked');
    await page.locator('.modes tbody tr').first().click();
    const moving = await pose('left');
    await expectSoon(
      async () => (await pose('left')).position[0] !== moving.position[0],
      'a chosen mode does not animate',
    );
    await page.evaluate(() => window.bricard.showMode(0, 0));
    const once = (await pose('left')).position[0] - 0.57;
    await page.locator('.amplitude input').fill('2');
    expect(
      Math.abs((await pose('left')).position[0] - 0.57 - 2 * once) < 1e-5,
      'the amplitude slider does not double the displacement',
    );
    await page.keyboard.press('Escape');
    expect(JSON.stringify(await pose('left')) === JSON.stringify(rest), 'Escape does not lead back to the run');

    // Charts over frequency and speed.
    await page.locator('.modes button', { hasText: 'Campbell' }).click();
    await page.locator('.modes button', { hasText: 'responses' }).click();
    await expectSoon(
      async () => (await page.locator('.plot.xy canvas').count()) === 3,
      'no Campbell diagram, magnitude and phase',
    );
    const campbell = (await save(() => page.locator('.plot.xy').first().locator('button[title="Save as CSV"]').click()))
      .toString()
      .split('\n');
    const last = campbell[31].split(',').map(Number);
    const expected = (Math.sqrt(200) + 12) / 2 / Math.PI;
    expect(
      Math.abs(last[0] - 60) < 1e-5 && Math.abs(last[1] - expected) < 1e-4,
      `the saved Campbell diagram ends with ${campbell[31]}`,
    );
    for (let k = 0; k < 3; ++k)
      await page.locator('.plot.xy').first().locator('button[title="Remove this plot"]').click();

    // Arrows of reactions and forces, with their scale.
    const canvas = page.locator('.scene canvas');
    await page.evaluate(() => window.bricard.setTime(0.5));
    await settle(page);
    const plain = await canvas.screenshot();
    await page.keyboard.press('a');
    await expectSoon(async () => !plain.equals(await canvas.screenshot()), 'A shows no arrows');
    const cell = async () => Number(/cell = ([\d.]+) N/.exec(await page.locator('.arrowbar').innerText())[1]);
    const before = await cell();
    await page.locator('.arrowbar input').fill('1');
    expect(
      Math.abs((await cell()) / before - 0.1) < 0.01,
      'ten times longer arrows do not stand for a tenth of the force',
    );
    await page.keyboard.press('m');
    expect((await page.locator('.tools .iconbtn.on').count()) === 5, 'the switches of arrows and markers do not show');

    // Plots: saved numbers are the stored ones; a second cursor shows differences.
    const table = (await save(() => page.locator('button[title="Save the plotted signals as CSV"]').click()))
      .toString()
      .trim()
      .split('\n');
    const time = floats(run.time);
    const push = floats(run.signals[0].values);
    const row = table[101].split(',').map(Number);
    expect(
      table.length === 202 && table[0].startsWith('"time [s]","push.force_x [N]"'),
      `the table of signals begins with ${table[0]}`,
    );
    expect(row[0] === time[100] && row[1] === push[100], 'the saved numbers are not the stored ones');
    const picture = await save(() => page.locator('.plot button[title="Save this plot as PNG"]').first().click());
    expect(picture.subarray(0, 8).toString('hex') === PNG && picture.length > 3000, 'the saved plot is no PNG');
    const scene = await save(() => page.keyboard.press('p'));
    expect(scene.subarray(0, 8).toString('hex') === PNG && scene.length > 10000, 'the saved scene is no PNG');
    const area = await page.locator('.u-over').first().boundingBox();
    await page.keyboard.down('Shift');
    await page.mouse.click(area.x + area.width / 4, area.y + 20);
    await page.keyboard.up('Shift');
    await page.evaluate(() => window.bricard.setTime(2));
    const text = await page.locator('.chip b').first().innerText();
    const found = /Δ (−?[\d.]+)/.exec(text);
    const wanted = push[100] - 12 * Math.sin(3);
    expect(
      found && Math.abs(Number(found[1].replace('−', '-')) - wanted) < 0.3,
      `the second cursor shows "${text}" instead of a difference of ${wanted}`,
    );

    // Both ways between tree and scene: hovering a row lights the element, hovering the element marks the row.
    await page.locator('.tabs button', { hasText: 'Model' }).click();
    await settle(page);
    const wall = await canvas.screenshot();
    await page.locator('.tree .row', { hasText: 'arm' }).first().hover();
    await expectSoon(
      async () => !wall.equals(await canvas.screenshot()),
      'pointing at a row changes nothing in the scene',
    );
    const box = await canvas.boundingBox();
    let marked = 0;
    for (let y = 0.25; y < 0.9 && !marked; y += 0.06)
      for (let x = 0.2; x < 0.9 && !marked; x += 0.04) {
        await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        marked = await page.locator('.tree .row.hovered').count();
      }
    expect(marked === 1, 'pointing at an element does not mark its row');
    return problems;
  } finally {
    await browser.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
// Uses the sample page as a person would: keys, mouse in the scene, tree, plots, panel.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, eventually, launch, newPage, openRun, settle } from './browser.mjs';
import { fillTemplate } from './sample.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Runs that are hardly runs: the page must open without an error. */
const ODD = {
  empty: {},
  'no bodies': { name: 'none', time: [], bodies: [] },
  'one sample': { name: 'one', time: [0], bodies: [{ name: 'b', position: [1, 2, 3], quaternion_wxyz: [1, 0, 0, 0] }] },
  'broken numbers': {
    name: 'broken',
    gravity: [null, 0, 'x'],
    time: [0, 1, 2],
    certificate: null,
    signals: [{ name: 's', values: [1, null, 2] }, { name: 't' }],
    bodies: [
      {
        name: 'b',
        shapes: [{ type: 'box' }, { type: 'sphere', radius: -1 }, 7],
        position: [0, 0, 0, null, 1, 1],
        quaternion_wxyz: '!!',
      },
    ],
    joints: [{ type: 'revolute', body_i: 'b', body_j: 'nobody' }, { type: 'revolute', body_i: 'b' }, 5],
    springs: [{ body_i: 'b', body_j: 'ground' }],
    points: [{ body: 'b' }],
    forces: [{ type: 'beam', body_j: 'b' }],
    beams: [
      { nodes: ['b', 'b'], sections: [{ type: 'box', width: -1 }], stations: [0], quantities: [{ values: [1] }, 3] },
      { nodes: ['b', 'nobody'] },
      { nodes: '?' },
    ],
  },
  'sideways gravity': {
    name: 'side',
    gravity: [-9.81, 0, 0],
    time: [0, 1],
    bodies: [{ name: 'b', position: [0, 0, 0, 1, 0, 0] }],
  },
};

export async function useSample(file, folder) {
  const problems = [];
  const expect = (holds, text) => {
    if (!holds) problems.push(text);
  };
  const expectSoon = async (condition, text) => expect(await eventually(condition), text);
  const browser = await launch();
  try {
    const page = await newPage(browser, problems, { viewport: { width: 1280, height: 800 } });
    await openRun(page, file);
    const time = () => page.evaluate(() => window.bricard.time());
    const press = (key) => page.keyboard.press(key);
    const count = (selector) => page.locator(selector).count();

    // Keys.
    const start = await time();
    await press('ArrowRight');
    const second = await time();
    expect(second > start, 'the right arrow does not step');
    await press('ArrowLeft');
    expect((await time()) === start, 'the left arrow does not step back');
    await press('Shift+ArrowRight');
    expect(Math.abs((await time()) - start - 10 * (second - start)) < 1e-5, 'shift does not make ten steps');
    await press('End');
    const end = await time();
    await press('Home');
    expect(end > start && (await time()) === start, 'Home and End do not work');
    await press('+');
    expect((await page.locator('.timebar select').inputValue()) === '2', 'plus does not raise the speed');
    await press('-');
    await press('l');
    expect((await count('.timebar .iconbtn.on')) === 0, 'L does not switch the loop off');
    await press(' ');
    await expectSoon(async () => (await time()) > start, 'space does not play');
    await press(' ');
    const stopped = await time();
    await page.waitForTimeout(300);
    expect((await time()) === stopped, 'space does not pause');
    await press('?');
    expect((await count('dialog[open]')) === 1, 'no help');
    await press('Escape');
    expect((await count('dialog[open]')) === 0, 'the help does not close');

    // Scene: a click on an element selects it in the tree. The place is found by searching the picture.
    await page.evaluate(() => window.bricard.setTime(1)); // it has played for as long as the machine took
    await press('2');
    await settle(page);
    const box = await page.locator('.scene canvas').boundingBox();
    let picked = 0;
    for (let y = 0.2; y < 0.95 && !picked; y += 0.07) {
      for (let x = 0.1; x < 0.95 && !picked; x += 0.05) {
        await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
        picked = await count('.tree .row.selected');
      }
    }
    expect(picked === 1, 'a click in the scene selects nothing in the tree');
    expect((await count('.card:not([hidden]) table tr')) > 0, 'no properties of the selected element');
    await expectSoon(async () => (await count('.label.strong')) >= 1, 'no name at the selected element');
    await press('Escape');
    expect((await count('.tree .row.selected')) === 0, 'Escape does not clear the selection');
    const axes = () => page.locator('.gizmo').innerHTML();
    const before = await axes();
    await page.mouse.move(box.x + 500, box.y + 420);
    await page.mouse.down();
    await page.mouse.move(box.x + 560, box.y + 400, { steps: 4 });
    await page.mouse.up();
    await expectSoon(async () => before !== (await axes()), 'dragging does not turn the view');
    await settle(page);

    // Tree: select, hide, search.
    const canvas = page.locator('.scene canvas');
    await page.mouse.move(5, 5);
    await settle(page);
    const plain = await canvas.screenshot();
    const row = page.locator('.tree .row').nth(2);
    await row.click();
    await page.mouse.move(5, 5);
    await expectSoon(
      async () => !plain.equals(await canvas.screenshot()),
      'selecting in the tree changes nothing in the scene',
    );
    await row.hover();
    await row.locator('.eye').click();
    expect((await count('.tree .row.dim')) === 1, 'the eye does not hide');
    await row.locator('.eye').click();
    await page.locator('.treebox input').fill('crank');
    expect((await page.locator('.tree .row:visible').count()) === 2, 'the search of the tree does not filter');
    await page.locator('.treebox input').fill('');

    // Plots: choose a signal by search, set the time by a click, zoom.
    const chips = await count('.plot:first-child .chip');
    await page.locator('.plot .add').first().click();
    await page.keyboard.type('spring');
    await page.locator('.picker .row').first().click();
    expect((await count('.plot:first-child .chip')) === chips + 1, 'choosing a signal does not plot it');
    await press('Escape');
    expect((await count('.picker')) === 0, 'the box of signals does not close');
    const area = await page.locator('.u-over').first().boundingBox();
    await page.mouse.click(area.x + area.width / 2, area.y + area.height / 2);
    expect(
      Math.abs((await time()) - (start + end) / 2) < 0.02 * (end - start),
      'a click in a plot does not set the time',
    );
    await page.mouse.wheel(0, -400);
    await expectSoon(async () => {
      await page.mouse.click(area.x + area.width - 2, area.y + area.height / 2);
      return (await time()) < end - 0.05 * (end - start);
    }, 'the wheel does not zoom in time');

    // Panel.
    await page.locator('.tabs button', { hasText: 'Certificate' }).click();
    expect((await page.locator('.certificate tr:visible').count()) > 10, 'no certificate');
    const verdict = await page.locator('.certificate > :first-child').innerText();
    expect(/^doubtful\s+t = 3.41 s/i.test(verdict), `the verdict is not the first line of the certificate: ${verdict}`);
    expect((await count('.tabs .badge.warn')) === 1, 'the tab does not show that the run is doubtful');
    expect((await count('.certificate tr.long li')) === 2, 'the remarks are not a list');
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectSoon(async () => (await theme()) === 'dark', 'dark is not followed');
    await page.emulateMedia({ colorScheme: 'light' });
    await expectSoon(async () => (await theme()) === 'light', 'light is not followed');

    // Odd runs.
    for (const [name, run] of Object.entries(ODD)) {
      const known = problems.length;
      const odd = path.join(folder, `odd ${name}.html`);
      await writeFile(odd, await fillTemplate(run));
      await openRun(page, odd).catch((error) => problems.push(error.message));
      await page.evaluate(() => window.bricard?.setTime(0.5));
      for (const key of ['1', '2', '3', '4', 'f', 'x', 'n', 'c', ' ', 'ArrowRight', 'End']) await press(key);
      await page.waitForTimeout(200);
      for (let k = known; k < problems.length; ++k) problems[k] = `run "${name}": ${problems[k]}`;
    }
    // The template itself.
    await page.goto(address(path.join(here, '../dist/viewer.html')));
    expect((await page.locator('.message').count()) === 1, 'the empty page says nothing');
    return problems;
  } finally {
    await browser.close();
  }
}

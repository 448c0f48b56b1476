// SPDX-License-Identifier: Apache-2.0
// Whatever can be selected, in the tree or by a click anywhere in the scene, gets its name, its properties and its
// outline, in the quick pictures and in the fine ones.
import { launch, newPage, openRun } from './browser.mjs';

const GRID = { across: 20, down: 12 }; // clicks per view
/** Each with other things drawn: plain; bodies seen through; all names, arrows and markers while a mode swings. */
const VIEWS = [{ keys: '1', fine: true }, { keys: '2x' }, { keys: '3nam', mode: 0 }];

/**
 * In the page: selects every row of the tree, then clicks at every place of a grid over the scene. Returns the kinds of
 * elements that were hit and what went wrong. The page draws quickly after each selection, and finely where asked to.
 */
async function selectAll({ across, down, fine }) {
  const problems = [];
  const hit = new Set();
  const text = (selector) => document.querySelector(selector)?.textContent ?? '';
  const card = (part) => text(`.card:not([hidden]) ${part}`);
  const nextPicture = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const check = async (how) => {
    const name = card('header b');
    const marked = text('.tree .row.selected .name');
    if (name !== marked) problems.push(`${how}: the tree marks "${marked}", the card tells of "${name}"`);
    if (name === '') return;
    if (card('tr') === '') problems.push(`${how}: no properties of ${name}`);
    await nextPicture();
    const shown = [...document.querySelectorAll('.label.strong')].filter((label) => label.style.display !== 'none');
    if (!shown.some((label) => label.textContent === name))
      problems.push(`${how}: no name at the ${card('small')} ${name}`);
  };
  for (const row of document.querySelectorAll('.tree .row')) {
    row.click();
    await check(`row ${row.title}`);
    if (fine) window.bricard.picture();
  }
  const canvas = document.querySelector('.scene canvas');
  const box = canvas.getBoundingClientRect();
  for (let j = 0; j < down; ++j) {
    for (let i = 0; i < across; ++i) {
      const x = (i + 0.5) / across;
      const y = (j + 0.5) / down;
      const place = { clientX: box.x + x * box.width, clientY: box.y + y * box.height };
      const send = (type) => canvas.dispatchEvent(new PointerEvent(type, { ...place, pointerId: 1, bubbles: true }));
      send('pointermove');
      send('pointerdown');
      send('pointerup');
      hit.add(card('header small'));
      await check(`click at ${x.toFixed(3)}, ${y.toFixed(3)}`);
    }
  }
  return { problems, hit: [...hit] };
}

export async function pickEverything(file, kinds) {
  const problems = [];
  const hit = new Set();
  const browser = await launch();
  try {
    const page = await newPage(browser, problems);
    await openRun(page, file);
    for (const { keys, mode, fine } of VIEWS) {
      await page.evaluate(() => window.bricard.setTime(0.733));
      if (mode !== undefined) await page.evaluate((k) => window.bricard.showMode(k, 0.5), mode);
      for (const key of keys) await page.keyboard.press(key);
      const found = await page.evaluate(selectAll, { ...GRID, fine });
      problems.push(...found.problems.map((problem) => `keys ${keys}: ${problem}`));
      for (const kind of found.hit) hit.add(kind);
    }
    for (const kind of kinds) if (!hit.has(kind)) problems.push(`no click has hit a ${kind}`);
    return problems;
  } finally {
    await browser.close();
  }
}

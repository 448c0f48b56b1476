// SPDX-License-Identifier: Apache-2.0
// Campbell diagram, Bode plots and modes from the files of the commands: the numbers drawn are those the commands
// print.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { launch, newPage, openRun } from './browser.mjs';

const call = promisify(execFile);

export async function checkLinear(program, source, folder) {
  const problems = [];
  const expect = (good, text) => {
    if (!good) problems.push(text);
  };
  const bricard = (...words) => call(program, words, { cwd: folder, timeout: 300000 });
  const model = (name) => path.join(source, 'models', name);
  const report = JSON.parse(
    (
      await bricard(
        'campbell',
        model('rotor_stator.yaml'),
        '--sweep',
        'speed=0:1 rev/s:9',
        '--json',
        '-o',
        'campbell.h5',
      )
    ).stdout,
  );
  await bricard(
    'frequency',
    model('cart_pendulum.yaml'),
    '--set',
    'kick=0',
    '--from',
    '0.01',
    '--to',
    '10',
    '--points',
    '40',
    '-q',
    '-o',
    'bode.h5',
    '--csv',
    'bode.csv',
  );
  for (const name of ['campbell', 'bode']) await bricard('view', `${name}.h5`, '-o', `${name}.html`);
  const numbers = (text) =>
    text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').map((v) => (v === '' ? NaN : Number(v))));
  // Printed with six digits.
  const alike = (a, b) =>
    a.length === b.length && a.every((v, i) => Math.abs(v - b[i]) <= 6e-6 * Math.max(1, Math.abs(b[i])));

  const browser = await launch();
  try {
    const open = async (name) => {
      const page = await newPage(browser, problems, { acceptDownloads: true });
      await openRun(page, path.join(folder, `${name}.html`));
      return page;
    };
    const saved = async (page, k) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.plot.xy').nth(k).locator('button[title="Save as CSV"]').click(),
      ]);
      return readFile(await download.path(), 'utf8');
    };
    const campbell = await open('campbell');
    expect(
      (await campbell.locator('.plot').count()) === 1 && (await campbell.locator('.plot.xy canvas').count()) === 1,
      'the page of a Campbell diagram does not open with it',
    );
    expect(
      (await campbell.locator('.plot.xy .chip').allInnerTexts()).includes('rotation'),
      'the line of the rotation has no name',
    );
    const drawn = await saved(campbell, 0);
    const { columns, rows } = report.tables[0];
    expect(drawn.startsWith('"speed [rad/s]","mode 1'), `the saved diagram begins with ${drawn.slice(0, 40)}`);
    numbers(drawn).forEach((line, i) => {
      const wanted = rows[i].map((cell) => parseFloat(cell));
      expect(alike(line.slice(0, columns.length), wanted), `speed ${wanted[0]}: drawn ${line}, printed ${wanted}`);
      expect(
        Math.abs(line[columns.length] - wanted[0] / 2 / Math.PI) < 1e-5,
        `the line of the rotation is at ${line[columns.length]} Hz for ${wanted[0]} rad/s`,
      );
    });
    // The modes of the last speed swing.
    expect((await campbell.locator('.modes tbody tr').count()) === columns.length - 1, 'not all modes are in the list');
    const pose = () => campbell.evaluate(() => JSON.stringify(window.bricard.bodyPose('rotor')));
    const first = await pose();
    await campbell.waitForFunction((before) => JSON.stringify(window.bricard.bodyPose('rotor')) !== before, first);

    const bode = await open('bode');
    expect(
      (await bode.locator('.plot.xy canvas').count()) === 2,
      'the page of a frequency response does not open with magnitude and phase',
    );
    const table = numbers(await readFile(path.join(folder, 'bode.csv'), 'utf8'));
    for (const [k, column] of [
      [0, 1],
      [1, 2],
    ]) {
      const line = numbers(await saved(bode, k));
      expect(
        line.length === table.length && line.every((row, i) => alike(row, [table[i][0], table[i][column]])),
        `plot ${k} is not column ${column} of the table`,
      );
    }
  } finally {
    await browser.close();
  }
  return problems;
}

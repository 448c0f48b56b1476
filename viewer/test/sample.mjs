// SPDX-License-Identifier: Apache-2.0
// Makes sample pages without the solver: node test/sample.mjs [folder]
// Prints the files written; without a folder they go to a new temporary one.
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { linear } from './samples/linear.mjs';
import { mechanisms } from './samples/mechanisms.mjs';
import { bareFourBar, longChain, minimal, rollingWheel } from './samples/simple.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

export const SAMPLES = { mechanisms, bareFourBar, longChain, rollingWheel, linear, minimal };

/** Puts a run into the built page. "<" is escaped so that no text can end the script element. */
export async function fillTemplate(run) {
  const page = await readFile(path.join(here, '../dist/viewer.html'), 'utf8');
  const json = JSON.stringify(run).replace(/</g, '\\u003c');
  return page.replace('/*BRICARD_DATA*/', () => json);
}

export async function writeSamples(folder) {
  const target = folder ?? (await mkdtemp(path.join(tmpdir(), 'bricard-viewer-')));
  await mkdir(target, { recursive: true });
  const files = [];
  for (const [name, make] of Object.entries(SAMPLES)) files.push(await writeSample(target, name, make()));
  return files;
}

export async function writeSample(folder, name, run) {
  const file = path.join(folder, `${name}.html`);
  await writeFile(file, await fillTemplate(run));
  return file;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log((await writeSamples(process.argv[2])).join('\n'));

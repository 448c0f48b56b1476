// SPDX-License-Identifier: Apache-2.0
// All tests of the viewer on sample pages: node test/all.mjs (after npm run build)
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { useBeams } from './beams.mjs';
import { useFeatures } from './features.mjs';
import { checkLinear } from './linear.mjs';
import { checkPage } from './page.mjs';
import { pickEverything } from './pick.mjs';
import { checkProgram } from './program.mjs';
import { writeSample, writeSamples } from './sample.mjs';
import { longChain } from './samples/simple.mjs';
import { checkChain, checkSpeed } from './speed.mjs';
import { useSample } from './use.mjs';

let failed = 0;
function report(name, problems) {
  for (const problem of problems) console.error(`FAIL ${name}: ${problem}`);
  if (problems.length === 0) console.log(`ok ${name}`);
  else ++failed;
}

const here = path.dirname(fileURLToPath(import.meta.url));

/** What `npm run script` complains about. */
const complaints = (script) =>
  promisify(execFile)('npm', ['run', '--silent', script], { cwd: path.join(here, '..') }).then(
    () => [],
    (error) => [`${error.stdout}${error.stderr}`],
  );

/** Comments and texts of more than 120 characters, which Prettier does not break. */
async function longLines() {
  const found = [];
  for (const folder of ['src', 'test']) {
    for (const name of await readdir(path.join(here, '..', folder), { recursive: true })) {
      if (!/\.(ts|mjs|css)$/.test(name)) continue;
      const text = await readFile(path.join(here, '..', folder, name), 'utf8');
      text.split('\n').forEach((line, k) => {
        if (line.length > 120) found.push(`${folder}/${name}:${k + 1}: ${line.length} characters`);
      });
    }
  }
  return found;
}

report('types', await complaints('typecheck'));
report('format', [...(await complaints('format:check')), ...(await longLines())]);

const built = await readFile(path.join(here, '../dist/viewer.html'), 'utf8');
const times = (part) => built.split(part).length - 1;
report(
  'template',
  [
    times('/*BRICARD_DATA*/') === 1 || 'the placeholder must occur once',
    times('</script') === 2 || 'there must be two script elements',
    !/<(script|link|img)[^>]+(src|href)="(?!data:)/.test(built) || 'the page refers to other files',
  ].filter((v) => v !== true),
);

const folder = await mkdtemp(path.join(tmpdir(), 'bricard-viewer-'));
try {
  const files = await writeSamples(folder);
  for (const file of files) report(path.basename(file), (await checkPage(file)).problems);
  report('dark', (await checkPage(files[0], { dark: true })).problems);
  report('phone', (await checkPage(files[0], { size: [420, 800] })).problems);
  const named = (name) => files.find((f) => f.endsWith(`${name}.html`));
  report('pick', await pickEverything(named('mechanisms'), ['body', 'joint', 'spring']));
  report('pick more', await pickEverything(named('linear'), ['body', 'joint', 'spring', 'force', 'beam']));
  report('use', await useSample(files[0], folder));
  report('features', await useFeatures(named('linear')));
  report('beams', await useBeams(named('linear')));
  report('100 bodies', await checkSpeed(named('longChain'), { load: 2, rate: 30 }));
  report(
    '1000 bodies',
    await checkSpeed(await writeSample(folder, 'thousand', longChain(1000, 300)), { load: 6, rate: 15 }),
  );
  const { BRICARD_EXECUTABLE: program, BRICARD_SOURCE_DIR: source } = process.env;
  if (program && source) {
    report('program', await checkProgram(program, source, folder));
    report('linear', await checkLinear(program, source, folder));
    report('100 bodies, 10 s', await checkChain(program, source, folder, { load: 2, rate: 30 }));
  } else console.log('the program is not tested: BRICARD_EXECUTABLE and BRICARD_SOURCE_DIR are not set');
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

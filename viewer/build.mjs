// SPDX-License-Identifier: Apache-2.0
// Bundles src/ into dist/viewer.html, one page without any outside reference.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const here = path.dirname(fileURLToPath(import.meta.url));
const PLACEHOLDER = '/*' + 'BRICARD_DATA' + '*/';

async function bundle(entry, loader) {
  const result = await build({
    entryPoints: [path.join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2021', 'chrome100', 'firefox100', 'safari15'],
    charset: 'utf8',
    legalComments: 'none', // the full licence texts are put into the page below
    loader,
  });
  return result.outputFiles[0].text.trim();
}

async function licences() {
  const texts = [];
  for (const name of ['three', 'uplot']) {
    const dir = path.join(here, 'node_modules', name);
    const { version } = JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8'));
    const text = await readFile(path.join(dir, 'LICENSE'), 'utf8');
    texts.push(`${name} ${version}\n\n${text.trim()}`);
  }
  const all = texts.join('\n\n----\n\n').replaceAll('--', '- -'); // "--" may not stand in an HTML comment
  const title = 'Bricard viewer. SPDX-License-Identifier: Apache-2.0\nThis page contains these libraries:';
  return `<!--\n${title}\n\n${all}\n-->`;
}

function count(text, part) {
  return text.split(part).length - 1;
}

const template = await readFile(path.join(here, 'src/page.html'), 'utf8');
const css = await bundle('src/style.css', {});
// A "</script" inside the code would end the script element early.
const js = (await bundle('src/main.ts', {})).replace(/<\/script/gi, '<\\/script');

// Replacement functions, because "$&" in minified code would be expanded in a replacement string.
const page = template
  .replace('<!--LICENCES-->', await licences().then((text) => () => text))
  .replace('/*STYLE*/', () => css)
  .replace('/*CODE*/', () => js);

if (count(page, PLACEHOLDER) !== 1) throw new Error('the data placeholder must occur exactly once');
if (/<\/script/i.test(js) || /<!--/.test(js)) throw new Error('the code would break out of its script element');
if (/<\/style/i.test(css)) throw new Error('the style would break out of its element');

await mkdir(path.join(here, 'dist'), { recursive: true });
await writeFile(path.join(here, 'dist/viewer.html'), page);
const size = (text) => (text.length / 1024).toFixed(0);
console.log(`dist/viewer.html  ${size(page)} KiB  (code ${size(js)}, style ${size(css)})`);

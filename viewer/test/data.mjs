// SPDX-License-Identifier: Apache-2.0
// Reads the run in a page, written independently of the viewer.
import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';

export async function readData(file) {
  const html = await readFile(file, 'utf8');
  const root = JSON.parse(/<script id="bricard-data" type="application\/json">([\s\S]*?)<\/script>/.exec(html)[1]);
  return typeof root.deflated === 'string'
    ? JSON.parse(inflateSync(Buffer.from(root.deflated, 'base64')).toString())
    : root;
}

/** Plain list, base64 of Float32, or "d<width>:" and differences of their bits by byte planes. */
export function floats(value) {
  if (Array.isArray(value)) return value;
  const [, width, text] = /^(?:d(\d+):)?(.*)$/s.exec(value);
  const bytes = Buffer.from(text, 'base64');
  const n = bytes.length / 4;
  if (!width) return Array.from({ length: n }, (_, k) => bytes.readFloatLE(4 * k));
  const words = Buffer.alloc(4 * n);
  for (let k = 0; k < n; ++k) {
    let step = 0;
    for (let plane = 0; plane < 4; ++plane) step += bytes[plane * n + k] * 256 ** plane;
    const before = k >= width ? words.readUInt32LE(4 * (k - width)) : 0;
    words.writeUInt32LE((step + before) % 2 ** 32, 4 * k);
  }
  return Array.from({ length: n }, (_, k) => words.readFloatLE(4 * k));
}

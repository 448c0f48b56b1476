// SPDX-License-Identifier: Apache-2.0
// Saving what is shown: plots as pictures and tables.
import type uPlot from 'uplot';
import { h } from './dom';

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Colours and fonts of the axes of a plot, as the page has them now. */
export function plotColors() {
  const ink = css('--muted');
  const rule = css('--rule');
  const font = `11px ${css('--font')}`;
  const grid = { stroke: rule, width: 1 };
  const ticks = { stroke: rule, width: 1, size: 4 };
  return { base: { stroke: ink, font, labelFont: font, labelGap: 0, grid, ticks }, grid };
}

/** Hands a file to the browser's download. */
export function download(blob: Blob, name: string): void {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const fileName = (title: string): string => title.replace(/[^\w.-]+/g, '_').replace(/^_+|_+$/g, '') || 'plot';

export function exportCsv(title: string, columns: string[], values: ArrayLike<number | null>[]): void {
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = [columns.map(quote).join(',')];
  for (let k = 0; k < values[0].length; ++k) lines.push(values.map((list) => list[k] ?? '').join(','));
  download(new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }), `${fileName(title)}.csv`);
}

/** The plot on the page's background, with the names of its curves in their colours above. */
export function exportPng(chart: uPlot, title: string, names: string[]): void {
  const source = chart.ctx.canvas;
  const ratio = source.width / chart.width;
  const line = 18 * ratio;
  const canvas = document.createElement('canvas');
  canvas.width = source.width;
  const g = canvas.getContext('2d')!;
  g.font = `${12 * ratio}px sans-serif`;
  // Names run on from left to right and break where the width ends.
  let x = 10 * ratio;
  let y = line;
  const placed = names.map((name, k) => {
    const width = g.measureText(name).width + 34 * ratio;
    if (x + width > canvas.width && x > 10 * ratio) {
      x = 10 * ratio;
      y += line;
    }
    const place = { name, x, y, stroke: chart.series[k + 1].stroke };
    x += width;
    return place;
  });
  canvas.height = source.height + y + 0.5 * line;
  g.fillStyle = css('--surface');
  g.fillRect(0, 0, canvas.width, canvas.height);
  g.font = `${12 * ratio}px sans-serif`;
  for (const { name, x: left, y: base, stroke } of placed) {
    const color = typeof stroke === 'function' ? stroke(chart, 0) : stroke;
    g.fillStyle = typeof color === 'string' ? color : css('--ink');
    g.fillRect(left, base - 5 * ratio, 16 * ratio, 3 * ratio);
    g.fillStyle = css('--ink');
    g.fillText(name, left + 21 * ratio, base);
  }
  g.drawImage(source, 0, y + 0.4 * line);
  canvas.toBlob((blob) => {
    if (blob) download(blob, `${fileName(title)}.png`);
  });
}

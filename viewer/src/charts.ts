// SPDX-License-Identifier: Apache-2.0
// Plots over something else than time: Campbell diagram and frequency responses.
import uPlot from 'uplot';
import { formatNumber, h, iconButton } from './dom';
import { exportCsv, exportPng, plotColors } from './export';
import type { Campbell, Response } from './frequency';
import { lineColor, lineDash } from './palette';

interface Curve {
  name: string;
  values: (number | null)[];
  faint?: boolean;
  scale?: string;
  dash?: number[];
}
interface Table {
  title: string;
  xLabel: string;
  yLabel: string;
  x: ArrayLike<number>;
  curves: Curve[];
  logX: boolean;
  logY: boolean;
  top?: number;
}

const finite = (list: ArrayLike<number>): (number | null)[] => Array.from(list, (v) => (Number.isFinite(v) ? v : null));

function tableOfCampbell(c: Campbell): Table {
  const label = (name: string, unit: string): string => (unit ? `${name} [${unit}]` : name);
  // Frequencies far above that of the rotation would press all others together.
  const rotation = (Math.max(0, ...c.orders) * c.values[c.values.length - 1]) / c.perHertz;
  const all = c.branches.flatMap((b) => [...b.frequency].filter(Number.isFinite));
  const near = all.filter((f) => f < 2.5 * rotation);
  const top =
    rotation > 0 && near.length > 0 && near.length < all.length ? 1.15 * Math.max(rotation, ...near) : undefined;
  // Lines of an order: frequency = order * speed.
  const orders = c.orders.map((order): Curve => ({
    name: order === 1 ? 'rotation' : `${formatNumber(order)} × rotation`,
    faint: true,
    dash: [5, 4],
    values: Array.from(c.values, (v) => (order * v) / c.perHertz),
  }));
  return {
    title: 'Campbell diagram',
    xLabel: label(c.parameter, c.unit),
    yLabel: 'frequency [Hz]',
    x: c.values,
    logX: false,
    logY: false,
    top,
    curves: [...c.branches.map((b): Curve => ({ name: b.name, values: finite(b.frequency) })), ...orders],
  };
}

function tablesOfResponses(list: Response[]): Table[] {
  const first = list[0];
  const alike = list.filter(
    (r) => r.frequency.length === first.frequency.length && r.frequency.every((f, k) => f === first.frequency[k]),
  );
  const of = (title: string, yLabel: string, logY: boolean, values: (r: Response) => Float32Array): Table => ({
    title,
    xLabel: 'frequency [Hz]',
    yLabel,
    x: first.frequency,
    logX: true,
    logY,
    curves: alike.map((r) => ({ name: r.name, values: finite(values(r)) })),
  });
  const units = new Set(alike.map((r) => r.unit));
  return [
    of('Magnitude', units.size === 1 ? `magnitude [${first.unit || '1'}]` : 'magnitude', true, (r) => r.magnitude),
    of('Phase', 'phase [deg]', false, (r) => r.phase),
  ];
}

export class Chart {
  readonly root: HTMLElement;
  private chart: uPlot | null = null;
  private readonly area = h('div.chart');
  private readonly chips = h('div.chips');

  constructor(
    private readonly table: Table,
    private readonly isDark: () => boolean,
    onClose: (chart: Chart) => void,
  ) {
    this.root = h(
      'section.plot.xy',
      {},
      h(
        'header',
        {},
        h('b.title', {}, table.title),
        this.chips,
        iconButton('image', 'Save as PNG', () => {
          if (this.chart)
            exportPng(
              this.chart,
              table.title,
              table.curves.map((c) => c.name),
            );
        }),
        iconButton('save', 'Save as CSV', () =>
          exportCsv(
            table.title,
            [table.xLabel, ...table.curves.map((c) => c.name)],
            [table.x, ...table.curves.map((c) => c.values)],
          ),
        ),
        iconButton('close', 'Remove this plot', () => onClose(this)),
      ),
      this.area,
    );
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  rebuild(): void {
    const { table } = this;
    const dark = this.isDark();
    const { base, grid } = plotColors();
    this.chart?.destroy();
    this.chips.replaceChildren(
      ...table.curves.slice(0, 12).map((curve, k) => {
        const swatch = h('i');
        swatch.style.borderTop = curve.faint
          ? `2px dashed ${String(base.stroke)}`
          : `3px ${lineDash(k).length > 0 ? 'dashed' : 'solid'} ${lineColor(k, dark)}`;
        return h('span.chip', { title: curve.name }, swatch, h('span.name', {}, curve.name));
      }),
    );
    const values = (_: uPlot, splits: (number | null)[]): string[] =>
      splits.map((v) => (v === null ? '' : formatNumber(v, 4)));
    this.chart = new uPlot(
      {
        ...this.size(),
        legend: { show: false },
        padding: [8, 14, 0, 0],
        cursor: { drag: { x: true, y: true, uni: 20 }, points: { size: 6 } },
        scales: { x: { time: false, distr: table.logX ? 3 : 1 }, y: { distr: table.logY ? 3 : 1 } },
        series: [
          { label: table.xLabel },
          ...table.curves.map((c, k): uPlot.Series => ({
            label: c.name,
            stroke: c.faint ? base.stroke : lineColor(k, dark),
            width: c.faint ? 1 : 1.8,
            dash: c.dash ?? lineDash(k),
            points: { show: false },
          })),
        ],
        axes: [
          { ...base, grid, values, label: table.xLabel, labelSize: 18, size: 26, gap: 3 },
          { ...base, grid, values, label: table.yLabel, labelSize: 18, size: 50, gap: 4 },
        ],
      },
      [table.x, ...table.curves.map((c) => c.values)] as unknown as uPlot.AlignedData,
      this.area,
    );
    const { top } = table;
    // Double click shows everything.
    if (top !== undefined) queueMicrotask(() => this.chart?.setScale('y', { min: 0, max: top }));
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(80, this.area.clientWidth), height: Math.max(80, this.area.clientHeight) };
  }
  private resize(): void {
    const { width, height } = this.size();
    if (!this.chart) this.rebuild();
    else if (this.chart.width !== width || this.chart.height !== height) this.chart.setSize({ width, height });
  }
}

export const campbellCharts = (campbell: Campbell | null): Table[] => (campbell ? [tableOfCampbell(campbell)] : []);
export const responseCharts = (responses: Response[]): Table[] =>
  responses.length > 0 ? tablesOfResponses(responses) : [];

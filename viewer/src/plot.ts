// SPDX-License-Identifier: Apache-2.0
// One plot: curves over time, a line at the present time, values next to the names.
import uPlot from 'uplot';
import { locate, sampleSignal, type Signal } from './data';
import { formatNumber, h, icon, iconButton } from './dom';
import { exportPng, plotColors } from './export';
import { lineColor, lineDash } from './palette';

export interface PlotHost {
  title: string;
  time: Float32Array;
  isDark(): boolean;
  now(): number;
  isPlaying(): boolean;
  /** The processor draws the scene: plots follow less often. */
  isSlow(): boolean;
  seek(t: number): void;
  /** Second cursor, against which differences are shown; null without one. */
  reference(): number | null;
  setReference(t: number | null): void;
  range(): [number, number];
  setRange(low: number, high: number): void;
  pick(plot: Plot, anchor: HTMLElement): void;
  remove(plot: Plot): void;
}

/** uPlot leaves gaps at null but not at NaN. */
function column(values: Float32Array, n: number): ArrayLike<number | null> {
  if (values.length === n && values.every(Number.isFinite)) return values;
  return Array.from({ length: n }, (_, k) => (Number.isFinite(values[k]) ? values[k] : null));
}

export class Plot {
  readonly root: HTMLElement;
  signals: Signal[] = [];
  private chart: uPlot | null = null;
  private readonly chips = h('div.chips');
  private readonly area = h('div.chart');
  private readonly line = h('div.timeline');
  private readonly second = h('div.timeline.second');
  private readonly tip = h('div.tip');
  private values: HTMLElement[] = [];
  private written = 0; // when the values were
  private dots: HTMLElement[] = [];
  private largest: number[] = []; // absolute value of each signal

  constructor(private readonly host: PlotHost) {
    const add = h(
      'button.add',
      { type: 'button', title: 'Choose signals', 'aria-label': 'Choose signals', onclick: () => host.pick(this, add) },
      icon('plus'),
      h('span', {}, 'Signal'),
    );
    this.root = h(
      'section.plot',
      {},
      h(
        'header',
        {},
        this.chips,
        add,
        iconButton('image', 'Save this plot as PNG', () => this.savePng(), '.small'),
        iconButton('close', 'Remove this plot', () => host.remove(this)),
      ),
      this.area,
    );
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  has(signal: Signal): boolean {
    return this.signals.includes(signal);
  }

  toggle(signal: Signal): void {
    this.set(this.has(signal) ? this.signals.filter((s) => s !== signal) : [...this.signals, signal]);
  }

  set(signals: Signal[]): void {
    this.signals = signals;
    this.rebuild();
  }

  rebuild(): void {
    const dark = this.host.isDark();
    this.chart?.destroy();
    this.chart = null;
    this.values = [];
    this.largest = this.signals.map((s) => s.values.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0));
    this.dots = [];
    this.chips.replaceChildren(
      ...this.signals.map((signal, k) => {
        const value = h('b');
        this.values.push(value);
        const swatch = h('i');
        swatch.style.borderTop = `3px ${lineDash(k).length > 0 ? 'dashed' : 'solid'} ${lineColor(k, dark)}`;
        return h(
          'span.chip',
          { title: `${signal.name}${signal.unit ? ` [${signal.unit}]` : ''}` },
          swatch,
          h('span.name', {}, signal.name),
          value,
          h(
            'button',
            {
              type: 'button',
              title: 'Remove from the plot',
              'aria-label': `Remove ${signal.name}`,
              onclick: () => this.toggle(signal),
            },
            icon('close'),
          ),
        );
      }),
    );
    this.area.replaceChildren();
    if (this.signals.length === 0) {
      this.area.append(h('p.empty', {}, 'No signal chosen.'));
      return;
    }
    this.chart = new uPlot(this.options(dark), this.data(), this.area);
    this.dots = this.signals.map((_, k) => {
      const dot = h('div.dot');
      dot.style.background = lineColor(k, dark);
      return dot;
    });
    this.chart.over.append(this.line, this.second, ...this.dots, this.tip);
    this.wire(this.chart.over);
    this.showTime();
  }

  /** Signals at the times of the motion and at their own ones are joined where both are plotted. */
  private data(): uPlot.AlignedData {
    const table = (signals: Signal[]): uPlot.AlignedData => {
      const time = signals[0].time ?? this.host.time;
      return [time, ...signals.map((s) => column(s.values, time.length))] as unknown as uPlot.AlignedData;
    };
    const own = this.signals.filter((s) => s.time);
    const rest = this.signals.filter((s) => !s.time);
    if (own.length === 0 || rest.length === 0) return table(this.signals);
    const joined = uPlot.join([table(own), table(rest)]);
    const order = [...own, ...rest];
    return [joined[0], ...this.signals.map((s) => joined[1 + order.indexOf(s)])] as uPlot.AlignedData;
  }

  private options(dark: boolean): uPlot.Options {
    // One scale per unit: the first on the left, the second on the right.
    const units = [...new Set(this.signals.map((s) => s.unit))];
    const { base, grid } = plotColors();
    const values = (_: uPlot, splits: number[]): string[] => splits.map((v) => formatNumber(v));
    const scales: uPlot.Scales = { x: { time: false, range: () => this.host.range() } };
    for (const unit of units) scales[`y ${unit}`] = { range: (_, low, high) => paddedRange(low, high) };
    return {
      ...this.size(),
      scales,
      padding: [8, units.length > 1 ? 4 : 22, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false, setScale: false }, y: false, points: { show: false }, focus: { prox: -1 } },
      series: [
        {},
        ...this.signals.map((s, k): uPlot.Series => ({
          label: s.name,
          scale: `y ${s.unit}`,
          stroke: lineColor(k, dark),
          width: 1.6,
          pxAlign: 0,
          dash: lineDash(k),
          points: { show: this.host.time.length === 1 },
          spanGaps: s.time === undefined && this.signals.some((o) => o.time),
        })),
      ],
      axes: [
        // The unit goes with the last number: a line of its own would cost height.
        {
          ...base,
          values: (u, splits) => values(u, splits).map((text, k) => (k === splits.length - 1 ? `${text} s` : text)),
          size: 24,
          gap: 3,
          space: 60,
        },
        ...units.slice(0, 2).map((unit, k): uPlot.Axis => ({
          ...base,
          values,
          scale: `y ${unit}`,
          side: k === 0 ? 3 : 1,
          grid: { ...grid, show: k === 0 },
          gap: 4,
          space: 30,
          label: unit || ' ',
          labelSize: 16,
          // As wide as the longest number needs, measured in characters.
          size: (_, texts) => 12 + 7.2 * Math.max(3, ...(texts ?? []).map((t) => t.length)),
        })),
      ],
      hooks: { setCursor: [() => this.showTip()], draw: [() => this.showTime()] },
    };
  }

  private wire(over: HTMLElement): void {
    const seek = (event: PointerEvent): void => {
      const rect = over.getBoundingClientRect();
      this.host.seek(this.chart!.posToVal(event.clientX - rect.left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      if (event.shiftKey)
        return this.host.setReference(this.chart!.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
      over.setPointerCapture(event.pointerId);
      seek(event);
    });
    over.addEventListener('pointermove', (event) => {
      if (over.hasPointerCapture(event.pointerId)) seek(event);
    });
    over.addEventListener('dblclick', () => this.host.setRange(-Infinity, Infinity));
    over.addEventListener(
      'wheel',
      (event) => {
        if (event.ctrlKey) return; // leave the zoom of the browser alone
        event.preventDefault();
        const [low, high] = this.host.range();
        const rect = over.getBoundingClientRect();
        const at = low + ((high - low) * (event.clientX - rect.left)) / rect.width;
        const factor = Math.exp(0.0015 * event.deltaY);
        this.host.setRange(at + (low - at) * factor, at + (high - at) * factor);
      },
      { passive: false },
    );
  }

  private savePng(): void {
    if (this.chart)
      exportPng(
        this.chart,
        this.host.title,
        this.signals.map((s) => (s.unit ? `${s.name} [${s.unit}]` : s.name)),
      );
  }

  /** Zoom has changed. */
  rescale(): void {
    const [min, max] = this.host.range();
    this.chart?.setScale('x', { min, max });
  }

  /** Moves the time line. It is an element over the canvas, because redrawing the curves each frame would be slow. */
  showTime(): void {
    const t = this.host.now();
    const chart = this.chart;
    const now = performance.now();
    // Numbers that change faster cannot be read, and text costs more than all else here.
    const write = !this.host.isPlaying() || now - this.written > 90;
    if (write) this.written = now;
    else if (this.host.isSlow()) return; // whatever moves makes the browser compose the whole page anew
    const x = chart ? chart.valToPos(t, 'x') : 0;
    const width = chart ? chart.bbox.width / devicePixelRatio : 0;
    const inside = x >= -1 && x <= width + 1;
    if (chart) show(this.line, inside, x, 0);
    const reference = this.host.reference();
    if (chart) {
      const place = reference === null ? -9 : chart.valToPos(reference, 'x');
      show(this.second, reference !== null && place >= -1 && place <= width + 1, place, 0);
      if (write && reference !== null) this.second.dataset.text = `Δt ${formatNumber(t - reference, 4)} s`;
    }
    this.signals.forEach((signal, k) => {
      const noise = 1e-9 * this.largest[k]; // what rounding leaves of a zero
      const valueAt = (when: number): number => {
        const found = sampleSignal(signal.values, locate(signal.time ?? this.host.time, when));
        return Math.abs(found) < noise ? 0 : found;
      };
      const value = valueAt(t);
      if (write) {
        const difference = reference === null ? '' : `  Δ ${formatNumber(value - valueAt(reference), 4)}`;
        this.values[k].textContent = `${formatNumber(value, 4)}${signal.unit ? ` ${signal.unit}` : ''}${difference}`;
      }
      if (!chart || !this.dots[k]) return;
      const y = chart.valToPos(value, `y ${signal.unit}`);
      show(this.dots[k], inside && Number.isFinite(y), x, y);
    });
  }

  private showTip(): void {
    const chart = this.chart;
    const left = chart?.cursor.left ?? -1;
    this.tip.style.display = chart && left >= 0 ? '' : 'none';
    if (!chart || left < 0) return;
    const t = chart.posToVal(left, 'x');
    const dark = this.host.isDark();
    this.tip.replaceChildren(
      h('div', {}, `t = ${formatNumber(t, 4)} s`),
      ...this.signals.slice(0, 8).map((s, k) => {
        const row = h('div', {}, formatNumber(sampleSignal(s.values, locate(s.time ?? this.host.time, t)), 4));
        row.style.color = lineColor(k, dark);
        return row;
      }),
    );
    const flip = left > chart.over.clientWidth / 2;
    this.tip.style.left = flip ? '' : `${left + 10}px`;
    this.tip.style.right = flip ? `${chart.over.clientWidth - left + 10}px` : '';
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(60, this.area.clientWidth), height: Math.max(60, this.area.clientHeight) };
  }

  private resize(): void {
    const { width, height } = this.size();
    if (this.chart && (this.chart.width !== width || this.chart.height !== height))
      this.chart.setSize({ width, height });
  }
}

function show(element: HTMLElement, shown: boolean, x: number, y: number): void {
  element.style.visibility = shown ? '' : 'hidden';
  if (shown) element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/** A little air above and below; a constant curve lies in the middle instead of on the edge. */
function paddedRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-6 * size || size === 0) return [low - (0.1 * size || 1), high + (0.1 * size || 1)];
  const air = 0.07 * (high - low);
  return [low - air, high + air];
}

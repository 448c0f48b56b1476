// SPDX-License-Identifier: Apache-2.0
// The row of plots, their common time range, and the box in which signals are chosen.
import { locate, sampleSignal, type Run, type Signal } from './data';
import { h, icon, iconButton } from './dom';
import { campbellCharts, Chart, responseCharts } from './charts';
import { exportCsv } from './export';
import { Plot, type PlotHost } from './plot';
import type { Player } from './player';
import { defaultPlots, signalGroups, type SignalGroup } from './signals';
import type { Theme } from './theme';

const MOST_PLOTS = 4;
const MOST_ROWS = 400;

export class Plots implements PlotHost {
  readonly root = h('div.plots');
  readonly time: Float32Array;
  readonly groups: SignalGroup[];
  readonly plots: Plot[] = [];
  readonly charts: Chart[] = [];
  private readonly list = h('div.plotlist');
  private readonly addButton = iconButton('plus', 'Add a plot', () => this.add([]), '.addplot');
  private zoom: [number, number];

  constructor(
    private readonly run: Run,
    private readonly player: Player,
    private readonly theme: Theme,
  ) {
    this.time = run.time;
    this.groups = signalGroups(run);
    this.zoom = this.fullRange();
    this.root.append(
      this.list,
      h(
        'div.plottools',
        {},
        this.addButton,
        iconButton('save', 'Save the plotted signals as CSV', () => this.saveTable()),
      ),
    );
    for (const signals of defaultPlots(run, this.groups)) this.add(signals);
    player.onChange((timeChanged) => {
      if (timeChanged) for (const plot of this.plots) plot.showTime();
    });
    theme.onChange(() => {
      for (const plot of [...this.plots, ...this.charts]) plot.rebuild();
    });
  }

  get title(): string {
    return this.run.name || 'run';
  }
  isDark(): boolean {
    return this.theme.dark;
  }
  now(): number {
    return this.player.time;
  }
  isPlaying(): boolean {
    return this.player.playing;
  }
  slow = false;
  isSlow(): boolean {
    return this.slow;
  }
  seek(t: number): void {
    this.player.setTime(t);
  }
  private second: number | null = null;
  reference(): number | null {
    return this.second;
  }
  setReference(t: number | null): void {
    this.second = t;
    for (const plot of this.plots) plot.showTime();
  }

  range(): [number, number] {
    return this.zoom;
  }

  private fullRange(): [number, number] {
    const { start, end } = this.player;
    return end > start ? [start, end] : [start - 0.5, start + 0.5];
  }

  setRange(low: number, high: number): void {
    const [first, last] = this.fullRange();
    const next: [number, number] = [Math.max(first, low), Math.min(last, high)];
    if (next[1] - next[0] < 1e-6 * (last - first)) return;
    this.zoom = next;
    for (const plot of this.plots) plot.rescale();
  }

  add(signals: Signal[]): Plot | null {
    if (this.plots.length >= MOST_PLOTS) return null;
    const plot = new Plot(this);
    this.plots.push(plot);
    this.list.append(plot.root);
    plot.set(signals);
    this.addButton.disabled = this.plots.length >= MOST_PLOTS;
    return plot;
  }

  remove(plot: Plot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.root.remove();
    this.addButton.disabled = false;
  }

  /** Puts a signal into the last plot, or takes it out of wherever it is. */
  toggle(signal: Signal): void {
    const holder = this.plots.find((p) => p.has(signal)) ?? this.plots[this.plots.length - 1];
    if (holder) holder.toggle(signal);
    else this.add([signal]);
  }

  has(signal: Signal): boolean {
    return this.plots.some((p) => p.has(signal));
  }

  /** Signals that belong to an element by name. */
  related(name: string): Signal[] {
    const starts = (s: Signal): boolean =>
      s.name === name || (s.name.startsWith(name) && !/[\w-]/.test(s.name[name.length] ?? ' '));
    return this.groups
      .flatMap((g) => g.signals)
      .filter(starts)
      .slice(0, 18);
  }

  pick(plot: Plot, anchor: HTMLElement): void {
    document.querySelector('.picker')?.remove();
    const search = h('input', { type: 'search', placeholder: 'Search signals', 'aria-label': 'Search signals' });
    const rows = h('div.rows');
    const fill = (): void => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      rows.replaceChildren();
      for (const group of this.groups) {
        const found = group.signals.filter((s) => words.every((w) => `${s.name} ${s.unit}`.toLowerCase().includes(w)));
        if (found.length === 0) continue;
        rows.append(h('h4', {}, group.title, h('small', {}, String(found.length))));
        for (const signal of found.slice(0, MOST_ROWS)) rows.append(this.pickRow(plot, signal));
      }
      if (!rows.firstChild) rows.append(h('p.empty', {}, 'Nothing found.'));
    };
    search.addEventListener('input', fill);
    const box = h(
      'div.picker',
      { role: 'dialog', 'aria-label': 'Choose signals' },
      h('label.search', {}, icon('search'), search),
      rows,
    );
    fill();
    document.body.append(box);
    // Above the button that opened it, but always within the window.
    const at = anchor.getBoundingClientRect();
    box.style.left = `${Math.max(8, Math.min(innerWidth - box.offsetWidth - 8, at.right - box.offsetWidth))}px`;
    box.style.top = `${Math.max(8, at.top - box.offsetHeight - 6)}px`;
    search.focus();
    const close = (event: Event): void => {
      const key = event instanceof KeyboardEvent;
      if (key ? event.key !== 'Escape' : box.contains(event.target as Node)) return;
      if (key) event.stopPropagation();
      box.remove();
      removeEventListener('pointerdown', close, true);
      removeEventListener('keydown', close, true);
    };
    addEventListener('pointerdown', close, true);
    addEventListener('keydown', close, true);
  }

  private pickRow(plot: Plot, signal: Signal): HTMLElement {
    const mark = h('input', { type: 'checkbox', onchange: () => plot.toggle(signal) });
    mark.checked = plot.has(signal);
    return h('label.row', {}, mark, h('span', {}, signal.name), h('small', {}, signal.unit));
  }

  /** Opens the Campbell diagram or the frequency responses as plots of their own. */
  addCharts(kind: 'campbell' | 'responses'): void {
    for (const table of kind === 'campbell' ? campbellCharts(this.run.campbell) : responseCharts(this.run.responses)) {
      const chart = new Chart(
        table,
        () => this.isDark(),
        (closed) => {
          this.charts.splice(this.charts.indexOf(closed), 1);
          closed.root.remove();
        },
      );
      this.charts.push(chart);
      this.list.append(chart.root);
    }
  }

  /** Charts in the place of plots over time, for files that have no other time than one. */
  showOnlyCharts(): void {
    for (const plot of [...this.plots]) this.remove(plot);
    this.addCharts('campbell');
    this.addCharts('responses');
  }

  private saveTable(): void {
    const signals = [...new Set(this.plots.flatMap((p) => p.signals))];
    const fine = signals.find((s) => s.time)?.time ?? this.time;
    // Every signal at the same times: those of the motion are stored at fewer and are interpolated.
    const column = (s: Signal): ArrayLike<number> =>
      (s.time ?? this.time) === fine
        ? s.values
        : Float32Array.from(fine, (t) => sampleSignal(s.values, locate(s.time ?? this.time, t)));
    exportCsv(
      this.title,
      ['time [s]', ...signals.map((s) => (s.unit ? `${s.name} [${s.unit}]` : s.name))],
      [fine, ...signals.map(column)],
    );
  }
}

// SPDX-License-Identifier: Apache-2.0
// Side panel: tabs for the model and the certificate, and the properties of the selected element.
import { Vector3 } from 'three';
import { makeCertificate, makeDoubtMark } from './certificate';
import { GROUND } from './data';
import { formatFixed, formatNumber, h, icon, iconButton } from './dom';
import type { Model } from './model';
import type { Plots } from './plots';
import { makeId, splitId, type Id, type State } from './state';

type Live = () => string;

export class Panel {
  readonly root: HTMLElement;
  private readonly card = h('section.card');
  private live: { cell: HTMLElement; read: Live }[] = [];
  private shown: Id | null = null;
  private shownFollow: number | null = null;

  constructor(
    private readonly model: Model,
    private readonly state: State,
    private readonly plots: Plots,
    tree: HTMLElement,
    modes: HTMLElement | null,
  ) {
    const modelPage = h('div.page', {}, tree, this.card);
    const certificatePage = h('div.page', {}, makeCertificate(model.run.certificate));
    const pages: [string, HTMLElement][] = [['Model', modelPage]];
    if (modes) pages.push(['Modes', h('div.page', {}, modes)]);
    pages.push(['Certificate', certificatePage]);
    const buttons = pages.map(([title], k) =>
      h('button', { type: 'button', role: 'tab', onclick: () => this.open(k, pages, buttons) }, title),
    );
    buttons[buttons.length - 1].append(makeDoubtMark(model.run.certificate) ?? '');
    this.root = h('aside.panel', {}, h('nav.tabs', { role: 'tablist' }, ...buttons), ...pages.map(([, page]) => page));
    this.open(0, pages, buttons);
    this.openTab = (name) =>
      this.open(
        Math.max(
          0,
          pages.findIndex(([title]) => title.toLowerCase() === name),
        ),
        pages,
        buttons,
      );
    state.onChange(() => this.refresh());
    this.refresh();
  }

  openTab: (name: string) => void;
  isPlaying: () => boolean = () => false;
  private written = 0;

  private open(k: number, pages: [string, HTMLElement][], buttons: HTMLElement[]): void {
    pages.forEach(([, page], i) => {
      page.hidden = i !== k;
    });
    buttons.forEach((button, i) => {
      button.classList.toggle('on', i === k);
      button.setAttribute('aria-selected', String(i === k));
    });
  }

  private refresh(): void {
    const id = this.state.selected;
    if (id === this.shown && this.state.follow === this.shownFollow && this.card.firstChild) return;
    this.shown = id;
    this.shownFollow = this.state.follow;
    this.live = [];
    this.card.hidden = id === null;
    this.card.replaceChildren();
    if (id) this.fill(id);
    else this.card.append(''); // an empty card is not filled again
  }

  private fill(id: Id): void {
    const { run, size } = this.model;
    const [kind, k] = splitId(id);
    const rows: [string, Node | string | Live][] = [];
    let title = '';
    const vector =
      (read: () => Vector3): Live =>
      () => {
        const p = read();
        return [p.x, p.y, p.z].map((v) => formatFixed(v, size)).join('  ');
      };
    if (kind === 'body') {
      title = run.bodies[k].name;
      const frame = this.model.frameOf(k);
      const q = frame.quaternion;
      const { mass } = run.bodies[k];
      if (mass > 0) rows.push(['mass, kg', formatNumber(mass)]);
      rows.push(
        [`position, ${run.lengthUnit}`, vector(() => frame.position)],
        ['quaternion', () => [q.w, q.x, q.y, q.z].map((v) => formatFixed(v, 1, 4)).join('  ')],
        [
          'joints',
          this.links(run.joints.flatMap((j, i) => (j.bodyI === k || j.bodyJ === k ? [makeId('joint', i)] : []))),
        ],
      );
    } else if (kind === 'joint') {
      const joint = run.joints[k];
      title = joint.name;
      rows.push(
        ['type', joint.type],
        ['body i', this.bodyLink(joint.bodyI)],
        ['body j', this.bodyLink(joint.bodyJ)],
        [`position, ${run.lengthUnit}`, vector(() => this.model.labelPoint(id, new Vector3()))],
      );
    } else if (kind === 'force') {
      const force = run.forces[k];
      title = force.name;
      rows.push(
        ['type', force.type],
        ['on', this.bodyLink(force.bodyJ)],
        ['from', this.bodyLink(force.bodyI)],
        [`position, ${run.lengthUnit}`, vector(() => this.model.labelPoint(id, new Vector3()))],
      );
    } else if (kind === 'beam') {
      const beam = run.beams[k];
      title = beam.name;
      rows.push(
        ['section', beam.sections[0].type || '–'],
        [`length, ${run.lengthUnit}`, formatNumber(beam.s[beam.s.length - 1])],
        ['nodes', String(beam.nodes.length)],
      );
    } else if (kind === 'spring') {
      const spring = run.springs[k];
      const a = new Vector3();
      const b = new Vector3();
      title = spring.name;
      rows.push(
        ['body i', this.bodyLink(spring.bodyI)],
        ['body j', this.bodyLink(spring.bodyJ)],
        [
          `length, ${run.lengthUnit}`,
          () => {
            this.model.springEnds(k, a, b);
            return formatFixed(a.distanceTo(b), size);
          },
        ],
      );
    } else if (kind === 'point') {
      const point = run.points[k];
      title = point.name;
      rows.push(
        ['body', this.bodyLink(point.body)],
        [`position, ${run.lengthUnit}`, vector(() => this.model.at(point.body, point.position))],
      );
    }
    const table = h(
      'table',
      {},
      h(
        'tbody',
        {},
        ...rows.map(([name, value]) => {
          const cell = h('td');
          if (typeof value === 'function') {
            cell.className = 'num';
            this.live.push({ cell, read: value });
          } else cell.append(value);
          return h('tr', {}, h('th', { scope: 'row' }, name), cell);
        }),
      ),
    );
    this.card.append(
      h(
        'header',
        {},
        h('small', {}, kind),
        h('b', { title }, title),
        kind === 'body' && this.followButton(k),
        iconButton('close', 'Clear the selection (Esc)', () => this.state.select(null)),
      ),
      table,
    );
    const related = this.plots.related(title);
    if (related.length > 0) this.card.append(h('div.related', {}, ...related.map((s) => this.plotButton(s, title))));
    this.showTime();
  }

  private followButton(body: number): HTMLElement {
    const on = this.state.follow === body;
    const button = iconButton('follow', 'Camera follows this body (C)', () => this.state.setFollow(on ? null : body));
    button.classList.toggle('on', on);
    return button;
  }

  private plotButton(signal: ReturnType<Plots['related']>[number], title: string): HTMLElement {
    const text = signal.name.slice(title.length).replace(/^[\s·._:/-]+/, '') || signal.name;
    const button = h(
      'button.text',
      {
        type: 'button',
        title: `Plot ${signal.name}`,
        onclick: () => {
          this.plots.toggle(signal);
          button.classList.toggle('on', this.plots.has(signal));
        },
      },
      icon('trace'),
      text,
    );
    button.classList.toggle('on', this.plots.has(signal));
    return button;
  }

  private bodyLink(body: number): Node {
    return body === GROUND ? document.createTextNode('ground') : this.links([makeId('body', body)]);
  }

  private links(ids: Id[]): Node {
    if (ids.length === 0) return document.createTextNode('–');
    const { run } = this.model;
    const box = h('span.links');
    for (const id of ids) {
      const [kind, k] = splitId(id);
      box.append(
        h(
          'button.link',
          { type: 'button', onclick: () => this.state.select(id) },
          (kind === 'body' ? run.bodies : run.joints)[k].name,
        ),
      );
    }
    return box;
  }

  /** Rewrites the numbers that change with time. */
  showTime(): void {
    const now = performance.now();
    // Faster changes cannot be read.
    if (this.live.length === 0 || (this.isPlaying() && now - this.written < 90)) return;
    this.written = now;
    for (const { cell, read } of this.live) cell.textContent = read();
  }
}

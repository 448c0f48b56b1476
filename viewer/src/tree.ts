// SPDX-License-Identifier: Apache-2.0
// Tree of the elements of the model: select, show and hide, search.
import { h, icon } from './dom';
import type { Model } from './model';
import { LINE_COLORS } from './palette';
import { makeId, type Id, type Kind, type State } from './state';

interface Row {
  id: Id;
  text: string;
  element: HTMLElement;
  eye: HTMLButtonElement;
}
interface Section {
  rows: Row[];
  element: HTMLElement;
  eye: HTMLButtonElement;
  count: HTMLElement;
  ids: Id[];
}
interface Item {
  name: string;
  note?: string;
  color?: string;
  k?: number; // among its kind, if not all are listed
}

const CHUNK = 120;
const LATER_MS = 600; // rows made at a time; when the rest is

export class Tree {
  readonly root: HTMLElement;
  private readonly sections: Section[] = [];
  private readonly search = h('input', { type: 'search', placeholder: 'Search model', 'aria-label': 'Search model' });
  private shownSelection: Id | null = null;

  constructor(
    model: Model,
    private readonly state: State,
    onOpen: (id: Id) => void,
  ) {
    const { run } = model;
    const list = h('div.tree', { role: 'tree' });
    const section = (title: string, kind: Kind, items: Item[]): void => {
      if (items.length > 0) list.append(this.makeSection(title, kind, items, onOpen));
    };
    section(
      'Bodies',
      'body',
      run.bodies
        .map((b, k) => ({ name: b.name, color: model.bodyColor(k), k }))
        .filter(({ k }) => !model.inBeam.has(k)),
    );
    section(
      'Beams',
      'beam',
      run.beams.map((b) => ({ name: b.name, note: b.sections[0].type })),
    );
    section(
      'Joints',
      'joint',
      run.joints.map((j) => ({ name: j.name, note: j.type })),
    );
    section(
      'Springs',
      'spring',
      run.springs.map((s) => ({ name: s.name })),
    );
    section(
      'Forces',
      'force',
      run.forces.map((f) => ({ name: f.name, note: f.type })),
    );
    section(
      'Points',
      'point',
      run.points.map((p, k) => ({ name: p.name, color: LINE_COLORS[(k + 1) % LINE_COLORS.length] })),
    );
    if (run.groundShapes.length > 0) section('Ground', 'ground', [{ name: 'ground', color: model.bodyColor(-1) }]);
    this.search.addEventListener('input', () => this.filter());
    this.root = h('div.treebox', {}, h('label.search', {}, icon('search'), this.search), list);
    state.onChange(() => this.refresh());
  }

  private makeRow(kind: Kind, k: number, item: Item, onOpen: (id: Id) => void): Row {
    const { state } = this;
    const id = makeId(kind, k);
    const mark = h(`i.mark.${kind}`);
    if (item.color) mark.style.background = item.color;
    const eye = this.makeEye(() => state.setHidden([id], !state.hidden.has(id)));
    const element = h(
      'div.row',
      {
        role: 'treeitem',
        tabindex: 0,
        title: item.name,
        onclick: () => {
          if (kind !== 'ground') state.select(state.selected === id ? null : id);
        },
        ondblclick: () => onOpen(id),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === 'Enter') state.select(id);
        },
        onpointerenter: () => {
          if (kind !== 'ground') state.hover(id);
        },
        onpointerleave: () => state.hover(null),
      },
      mark,
      h('span.name', {}, item.name),
      item.note && h('small', {}, item.note),
      eye,
    );
    return { id, text: `${item.name} ${item.note ?? ''}`.toLowerCase(), element, eye };
  }

  /** Of long lists the first rows are made at once, the others after the first picture. */
  private makeSection(title: string, kind: Kind, items: Item[], onOpen: (id: Id) => void): HTMLElement {
    const { state } = this;
    const ids = items.map((item, k) => makeId(kind, item.k ?? k));
    const rows: Row[] = [];
    const eye = this.makeEye(() =>
      state.setHidden(
        ids,
        ids.some((id) => !state.hidden.has(id)),
      ),
    );
    const count = h('small', {}, String(items.length));
    const element = h(
      'details.section',
      { open: true },
      h('summary', {}, icon('chevron'), h('span', {}, title), count, eye),
    );
    const makeMore = (): void => {
      const from = rows.length;
      const more = items
        .slice(from, from + CHUNK)
        .map((item, k) => this.makeRow(kind, item.k ?? from + k, item, onOpen));
      rows.push(...more);
      element.append(...more.map((r) => r.element));
      if (from === 0) return;
      this.filter();
      this.refresh();
    };
    const goOn = (): void => {
      if (rows.length >= items.length) return;
      makeMore();
      setTimeout(goOn, 30);
    };
    makeMore();
    if (rows.length < items.length) setTimeout(goOn, LATER_MS);
    this.sections.push({ rows, element, eye, count, ids });
    return element;
  }

  private makeEye(toggle: () => void): HTMLButtonElement {
    return h(
      'button.eye',
      {
        type: 'button',
        title: 'Show or hide',
        // The click must neither select the row nor fold the section.
        onclick: (event: Event) => {
          event.stopPropagation();
          event.preventDefault();
          toggle();
        },
        ondblclick: (event: Event) => event.stopPropagation(),
      },
      icon('eye'),
    );
  }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { rows, element, count, ids } of this.sections) {
      let found = 0;
      for (const r of rows) {
        r.element.hidden = !words.every((w) => r.text.includes(w));
        if (!r.element.hidden) ++found;
      }
      element.hidden = found === 0;
      count.textContent = words.length > 0 ? `${found} of ${ids.length}` : String(ids.length);
    }
  }

  private refresh(): void {
    const { state } = this;
    const setEye = (eye: HTMLButtonElement, hidden: boolean): void => {
      if (eye.classList.contains('off') === hidden) return;
      eye.classList.toggle('off', hidden);
      eye.replaceChildren(icon(hidden ? 'eyeoff' : 'eye'));
    };
    for (const section of this.sections) {
      for (const { id, element, eye } of section.rows) {
        element.classList.toggle('selected', id === state.selected);
        element.classList.toggle('hovered', id === state.hovered);
        element.classList.toggle('dim', state.hidden.has(id));
        setEye(eye, state.hidden.has(id));
        if (id === state.selected && id !== this.shownSelection) {
          (section.element as HTMLDetailsElement).open = true;
          this.reveal(element);
        }
      }
      setEye(
        section.eye,
        section.ids.every((id) => state.hidden.has(id)),
      );
    }
    this.shownSelection = state.selected;
  }

  /** Scrolls within the tree only; on a phone the page itself must stay where it is. */
  private reveal(row: HTMLElement): void {
    const list = row.closest('.tree');
    if (!list) return;
    const outer = list.getBoundingClientRect();
    const inner = row.getBoundingClientRect();
    if (inner.top < outer.top + 30) list.scrollTop += inner.top - outer.top - 40;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 12;
  }
}

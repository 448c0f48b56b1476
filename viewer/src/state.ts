// SPDX-License-Identifier: Apache-2.0
// What the parts of the page share: selection, visibility and view options.

export type Kind = 'body' | 'joint' | 'spring' | 'force' | 'beam' | 'point' | 'ground' | 'marker';
/** An element of the model, as "kind:number". */
export type Id = `${Kind}:${number}`;

export const makeId = (kind: Kind, index: number): Id => `${kind}:${index}`;
export function splitId(id: Id): [Kind, number] {
  const [kind, index] = id.split(':');
  return [kind as Kind, Number(index)];
}

export interface Options {
  grid: boolean;
  traces: boolean;
  joints: boolean;
  arrows: boolean;
  markers: boolean;
  xray: boolean;
  names: boolean;
}

export class State {
  selected: Id | null = null;
  hovered: Id | null = null;
  follow: number | null = null; // number of the body the camera goes along with
  readonly hidden = new Set<Id>();
  readonly options: Options = {
    grid: true,
    traces: true,
    joints: true,
    arrows: false,
    markers: false,
    xray: false,
    names: false,
  };
  quantity = ''; // that beams are coloured by; '': their own colours
  arrowScale = 1; // by the user, on top of what suits the model
  private readonly listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  select(id: Id | null): void {
    if (id === this.selected) return;
    this.selected = id;
    this.changed();
  }

  hover(id: Id | null): void {
    if (id === this.hovered) return;
    this.hovered = id;
    this.changed();
  }

  setHidden(ids: Iterable<Id>, hidden: boolean): void {
    for (const id of ids)
      if (hidden) this.hidden.add(id);
      else this.hidden.delete(id);
    this.changed();
  }

  toggle(option: keyof Options): void {
    this.options[option] = !this.options[option];
    this.changed();
  }

  setQuantity(name: string): void {
    if (name === this.quantity) return;
    this.quantity = name;
    this.changed();
  }

  setArrowScale(scale: number): void {
    this.arrowScale = scale;
    this.changed();
  }

  /** Follows the selected body, or the first one; or stops following. */
  toggleFollow(): void {
    const [kind, k] = this.selected ? splitId(this.selected) : (['ground', 0] as const);
    const body = kind === 'body' ? k : 0;
    this.setFollow(this.follow === null || (kind === 'body' && this.follow !== k) ? body : null);
  }

  setFollow(body: number | null): void {
    this.follow = body;
    this.changed();
  }
}

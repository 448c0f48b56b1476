// SPDX-License-Identifier: Apache-2.0
// What beams can be coloured by: quantities along them, with one scale for all beams and the whole run.
import { Color } from 'three';
import type { Paint } from './beams';
import type { Along, Beam, Place, Run } from './data';
import { diverging, heat } from './palette';
import { DISPLACEMENT, largestOn, SURFACE_STRESS } from './surfaces';

export interface Choice {
  name: string;
  unit: string;
  quantity: string;
  column: number; // −1: of all columns, as `kind` says
  kind: 'component' | 'over section' | 'largest';
}

/** What the components of vectors along a beam mean to an engineer. */
const WORDS: Record<string, string[]> = {
  force: ['axial force N', 'shear force V y', 'shear force V z'],
  moment: ['torque M x', 'bending moment M y', 'bending moment M z'],
  strain: ['axial strain', 'shear strain y', 'shear strain z'],
  curvature: ['twist per length', 'curvature y', 'curvature z'],
};

function choicesOf({ name, unit, columns }: Along): Choice[] {
  const whole = (title: string, kind: Choice['kind']): Choice[] => [
    { name: title, unit, quantity: name, column: -1, kind },
  ];
  if (name === 'normal_stress') return whole('normal stress', 'over section');
  if (name === 'shear_stress') return whole('shear stress, largest', 'largest');
  if (name === 'von_mises') return whole('von Mises stress, largest', 'largest');
  return columns.map((column, k) => ({
    name: WORDS[name]?.[k] ?? [name.replace(/_/g, ' '), column].filter(Boolean).join(' '),
    unit,
    quantity: name,
    column: k,
    kind: 'component',
  }));
}

const ORDER = ['normal_stress', 'von_mises', 'shear_stress', 'moment', 'force', 'curvature', 'strain'];

export function listChoices(run: Run): Choice[] {
  const found = new Map<string, Choice>();
  const rank = (q: Along): number => (ORDER.includes(q.name) ? ORDER.indexOf(q.name) : ORDER.length);
  const all = run.beams.flatMap((beam) => beam.quantities).sort((a, b) => rank(a) - rank(b));
  for (const quantity of all)
    for (const choice of choicesOf(quantity)) if (!found.has(choice.name)) found.set(choice.name, choice);
  const add = (name: string, unit: string): void => {
    found.set(name, { name, unit, quantity: name, column: -1, kind: 'largest' });
  };
  if (run.surfaces.some(({ stresses }) => stresses.length > 0)) add(SURFACE_STRESS, 'N/m^2');
  if (run.surfaces.length > 0) add(DISPLACEMENT, 'm');
  return [...found.values()];
}

/** Corners +y+z, −y+z, −y−z, +y−z and then sides; or poles +y, +z, −y, −z. */
const isPoles = (columns: string[]): boolean => columns[0] === '+y';

/** a, b, c of the value a + y b + z c across the section, from the columns of a station. */
function spread(choice: Choice, columns: string[], values: ArrayLike<number>, at: number, out: number[]): void {
  out[1] = out[2] = 0;
  if (choice.kind === 'component') {
    out[0] = values[at + choice.column];
  } else if (choice.kind === 'largest') {
    out[0] = 0;
    for (let k = 0; k < columns.length; ++k) out[0] = Math.max(out[0], Math.abs(values[at + k]));
  } else {
    const [p, q, r, s] = [0, 1, 2, 3].map((k) => values[at + k]);
    out[0] = (p + q + r + s) / 4;
    out[1] = isPoles(columns) ? (p - r) / 2 : (p - q - r + s) / 4;
    out[2] = isPoles(columns) ? (q - s) / 2 : (p + q - r - s) / 4;
  }
}

export interface Scale {
  low: number;
  high: number;
  color(value: number, out: Color): Color;
}

/** The next number above that is easy to read. */
function rounded(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];
  return power * steps.find((step) => step * power >= value * (1 - 1e-3))!;
}

/** From zero to the greatest value of the run; to both sides of zero if there are both signs. */
export function scaleOf(run: Run, choice: Choice): Scale {
  let low = Infinity;
  let high = -Infinity;
  const out = [0, 0, 0];
  for (const { quantities } of run.beams)
    for (const { name, columns, values } of quantities) {
      if (name !== choice.quantity) continue;
      for (let at = 0; at + columns.length <= values.length; at += columns.length) {
        spread(choice, columns, values, at, out);
        const reach = isPoles(columns) ? Math.hypot(out[1], out[2]) : Math.abs(out[1]) + Math.abs(out[2]);
        low = Math.min(low, out[0] - reach);
        high = Math.max(high, out[0] + reach);
      }
    }
  if (choice.name === DISPLACEMENT || choice.name === SURFACE_STRESS) {
    low = 0;
    high = largestOn(run, choice.name);
  }
  if (!(low <= high)) low = high = 0;
  const most = rounded(Math.max(-low, high) || 1);
  if (low < 0 && choice.kind !== 'largest')
    return { low: -most, high: most, color: (value, c) => diverging((value / most + 1) / 2, c) };
  return { low: 0, high: most, color: (value, c) => heat(value / most, c) };
}

/** Colours of the rings of a beam at a place in time; null if the beam does not have the quantity. */
export function makePaint(
  beam: Beam,
  rings: { s: number }[],
  choice: Choice,
  scale: Scale,
  place: () => Place,
): Paint | null {
  const quantity = beam.quantities.find((q) => q.name === choice.quantity);
  if (!quantity || beam.stations.length === 0) return null;
  const { stations } = beam;
  const { columns, values } = quantity;
  const width = stations.length * columns.length;
  // Between which stations a ring is.
  const before = rings.map(({ s }) => {
    let k = 0;
    while (k + 2 < stations.length && stations[k + 1] < s) ++k;
    return k;
  });
  const share = rings.map(({ s }, i) => {
    const [a, b] = [stations[before[i]], stations[Math.min(before[i] + 1, stations.length - 1)]];
    return b > a ? Math.min(1, Math.max(0, (s - a) / (b - a))) : 0;
  });
  const part = [0, 0, 0];
  return {
    color: (value, out) => scale.color(value, out),
    row: (ring, out) => {
      const { row, fraction } = place();
      out[0] = out[1] = out[2] = 0;
      for (const [sample, w] of [
        [row, 1 - fraction],
        [row + 1, fraction],
      ])
        for (const [k, v] of [
          [before[ring], 1 - share[ring]],
          [Math.min(before[ring] + 1, stations.length - 1), share[ring]],
        ]) {
          if (w * v === 0) continue;
          spread(choice, columns, values, sample * width + k * columns.length, part);
          for (let j = 0; j < 3; ++j) out[j] += w * v * part[j];
        }
    },
  };
}

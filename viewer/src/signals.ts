// SPDX-License-Identifier: Apache-2.0
// The list of things that can be plotted, and what is plotted at first.
import type { Run, Signal } from './data';

/**
 * A component of a vector over time, or (axis 3) its size. What is drawn can be plotted, even if the run has no
 * signals.
 */
class Component implements Signal {
  readonly name: string;
  private cached: Float32Array | null = null;
  constructor(
    private readonly track: Float32Array,
    private readonly axis: number,
    owner: string,
    readonly unit: string,
  ) {
    this.name = `${owner} · ${['x', 'y', 'z', 'size'][axis]}`;
  }
  get values(): Float32Array {
    const at = (row: number): number =>
      this.axis < 3
        ? this.track[3 * row + this.axis]
        : Math.hypot(this.track[3 * row], this.track[3 * row + 1], this.track[3 * row + 2]);
    this.cached ??= Float32Array.from({ length: this.track.length / 3 }, (_, row) => at(row));
    return this.cached;
  }
}

export interface SignalGroup {
  title: string;
  signals: Signal[];
}

export function signalGroups(run: Run): SignalGroup[] {
  const positions = run.bodies.flatMap((b) =>
    [0, 1, 2].map((axis) => new Component(b.position, axis, b.name, run.lengthUnit)),
  );
  const reactions = run.joints.flatMap((j) =>
    (
      [
        [j.force, 'force', 'N'],
        [j.torque, 'torque', 'N*m'],
      ] as const
    ).flatMap(([track, what, unit]) =>
      track.length > 0 ? [3, 0, 1, 2].map((axis) => new Component(track, axis, `${j.name} · ${what}`, unit)) : [],
    ),
  );
  return [
    { title: 'Signals', signals: run.signals },
    { title: 'Body positions', signals: positions },
    { title: 'Joint reactions', signals: reactions },
  ].filter((g) => g.signals.length > 0);
}

const isEnergy = (s: Signal): boolean => /energy/i.test(s.name) || /^(J|kJ|mJ|N[ ·*]?m·?rad)$/.test(s.unit);
const isCoordinateUnit = (unit: string): boolean => ['rad', 'deg', '°', 'm', 'mm', 'cm'].includes(unit);

const extent = (s: Signal): number => s.values.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0);
/** A signal far below the others of its unit, as the round-off in a coordinate that does not move. */
function isNoise(s: Signal, all: Signal[]): boolean {
  if (!extents.has(s.unit))
    extents.set(
      s.unit,
      Math.max(...all.filter((o) => o.unit === s.unit && !/^constraint\./.test(o.name)).map(extent), 0),
    );
  return extent(s) <= 1e-9 * extents.get(s.unit)!;
}
const extents = new Map<string, number>();

/** At first: the energies, and the first few joint coordinates (of one unit, so that they share an axis). */
export function defaultPlots(run: Run, groups: SignalGroup[]): Signal[][] {
  const energies = run.signals.filter(isEnergy).slice(0, 4);
  const rest = run.signals.filter((s) => !isEnergy(s) && !isNoise(s, run.signals));
  const ofJoint = rest.filter((s) => run.joints.some((j) => s.name.includes(j.name)));
  const coordinates =
    [ofJoint, rest].map((list) => list.filter((s) => isCoordinateUnit(s.unit))).find((list) => list.length > 0) ?? rest;
  const second = coordinates.filter((s) => s.unit === coordinates[0].unit).slice(0, 4);
  const plots = [energies, second].filter((list) => list.length > 0);
  if (plots.length > 0) return plots;
  // No signals at all: show how the first body moves.
  return groups.length > 0 ? [groups[0].signals.slice(0, 3)] : [];
}

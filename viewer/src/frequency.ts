// SPDX-License-Identifier: Apache-2.0
// Linear results: modes, a Campbell diagram, frequency responses.
import { asList, asNumber, asObject, asText, decodeFloats, type Pose } from './data';

/**
 * Motion of body k:  Re(shape e^{iωt}); per body real parts of displacement x y z and rotation x y z, then imaginary
 * parts.
 */
export interface Mode {
  name: string;
  frequency: number;
  damping: number;
  shape: Float32Array;
}
/** Poses about which the modes swing; empty for the first sample of the run. */
export interface Modes {
  list: Mode[];
  position: Float32Array;
  quaternion: Float32Array;
}
export interface Branch {
  name: string;
  frequency: Float32Array;
  damping: Float32Array;
}
export interface Campbell {
  parameter: string;
  unit: string;
  values: Float32Array;
  branches: Branch[];
  orders: number[];
  perHertz: number;
}
export interface Response {
  name: string;
  unit: string;
  frequency: Float32Array;
  magnitude: Float32Array;
  phase: Float32Array;
}

export const PER_BODY = 12;

export function readModes(value: unknown, bodies: number): Modes {
  const root = asObject(value);
  const position = decodeFloats(root.position);
  const quaternion = decodeFloats(root.quaternion_wxyz);
  const given = position.length === 3 * bodies && quaternion.length === 4 * bodies;
  return {
    list: asList(root.list)
      .map((m, k): Mode => ({
        name: asText(m.name, `mode ${k + 1}`),
        frequency: asNumber(m.frequency) ?? NaN,
        damping: asNumber(m.damping) ?? NaN,
        shape: decodeFloats(m.shape),
      }))
      .filter((m) => m.shape.length === PER_BODY * bodies && m.shape.every(Number.isFinite)),
    position: given ? position : new Float32Array(0),
    quaternion: given ? quaternion : new Float32Array(0),
  };
}

export function readCampbell(value: unknown): Campbell | null {
  const root = asObject(value);
  const values = decodeFloats(root.values);
  const n = values.length;
  const branches = asList(root.branches)
    .map((b, k): Branch => ({
      name: asText(b.name, `mode ${k + 1}`),
      frequency: decodeFloats(b.frequency),
      damping: decodeFloats(b.damping),
    }))
    .filter((b) => b.frequency.length === n);
  if (n < 2 || branches.length === 0) return null;
  const orders = Array.isArray(root.orders) ? root.orders.filter((v): v is number => Number.isFinite(v)) : [];
  return {
    parameter: asText(root.parameter, 'parameter'),
    unit: asText(root.unit),
    values,
    branches,
    orders,
    perHertz: asNumber(root.per_hertz) ?? 2 * Math.PI,
  };
}

export function readResponses(value: unknown): Response[] {
  return asList(value)
    .map((r, k): Response => ({
      name: asText(r.name, `response ${k + 1}`),
      unit: asText(r.unit),
      frequency: decodeFloats(r.frequency),
      magnitude: decodeFloats(r.magnitude),
      phase: decodeFloats(r.phase),
    }))
    .filter(
      (r) =>
        r.frequency.length > 1 && r.magnitude.length === r.frequency.length && r.phase.length === r.frequency.length,
    );
}

/** How far the mode moves a point of its bodies at most; turns count by `radius`. */
export function modeExtent({ shape }: Mode, radius: number): number {
  let most = 0;
  for (let at = 0; at < shape.length; at += PER_BODY) {
    const size = (k: number): number =>
      Math.hypot(
        shape[at + k],
        shape[at + k + 1],
        shape[at + k + 2],
        shape[at + k + 6],
        shape[at + k + 7],
        shape[at + k + 8],
      );
    most = Math.max(most, size(0) + radius * size(3));
  }
  return most;
}

/** Moves `pose` of body k along the mode: displacement and a turn about ground axes, of phase `angle`. */
export function addMode(mode: Mode, k: number, scale: number, angle: number, pose: Pose): void {
  const s = mode.shape;
  const at = PER_BODY * k;
  const c = scale * Math.cos(angle);
  const d = scale * Math.sin(angle);
  const part = (j: number): number => c * s[at + j] - d * s[at + j + 6];
  for (let j = 0; j < 3; ++j) pose.position[j] += part(j);
  const x = part(3);
  const y = part(4);
  const z = part(5);
  const turn = Math.hypot(x, y, z);
  if (turn < 1e-12) return;
  const w = Math.cos(turn / 2);
  const f = Math.sin(turn / 2) / turn;
  const [qw, qx, qy, qz] = pose.quaternion;
  const a = f * x;
  const b = f * y;
  const e = f * z; // (w, a, b, e) times q
  pose.quaternion = [
    w * qw - a * qx - b * qy - e * qz,
    w * qx + a * qw + b * qz - e * qy,
    w * qy - a * qz + b * qw + e * qx,
    w * qz + a * qy - b * qx + e * qw,
  ];
}

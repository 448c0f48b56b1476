// SPDX-License-Identifier: Apache-2.0
// Reads the run embedded in the page. The reader is lenient: a missing or odd field
// must leave the rest of the run visible, so everything is given a usable default.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z as in the file

export interface Frame { position: Vec3; quaternion: Quat }
export interface Shape extends Frame { type: string; size?: Vec3; radius?: number; innerRadius?: number; topRadius?: number; length?: number; color: string }
export interface Body { name: string; massCenter: Vec3; shapes: Shape[]; position: Float32Array; quaternion: Float32Array }
export interface Joint { name: string; type: string; bodyI: number; bodyJ: number; markerI: Frame; markerJ: Frame; outlineI: number[][]; outlineJ: number[][] }
export interface Spring { name: string; bodyI: number; bodyJ: number; pointI: Vec3; pointJ: Vec3 }
export interface TracePoint { name: string; body: number; position: Vec3 }
export interface Signal { name: string; unit: string; values: Float32Array }

export interface Run {
  name: string; version: string; description: string; lengthUnit: string;
  up: Vec3; time: Float32Array;
  bodies: Body[]; groundShapes: Shape[]; joints: Joint[]; springs: Spring[]; points: TracePoint[];
  signals: Signal[]; certificate: unknown;
}

/** Body number that stands for the ground. */
export const GROUND = -1;
const UNKNOWN = -2;

type Json = Record<string, unknown>;
const asObject = (v: unknown): Json => (v !== null && typeof v === 'object' && !Array.isArray(v) ? (v as Json) : {});
const asList = (v: unknown): Json[] => (Array.isArray(v) ? v.map(asObject) : []);
const asText = (v: unknown, fallback = ''): string => (typeof v === 'string' ? v : typeof v === 'number' ? String(v) : fallback);
const asNumber = (v: unknown): number | undefined => (typeof v === 'number' && Number.isFinite(v) ? v : undefined);

function asVec3(v: unknown, fallback: Vec3 = [0, 0, 0]): Vec3 {
  return Array.isArray(v) && v.length >= 3 && v.slice(0, 3).every(Number.isFinite) ? [v[0], v[1], v[2]] : fallback;
}

/** Points [x, y] of a curve; what is not a point is left out. */
function asPoints(v: unknown): number[][] {
  return Array.isArray(v) ? v.filter((p) => Array.isArray(p) && p.length === 2 && p.every((x) => Number.isFinite(x))) : [];
}

function asQuat(v: unknown): Quat {
  if (!Array.isArray(v) || v.length < 4 || !v.slice(0, 4).every(Number.isFinite)) return [1, 0, 0, 0];
  const norm = Math.hypot(v[0], v[1], v[2], v[3]);
  return norm > 0 ? [v[0] / norm, v[1] / norm, v[2] / norm, v[3] / norm] : [1, 0, 0, 0];
}

const asFrame = (v: unknown): Frame => ({ position: asVec3(asObject(v).position), quaternion: asQuat(asObject(v).quaternion_wxyz) });

/** Decodes base64 little-endian Float32, or takes a plain list of numbers. */
export function decodeFloats(value: unknown): Float32Array {
  if (Array.isArray(value)) return Float32Array.from(value, (x) => (typeof x === 'number' ? x : NaN));
  if (typeof value !== 'string' || value === '') return new Float32Array(0);
  let binary: string;
  try { binary = atob(value); } catch { return new Float32Array(0); }
  const bytes = new Uint8Array(binary.length & ~3);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

/** Makes a track of n rows. Short or non-finite data repeat the last good row, so nothing is drawn at NaN. */
function asTrack(value: unknown, n: number, rest: number[]): Float32Array {
  const given = decodeFloats(value);
  const width = rest.length;
  if (given.length === n * width && given.every(Number.isFinite)) return given;
  const track = new Float32Array(n * width);
  let last: ArrayLike<number> = rest;
  for (let row = 0; row < n; ++row) {
    const source = given.subarray(row * width, row * width + width);
    if (source.length === width && source.every(Number.isFinite)) last = source;
    track.set(last, row * width);
  }
  return track;
}

function asShape(v: Json): Shape {
  return {
    ...asFrame(v), type: asText(v.type).toLowerCase(),
    size: Array.isArray(v.size) ? asVec3(v.size, [0.1, 0.1, 0.1]) : undefined,
    radius: asNumber(v.radius), innerRadius: asNumber(v.inner_radius), topRadius: asNumber(v.top_radius), length: asNumber(v.length),
    color: /^#[0-9a-f]{6}$/i.test(asText(v.color)) ? asText(v.color) : '',
  };
}

export function readRun(text: string): Run {
  const root = asObject(JSON.parse(text));
  const time = decodeFloats(root.time);
  const times = time.length > 0 ? time : new Float32Array(1);
  const n = times.length;

  const bodies = asList(root.bodies).map((b, k): Body => ({
    name: asText(b.name, `body ${k + 1}`),
    massCenter: asVec3(b.mass_center),
    shapes: asList(b.shapes).map(asShape),
    position: asTrack(b.position, n, [0, 0, 0]),
    quaternion: asTrack(b.quaternion_wxyz, n, [1, 0, 0, 0]),
  }));
  const byName = new Map(bodies.map((b, k) => [b.name, k]));
  const find = (v: unknown): number => (v === undefined || v === 'ground' ? GROUND : byName.get(asText(v)) ?? UNKNOWN);
  const known = (...ids: number[]): boolean => ids.every((id) => id !== UNKNOWN);

  const g = asVec3(root.gravity);
  const size = Math.hypot(...g);
  const certificate = root.certificate;
  return {
    name: asText(root.name, 'run'), version: asText(root.version), description: asText(root.description),
    lengthUnit: asText(asObject(root.units).length, 'm'),
    up: size > 0 ? [-g[0] / size, -g[1] / size, -g[2] / size] : [0, 0, 1],
    time: times, bodies,
    groundShapes: asList(asObject(root.ground).shapes).map(asShape),
    joints: asList(root.joints).map((j, k): Joint => ({
      name: asText(j.name, `joint ${k + 1}`), type: asText(j.type, 'joint').toLowerCase(),
      bodyI: find(j.body_i), bodyJ: find(j.body_j), markerI: asFrame(j.marker_i), markerJ: asFrame(j.marker_j),
      outlineI: asPoints(j.outline_i), outlineJ: asPoints(j.outline_j),
    })).filter((j) => known(j.bodyI, j.bodyJ)),
    springs: asList(root.springs).map((s, k): Spring => ({
      name: asText(s.name, `spring ${k + 1}`), bodyI: find(s.body_i), bodyJ: find(s.body_j),
      pointI: asVec3(s.point_i), pointJ: asVec3(s.point_j),
    })).filter((s) => known(s.bodyI, s.bodyJ)),
    points: asList(root.points).map((p, k): TracePoint => ({
      name: asText(p.name, `point ${k + 1}`), body: find(p.body), position: asVec3(p.position),
    })).filter((p) => known(p.body)),
    signals: asList(root.signals).map((s, k): Signal => ({
      name: asText(s.name, `signal ${k + 1}`), unit: asText(s.unit), values: decodeFloats(s.values),
    })).filter((s) => s.values.length > 0),
    certificate: certificate !== null && typeof certificate === 'object' && Object.keys(certificate).length > 0 ? certificate : undefined,
  };
}

/** A place between two samples: row, and the fraction of the way to the next row. */
export interface Place { row: number; fraction: number }

export function locate(time: Float32Array, t: number): Place {
  const last = time.length - 1;
  if (last < 1 || !(t > time[0])) return { row: 0, fraction: 0 };
  if (t >= time[last]) return { row: last, fraction: 0 };
  let low = 0, high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle; else high = middle;
  }
  return { row: low, fraction: (t - time[low]) / (time[high] - time[low]) };
}

export interface Pose { position: Vec3; quaternion: Quat }
export const newPose = (): Pose => ({ position: [0, 0, 0], quaternion: [1, 0, 0, 0] });

/** Pose of a body between samples: straight line for the position, great circle for the orientation. */
export function samplePose(body: Body, { row, fraction }: Place, out: Pose): Pose {
  const p = body.position, q = body.quaternion;
  const i = 3 * row, j = fraction > 0 ? i + 3 : i;
  for (let k = 0; k < 3; ++k) out.position[k] = p[i + k] + fraction * (p[j + k] - p[i + k]);

  const a = 4 * row, b = fraction > 0 ? a + 4 : a;
  let cosine = q[a] * q[b] + q[a + 1] * q[b + 1] + q[a + 2] * q[b + 2] + q[a + 3] * q[b + 3];
  const sign = cosine < 0 ? -1 : 1; // q and -q are the same orientation: take the shorter way
  cosine = Math.min(1, cosine * sign);
  let wa = 1 - fraction, wb = fraction;
  if (cosine < 0.9999) {
    const angle = Math.acos(cosine), sine = Math.sin(angle);
    wa = Math.sin(wa * angle) / sine;
    wb = Math.sin(wb * angle) / sine;
  }
  let norm = 0;
  for (let k = 0; k < 4; ++k) {
    const value = wa * q[a + k] + sign * wb * q[b + k];
    out.quaternion[k] = value;
    norm += value * value;
  }
  norm = Math.sqrt(norm);
  if (norm > 0) for (let k = 0; k < 4; ++k) out.quaternion[k] /= norm;
  else out.quaternion = [1, 0, 0, 0];
  return out;
}

/** Value of a signal between samples; NaN outside of its data. */
export function sampleSignal(values: Float32Array, { row, fraction }: Place): number {
  const here = row < values.length ? values[row] : NaN;
  if (fraction === 0 || row + 1 >= values.length) return here;
  return here + fraction * (values[row + 1] - here);
}

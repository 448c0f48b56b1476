// SPDX-License-Identifier: Apache-2.0
// Reads the run embedded in the page. The reader is lenient: a missing or odd field
// must leave the rest of the run visible, so everything is given a usable default.
import { readCampbell, readModes, readResponses, type Campbell, type Modes, type Response } from './frequency';

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z as in the file

export interface Frame {
  position: Vec3;
  quaternion: Quat;
}
export interface Shape extends Frame {
  type: string;
  size?: Vec3;
  radius?: number;
  innerRadius?: number;
  topRadius?: number;
  length?: number;
  color: string;
}
export interface Marker extends Frame {
  name: string;
}
export interface Body {
  name: string;
  mass: number;
  massCenter: Vec3;
  inertia: number[]; // about the mass centre: xx, yy, zz, xy, xz, yz
  shapes: Shape[];
  markers: Marker[];
  carried: boolean; // an interface of a flexible body, drawn with this
  position: Float32Array;
  quaternion: Float32Array;
}
/** Two frames on two bodies. */
export interface Pair {
  name: string;
  type: string;
  bodyI: number;
  bodyJ: number;
  markerI: Frame;
  markerJ: Frame;
}
/** Force and torque on body j at marker j, ground axes; empty if not stored. */
export interface Joint extends Pair {
  outlineI: number[][];
  outlineJ: number[][];
  force: Float32Array;
  torque: Float32Array;
}
export interface Spring {
  name: string;
  bodyI: number;
  bodyJ: number;
  pointI: Vec3;
  pointJ: Vec3;
}
export interface TracePoint {
  name: string;
  body: number;
  position: Vec3;
}
/** Bushing, beam, torsion spring, motor, applied force ...: acts on body j at marker j. */
export interface Force extends Pair {
  axes: 'ground' | 'marker';
  turns: boolean;
}
/** A cross-section in its axes y and z. */
export interface Section {
  type: string;
  width: number;
  height: number;
  radius: number;
  thickness: number;
  flange: number;
}
/** A quantity along a beam: at each sample a row of columns for each station. */
export interface Along {
  name: string;
  unit: string;
  columns: string[];
  values: Float32Array;
}
/** A beam that bends: its nodes are bodies, which are not drawn themselves. */
export interface Beam {
  name: string;
  color: string;
  nodes: number[];
  s: number[]; // of the nodes, lengths along the beam
  sections: Section[]; // at the nodes
  stations: Float32Array;
  quantities: Along[];
}
/** What is drawn of a flexible body: points that shapes move, between them triangles or the lines of a rod. */
export interface Surface {
  body: number;
  count: number; // of shapes
  points: Float32Array;
  triangles: number[];
  lines: number[][];
  shapes: Float32Array; // one after the other, x y z of each point
  stresses: Float32Array; // the same, xx yy zz xy yz zx; or empty
  modal: Float32Array; // modal coordinates, a row for each sample
}
export interface Signal {
  name: string;
  unit: string;
  values: Float32Array;
  time?: Float32Array;
}

export interface Run {
  name: string;
  version: string;
  description: string;
  lengthUnit: string;
  up: Vec3;
  time: Float32Array;
  bodies: Body[];
  groundShapes: Shape[];
  groundMarkers: Marker[];
  joints: Joint[];
  springs: Spring[];
  forces: Force[];
  beams: Beam[];
  surfaces: Surface[];
  points: TracePoint[];
  signals: Signal[];
  modes: Modes;
  campbell: Campbell | null;
  responses: Response[];
  certificate: unknown;
}

/** Body number that stands for the ground. */
export const GROUND = -1;
const UNKNOWN = -2;

export type Json = Record<string, unknown>;
export const asObject = (v: unknown): Json =>
  v !== null && typeof v === 'object' && !Array.isArray(v) ? (v as Json) : {};
export const asList = (v: unknown): Json[] => (Array.isArray(v) ? v.map(asObject) : []);
export const asText = (v: unknown, fallback = ''): string =>
  typeof v === 'string' ? v : typeof v === 'number' ? String(v) : fallback;
export const asNumber = (v: unknown): number | undefined =>
  typeof v === 'number' && Number.isFinite(v) ? v : undefined;

function asVec3(v: unknown, fallback: Vec3 = [0, 0, 0]): Vec3 {
  return Array.isArray(v) && v.length >= 3 && v.slice(0, 3).every(Number.isFinite) ? [v[0], v[1], v[2]] : fallback;
}

/** Points [x, y] of a curve; what is not a point is left out. */
function asPoints(v: unknown): number[][] {
  return Array.isArray(v)
    ? v.filter((p) => Array.isArray(p) && p.length === 2 && p.every((x) => Number.isFinite(x)))
    : [];
}

function asQuat(v: unknown): Quat {
  if (!Array.isArray(v) || v.length < 4 || !v.slice(0, 4).every(Number.isFinite)) return [1, 0, 0, 0];
  const norm = Math.hypot(v[0], v[1], v[2], v[3]);
  return norm > 0 ? [v[0] / norm, v[1] / norm, v[2] / norm, v[3] / norm] : [1, 0, 0, 0];
}

const asFrame = (v: unknown): Frame => ({
  position: asVec3(asObject(v).position),
  quaternion: asQuat(asObject(v).quaternion_wxyz),
});

export function decodeBytes(text: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return new Uint8Array(0);
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * Numbers as base64 of little-endian Float32, or as a plain list. Text that starts with "d<width>:" holds the
 * differences of the numbers' bits to those one row before, first all lowest bytes, then the next ones: smooth motion
 * compresses well so.
 */
export function decodeFloats(value: unknown): Float32Array {
  if (Array.isArray(value)) return Float32Array.from(value, (x) => (typeof x === 'number' ? x : NaN));
  if (typeof value !== 'string' || value === '') return new Float32Array(0);
  const mark = /^d(\d+):/.exec(value);
  const bytes = decodeBytes(mark ? value.slice(mark[0].length) : value);
  const n = bytes.length >> 2;
  if (!mark) return new Float32Array(bytes.buffer, 0, n);
  const words = new Uint32Array(n);
  const width = Number(mark[1]);
  for (let i = 0; i < n; ++i) {
    const step = bytes[i] | (bytes[i + n] << 8) | (bytes[i + 2 * n] << 16) | (bytes[i + 3 * n] << 24);
    words[i] = step + (i >= width ? words[i - width] : 0);
  }
  return new Float32Array(words.buffer);
}

/** Makes a track of n rows. Short or non-finite data repeat the last good row, so nothing is drawn at NaN. */
function mend(given: Float32Array, n: number, rest: number[]): Float32Array {
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

const asTrack = (value: unknown, n: number, rest: number[]): Float32Array => mend(decodeFloats(value), n, rest);

const asMarkers = (v: unknown): Marker[] =>
  asList(v).map((m, k) => ({ ...asFrame(m), name: asText(m.name, `marker ${k + 1}`) }));

const asTexts = (v: unknown): string[] => (Array.isArray(v) ? v.map((x) => asText(x)) : []);

function asSection(v: Json): Section {
  const number = (key: string): number => Math.max(0, asNumber(v[key]) ?? 0);
  return {
    type: asText(v.type),
    width: number('width'),
    height: number('height'),
    radius: number('radius'),
    thickness: number('thickness'),
    flange: number('flange'),
  };
}

function asBeam(v: Json, k: number, n: number, find: (name: unknown) => number): Beam {
  const nodes = asTexts(v.nodes).map(find);
  const s = Array.from(decodeFloats(v.s));
  const given = asList(v.sections).map(asSection);
  const stations = decodeFloats(v.stations);
  return {
    name: asText(v.name, `beam ${k + 1}`),
    color: asColor(v.color),
    nodes,
    s: nodes.map((_, i) => s[i] ?? i),
    sections: nodes.map((_, i) => given[i] ?? given[0] ?? asSection({})),
    stations,
    quantities: asList(v.quantities)
      .map((q): Along => ({
        name: asText(q.name),
        unit: asText(q.unit),
        columns: asTexts(q.columns),
        values: decodeFloats(q.values),
      }))
      .filter((q) => q.columns.length > 0 && q.values.length === n * stations.length * q.columns.length),
  };
}

function asSurface(v: Json, n: number, find: (name: unknown) => number): Surface {
  const count = asNumber(v.count) ?? 0;
  const points = decodeFloats(v.points);
  const shapes = decodeFloats(v.shapes);
  const modal = decodeFloats(v.modal_coordinates);
  const stresses = decodeFloats(v.stresses);
  const good = (list: number[][], size: number): number[][] =>
    list.filter((item) => item.length === size && item.every((i) => i >= 0 && 3 * i < points.length));
  const lists = (list: unknown): number[][] =>
    Array.isArray(list) ? list.filter(Array.isArray).map((item: unknown[]) => item.map((x) => asNumber(x) ?? -1)) : [];
  return {
    body: find(v.body),
    count,
    points,
    triangles: good(lists(v.triangles), 3).flat(),
    lines: good(lists(v.lines), 2),
    shapes: shapes.length === count * points.length ? shapes : new Float32Array(count * points.length),
    stresses: stresses.length === 2 * count * points.length ? stresses : new Float32Array(0),
    modal: modal.length === n * count ? modal : new Float32Array(n * count),
  };
}

const asColor = (v: unknown): string => (/^#[0-9a-f]{6}$/i.test(asText(v)) ? asText(v) : '');

function asShape(v: Json): Shape {
  return {
    ...asFrame(v),
    type: asText(v.type).toLowerCase(),
    size: Array.isArray(v.size) ? asVec3(v.size, [0.1, 0.1, 0.1]) : undefined,
    radius: asNumber(v.radius),
    innerRadius: asNumber(v.inner_radius),
    topRadius: asNumber(v.top_radius),
    length: asNumber(v.length),
    color: asColor(v.color),
  };
}

export function readRun(data: unknown): Run {
  const root = asObject(data);
  const time = decodeFloats(root.time);
  const times = time.length > 0 ? time : new Float32Array(1);
  const n = times.length;

  const bodies = asList(root.bodies).map((b, k): Body => ({
    name: asText(b.name, `body ${k + 1}`),
    mass: asNumber(b.mass) ?? 0,
    massCenter: asVec3(b.mass_center),
    inertia: Array.isArray(b.inertia) && b.inertia.length === 6 && b.inertia.every(Number.isFinite) ? b.inertia : [],
    shapes: asList(b.shapes).map(asShape),
    markers: asMarkers(b.markers),
    carried: asText(b.interface_of) !== '',
    position: asTrack(b.position, n, [0, 0, 0]),
    quaternion: asTrack(b.quaternion_wxyz, n, [1, 0, 0, 0]),
  }));
  const byName = new Map(bodies.map((b, k) => [b.name, k]));
  const find = (v: unknown): number =>
    v === undefined || v === 'ground' ? GROUND : (byName.get(asText(v)) ?? UNKNOWN);
  const known = (...ids: number[]): boolean => ids.every((id) => id !== UNKNOWN);
  const asPair = (v: Json, fallback: string): Pair => ({
    name: asText(v.name, fallback),
    type: asText(v.type, 'joint').toLowerCase(),
    bodyI: find(v.body_i),
    bodyJ: find(v.body_j),
    markerI: asFrame(v.marker_i),
    markerJ: asFrame(v.marker_j),
  });
  const loads = (v: unknown): Float32Array => (v === undefined ? new Float32Array(0) : asTrack(v, n, [0, 0, 0]));

  // Signals may be stored at more times than the motion.
  const signalTime = root.signal_time === undefined ? undefined : decodeFloats(root.signal_time);
  const g = asVec3(root.gravity);
  const size = Math.hypot(...g);
  const certificate = root.certificate;
  return {
    name: asText(root.name, 'run'),
    version: asText(root.version),
    description: asText(root.description),
    lengthUnit: asText(asObject(root.units).length, 'm'),
    up: size > 0 ? [-g[0] / size, -g[1] / size, -g[2] / size] : [0, 0, 1],
    time: times,
    bodies,
    groundShapes: asList(asObject(root.ground).shapes).map(asShape),
    groundMarkers: asMarkers(asObject(root.ground).markers),
    joints: asList(root.joints)
      .map((j, k): Joint => ({
        ...asPair(j, `joint ${k + 1}`),
        outlineI: asPoints(j.outline_i),
        outlineJ: asPoints(j.outline_j),
        force: loads(j.force),
        torque: loads(j.torque),
      }))
      .filter((j) => known(j.bodyI, j.bodyJ)),
    forces: asList(root.forces)
      .map((f, k): Force => ({
        ...asPair(f, `force ${k + 1}`),
        axes: f.axes === 'marker' ? 'marker' : 'ground',
        turns: f.turns === true,
      }))
      .filter((f) => known(f.bodyI, f.bodyJ)),
    beams: asList(root.beams)
      .map((b, k) => asBeam(b, k, n, (name) => byName.get(asText(name)) ?? UNKNOWN))
      .filter((b) => b.nodes.length > 1 && known(...b.nodes)),
    surfaces: asList(root.surfaces)
      .map((v) => asSurface(v, n, (name) => byName.get(asText(name)) ?? UNKNOWN))
      .filter((v) => v.count > 0 && v.points.length > 0 && known(v.body)),
    springs: asList(root.springs)
      .map((s, k): Spring => ({
        name: asText(s.name, `spring ${k + 1}`),
        bodyI: find(s.body_i),
        bodyJ: find(s.body_j),
        pointI: asVec3(s.point_i),
        pointJ: asVec3(s.point_j),
      }))
      .filter((s) => known(s.bodyI, s.bodyJ)),
    points: asList(root.points)
      .map((p, k): TracePoint => ({
        name: asText(p.name, `point ${k + 1}`),
        body: find(p.body),
        position: asVec3(p.position),
      }))
      .filter((p) => known(p.body)),
    signals: asList(root.signals)
      .map((s, k): Signal => ({
        name: asText(s.name, `signal ${k + 1}`),
        unit: asText(s.unit),
        values: decodeFloats(s.values),
        time: signalTime,
      }))
      .filter((s) => s.values.length > 0),
    modes: readModes(root.modes, bodies.length),
    campbell: readCampbell(root.campbell),
    responses: readResponses(root.responses),
    certificate:
      certificate !== null && typeof certificate === 'object' && Object.keys(certificate).length > 0
        ? certificate
        : undefined,
  };
}

/** A place between two samples: row, and the fraction of the way to the next row. */
export interface Place {
  row: number;
  fraction: number;
}

export function locate(time: Float32Array, t: number): Place {
  const last = time.length - 1;
  if (last < 1 || !(t > time[0])) return { row: 0, fraction: 0 };
  if (t >= time[last]) return { row: last, fraction: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle;
  }
  return { row: low, fraction: (t - time[low]) / (time[high] - time[low]) };
}

export interface Pose {
  position: Vec3;
  quaternion: Quat;
}
export const newPose = (): Pose => ({ position: [0, 0, 0], quaternion: [1, 0, 0, 0] });

/** Pose of a body between samples: straight line for the position, great circle for the orientation. */
export function samplePose(body: Body, { row, fraction }: Place, out: Pose): Pose {
  const p = body.position;
  const q = body.quaternion;
  const i = 3 * row;
  const j = fraction > 0 ? i + 3 : i;
  for (let k = 0; k < 3; ++k) out.position[k] = p[i + k] + fraction * (p[j + k] - p[i + k]);

  const a = 4 * row;
  const b = fraction > 0 ? a + 4 : a;
  let cosine = q[a] * q[b] + q[a + 1] * q[b + 1] + q[a + 2] * q[b + 2] + q[a + 3] * q[b + 3];
  const sign = cosine < 0 ? -1 : 1; // q and -q are the same orientation: take the shorter way
  cosine = Math.min(1, cosine * sign);
  let wa = 1 - fraction;
  let wb = fraction;
  if (cosine < 0.9999) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
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

// SPDX-License-Identifier: Apache-2.0
// Beams drawn as they bend: sections swept along a line that moves.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  Mesh,
  Quaternion,
  ShapeUtils,
  Vector2,
  Vector3,
  type MeshStandardMaterial,
} from 'three';
import type { Section } from './data';

/** A mesh whose corners move. */
class SoftMesh {
  readonly mesh: Mesh;
  protected readonly positions: Float32Array;
  protected readonly normals: Float32Array;
  protected readonly colors: Float32Array;
  private readonly geometry = new BufferGeometry();

  constructor(corners: number, index: number[], material: MeshStandardMaterial) {
    this.positions = new Float32Array(3 * corners);
    this.normals = new Float32Array(3 * corners);
    this.colors = new Float32Array(3 * corners).fill(1);
    for (const [name, array] of [
      ['position', this.positions],
      ['normal', this.normals],
      ['color', this.colors],
    ] as const) {
      this.geometry.setAttribute(name, new BufferAttribute(array, 3));
    }
    this.geometry.setIndex(index);
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
  }

  protected moved(): void {
    for (const name of ['position', 'normal', 'color'])
      (this.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    this.geometry.boundingSphere = null;
  }
}

// ---- a tube through points ------------------------------------------------------------------------------------------

const AROUND = 10;
const ENDS = 1; // rings of no radius that close the tube

function tubeIndex(rings: number): number[] {
  const index: number[] = [];
  for (let i = 0; i + 1 < rings; ++i)
    for (let k = 0; k < AROUND; ++k) {
      const v = i * (AROUND + 1) + k;
      index.push(v, v + 1, v + AROUND + 1, v + 1, v + AROUND + 2, v + AROUND + 1);
    }
  return index;
}

export class BendingTube extends SoftMesh {
  constructor(
    private readonly count: number,
    private readonly radius: number,
    material: MeshStandardMaterial,
  ) {
    super((count + 2 * ENDS) * (AROUND + 1), tubeIndex(count + 2 * ENDS), material);
  }

  /** Nodes as x y z after each other, perhaps with a colour each. */
  bend(nodes: ArrayLike<number>, colorOf?: (node: number, out: Color) => Color): void {
    const color = new Color();
    const t = new Vector3();
    const u = new Vector3(1, 0, 0);
    const w = new Vector3();
    for (let ring = 0; ring < this.count + 2 * ENDS; ++ring) {
      const i = Math.min(this.count - 1, Math.max(0, ring - ENDS));
      const end = i !== ring - ENDS;
      const r = end ? 0 : this.radius;
      const a = 3 * Math.max(0, i - 1);
      const b = 3 * Math.min(this.count - 1, i + 1);
      t.set(nodes[b] - nodes[a], nodes[b + 1] - nodes[a + 1], nodes[b + 2] - nodes[a + 2]).normalize();
      // The frame of the ring is carried along, so that the tube does not twist.
      u.addScaledVector(t, -u.dot(t));
      if (u.lengthSq() < 1e-6)
        u.set(Math.abs(t.x) < 0.9 ? 1 : 0, Math.abs(t.x) < 0.9 ? 0 : 1, 0).addScaledVector(
          t,
          -(Math.abs(t.x) < 0.9 ? t.x : t.y),
        );
      u.normalize();
      w.crossVectors(t, u);
      colorOf?.(i, color);
      for (let k = 0; k <= AROUND; ++k) {
        const at = 3 * (ring * (AROUND + 1) + k);
        if (colorOf) color.toArray(this.colors, at);
        const c = Math.cos((2 * Math.PI * k) / AROUND);
        const s = Math.sin((2 * Math.PI * k) / AROUND);
        for (let j = 0; j < 3; ++j) {
          const n = c * u.getComponent(j) + s * w.getComponent(j);
          this.normals[at + j] = end ? (ring === 0 ? -1 : 1) * t.getComponent(j) : n;
          this.positions[at + j] = nodes[3 * i + j] + r * n;
        }
      }
    }
    this.moved();
  }
}

/** Points of the cubic with these ends and directions, as a slender beam takes it; `out` is filled. */
export function cubic(a: Vector3, ta: Vector3, b: Vector3, tb: Vector3, out: Float32Array): void {
  const n = out.length / 3;
  for (let i = 0; i < n; ++i) hermite(a, ta, b, tb, i / (n - 1), point).toArray(out, 3 * i);
}

const point = new Vector3();

/** The point at x from 0 to 1. */
function hermite(a: Vector3, ta: Vector3, b: Vector3, tb: Vector3, x: number, out: Vector3): Vector3 {
  const l = a.distanceTo(b);
  const x2 = x * x;
  const x3 = x2 * x;
  return out
    .set(0, 0, 0)
    .addScaledVector(a, 2 * x3 - 3 * x2 + 1)
    .addScaledVector(ta, l * (x3 - 2 * x2 + x))
    .addScaledVector(b, 3 * x2 - 2 * x3)
    .addScaledVector(tb, l * (x3 - x2));
}

// ---- a section along its nodes --------------------------------------------------------------------------------------

type Loop = [number, number][];
interface Outline {
  loops: Loop[]; // the first goes round the section, others round holes, the other way
  smooth: boolean; // round, without edges
}

const AROUND_SECTION = 24;

function circle(r: number, turn: number): Loop {
  return Array.from({ length: AROUND_SECTION }, (_, k) => {
    const angle = (turn * 2 * Math.PI * k) / AROUND_SECTION;
    return [r * Math.cos(angle), r * Math.sin(angle)];
  });
}

function rectangle(y: number, z: number): Loop {
  return [
    [y, z],
    [-y, z],
    [-y, -z],
    [y, -z],
  ];
}

function outlineOf({ type, width, height, radius, thickness, flange }: Section): Outline {
  const y = width / 2;
  const z = height / 2;
  if (type === 'tube') return { loops: [circle(radius, 1), circle(radius - thickness, -1)], smooth: true };
  if (type === 'box')
    return { loops: [rectangle(y, z), rectangle(y - thickness, z - thickness).reverse()], smooth: false };
  if (type === 'I') {
    const w = thickness / 2;
    const f = z - flange;
    const half: Loop = [
      [y, z],
      [-y, z],
      [-y, f],
      [-w, f],
      [-w, -f],
      [-y, -f],
    ];
    return { loops: [[...half, ...half.map(([a, b]): [number, number] => [-a, -b])]], smooth: false };
  }
  if (type === 'rectangle') return { loops: [rectangle(y, z)], smooth: false };
  return { loops: [circle(radius, 1)], smooth: true };
}

/** Corners of the sides with their normals, each edge with two of its own where there are edges. */
function sidesOf({ loops, smooth }: Outline): { corners: number[][]; edges: [number, number][] } {
  const corners: number[][] = []; // y, z and the normal
  const edges: [number, number][] = [];
  loops.forEach((loop, k) => {
    const first = corners.length;
    loop.forEach(([y, z], i) => {
      const [y2, z2] = loop[(i + 1) % loop.length];
      if (smooth) {
        const r = (k === 0 ? 1 : -1) * Math.hypot(y, z) || 1;
        corners.push([y, z, y / r, z / r]);
        edges.push([first + i, first + ((i + 1) % loop.length)]);
      } else {
        const l = Math.hypot(y2 - y, z2 - z) || 1;
        const n = [(z2 - z) / l, -(y2 - y) / l];
        edges.push([corners.length, corners.length + 1]);
        corners.push([y, z, ...n], [y2, z2, ...n]);
      }
    });
  });
  return { corners, edges };
}

/** The value at a corner is a + y b + z c with y and z from −1 to 1 across the section. */
export interface Paint {
  row(ring: number, out: number[]): void;
  color(value: number, out: Color): Color;
}

/** Where a ring is between two nodes. */
interface Ring {
  node: number;
  x: number;
  s: number;
}

const MOST_RINGS = 400;

export class SweptBeam extends SoftMesh {
  readonly rings: Ring[];
  private readonly sides: number; // corners of a ring
  private readonly cap: number; // corners of a cap
  private readonly local: Float32Array; // y, z, normal, and y, z from −1 to 1; of the rings, then of both caps

  constructor(
    s: ArrayLike<number>,
    sections: Section[],
    private readonly base: Color,
    material: MeshStandardMaterial,
  ) {
    const parts = Math.max(1, Math.min(6, Math.floor(MOST_RINGS / s.length)));
    const rings: Ring[] = [];
    for (let node = 0; node + 1 < s.length; ++node)
      for (let part = 0; part < parts; ++part) rings.push({ node, x: part / parts, s: 0 });
    rings.push({ node: s.length - 2, x: 1, s: 0 });
    for (const ring of rings) ring.s = s[ring.node] + ring.x * (s[ring.node + 1] - s[ring.node]);

    const between = ({ node, x }: Ring): Section => {
      const [a, b] = [sections[node], sections[node + 1]];
      const mix = (key: 'width' | 'height' | 'radius' | 'thickness' | 'flange'): number =>
        a[key] + x * (b[key] - a[key]);
      return {
        type: a.type,
        width: mix('width'),
        height: mix('height'),
        radius: mix('radius'),
        thickness: mix('thickness'),
        flange: mix('flange'),
      };
    };
    const outlines = rings.map((ring) => outlineOf(between(ring)));
    const sides = outlines.map(sidesOf);
    const flat = [outlines[0], outlines[outlines.length - 1]].map((o) => o.loops.flat());
    const [outer, ...holes] = outlines[0].loops.map((loop) => loop.map(([y, z]) => new Vector2(y, z)));
    const faces = ShapeUtils.triangulateShape(outer, holes);

    const count = sides[0].corners.length;
    const index: number[] = [];
    for (let i = 0; i + 1 < rings.length; ++i)
      for (const [a, b] of sides[0].edges) {
        const [p, q] = [i * count + a, i * count + b];
        index.push(p, q, p + count, q, q + count, p + count);
      }
    const first = rings.length * count;
    for (const [a, b, c] of faces) {
      index.push(first + a, first + c, first + b); // x of the section points into the beam at its start
      const last = first + flat[0].length;
      index.push(last + a, last + b, last + c);
    }
    super(first + 2 * flat[0].length, index, material);
    this.rings = rings;
    this.sides = count;
    this.cap = flat[0].length;

    const local: number[] = [];
    const add = (corners: number[][]): void => {
      const far = (k: number): number => Math.max(...corners.map((c) => Math.abs(c[k]))) || 1;
      const [y, z] = [far(0), far(1)];
      for (const c of corners) local.push(c[0], c[1], c[2], c[3], c[0] / y, c[1] / z);
    };
    for (const { corners } of sides) add(corners);
    for (const loop of flat) add(loop.map(([y, z]) => [y, z, 0, 0]));
    this.local = Float32Array.from(local);
  }

  /** `pose` gives place and axes of a node; without paint the beam has its own colour. */
  bend(pose: (node: number) => { position: Vector3; quaternion: Quaternion }, paint: Paint | null): void {
    const [p, tangentA, tangentB, y, z, x] = [0, 1, 2, 3, 4, 5].map(() => new Vector3());
    const q = new Quaternion();
    const values = [0, 0, 0];
    const last = this.rings.length - 1;
    this.rings.forEach(({ node, x: share }, i) => {
      const a = pose(node);
      const b = pose(node + 1);
      hermite(
        a.position,
        tangentA.set(1, 0, 0).applyQuaternion(a.quaternion),
        b.position,
        tangentB.set(1, 0, 0).applyQuaternion(b.quaternion),
        share,
        p,
      );
      q.slerpQuaternions(a.quaternion, b.quaternion, share);
      x.set(1, 0, 0).applyQuaternion(q);
      y.set(0, 1, 0).applyQuaternion(q);
      z.set(0, 0, 1).applyQuaternion(q);
      paint?.row(i, values);
      const place = (corner: number, normal: Vector3 | null): void =>
        this.place(corner, p, y, z, normal, values, paint);
      for (let k = 0; k < this.sides; ++k) place(i * this.sides + k, null);
      const caps = (last + 1) * this.sides;
      if (i === last) for (let k = 0; k < this.cap; ++k) place(caps + this.cap + k, x);
      x.negate();
      if (i === 0) for (let k = 0; k < this.cap; ++k) place(caps + k, x);
    });
    this.moved();
  }

  private readonly shade = new Color();

  private place(
    corner: number,
    p: Vector3,
    y: Vector3,
    z: Vector3,
    normal: Vector3 | null,
    values: number[],
    paint: Paint | null,
  ): void {
    const at = 3 * corner;
    const own = 6 * corner;
    const { local } = this;
    const [v, w, nv, nw] = [local[own], local[own + 1], local[own + 2], local[own + 3]];
    this.positions[at] = p.x + v * y.x + w * z.x;
    this.positions[at + 1] = p.y + v * y.y + w * z.y;
    this.positions[at + 2] = p.z + v * y.z + w * z.z;
    this.normals[at] = normal ? normal.x : nv * y.x + nw * z.x;
    this.normals[at + 1] = normal ? normal.y : nv * y.y + nw * z.y;
    this.normals[at + 2] = normal ? normal.z : nv * y.z + nw * z.z;
    const color = paint
      ? paint.color(values[0] + local[own + 4] * values[1] + local[own + 5] * values[2], this.shade)
      : this.base;
    color.toArray(this.colors, at);
  }
}

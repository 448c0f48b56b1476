// SPDX-License-Identifier: Apache-2.0
// Bodies that deform in shapes: their surface, or the line of a rod, moved by the modal coordinates of the run.
import { BufferAttribute, BufferGeometry, Color, Mesh, type MeshStandardMaterial, type Object3D } from 'three';
import { BendingTube } from './beams';
import type { Place, Run, Surface } from './data';

export const DISPLACEMENT = 'displacement';
export const SURFACE_STRESS = 'von Mises stress of surfaces';

const MOST_ROWS = 60; // that are looked at for the largest value

/** Modal coordinates between two samples. */
function coordinates(surface: Surface, { row, fraction }: Place, out: Float32Array): Float32Array {
  const r = surface.count;
  const last = surface.modal.length / r - 1;
  const a = r * Math.min(row, last);
  const b = r * Math.min(row + 1, last);
  for (let k = 0; k < r; ++k) out[k] = (1 - fraction) * surface.modal[a + k] + fraction * surface.modal[b + k];
  return out;
}

/** sum = given + Σ η_k shape_k; a shape has as many numbers as the sum. */
function superpose(given: Float32Array | null, shapes: Float32Array, eta: Float32Array, sum: Float32Array): void {
  if (given) sum.set(given);
  else sum.fill(0);
  const n = sum.length;
  eta.forEach((factor, k) => {
    if (factor !== 0) for (let i = 0, at = k * n; i < n; ++i, ++at) sum[i] += factor * shapes[at];
  });
}

/** σ² = ½ ((xx − yy)² + (yy − zz)² + (zz − xx)²) + 3 (xy² + yz² + zx²) */
function vonMises(s: Float32Array, at: number): number {
  const [x, y, z] = [s[at], s[at + 1], s[at + 2]];
  const shear = s[at + 3] ** 2 + s[at + 4] ** 2 + s[at + 5] ** 2;
  return Math.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3 * shear);
}

/** A number for each point: how far it has moved, or its stress. */
export class SurfaceValues {
  private readonly eta: Float32Array;
  private readonly sum: Float32Array;
  private readonly values: Float32Array;

  constructor(
    private readonly surface: Surface,
    private readonly name: string,
  ) {
    this.eta = new Float32Array(surface.count);
    this.values = new Float32Array(surface.points.length / 3);
    this.sum = new Float32Array((name === SURFACE_STRESS ? 6 : 3) * this.values.length);
  }

  get known(): boolean {
    return this.name === DISPLACEMENT || (this.name === SURFACE_STRESS && this.surface.stresses.length > 0);
  }

  at(place: Place): Float32Array {
    const { surface, sum, values } = this;
    const stress = this.name === SURFACE_STRESS;
    superpose(null, stress ? surface.stresses : surface.shapes, coordinates(surface, place, this.eta), sum);
    for (let i = 0; i < values.length; ++i)
      values[i] = stress ? vonMises(sum, 6 * i) : Math.hypot(sum[3 * i], sum[3 * i + 1], sum[3 * i + 2]);
    return values;
  }
}

/** The largest value of the run, of all surfaces. */
export function largestOn(run: Run, name: string): number {
  let most = 0;
  for (const surface of run.surfaces) {
    const values = new SurfaceValues(surface, name);
    if (!values.known) continue;
    const rows = run.time.length;
    const step = Math.max(1, Math.floor(rows / MOST_ROWS));
    for (let row = 0; row < rows; row += step)
      for (const value of values.at({ row, fraction: 0 })) most = Math.max(most, value);
  }
  return most;
}

/** Chains of lines that follow each other: lists of points. */
function chains(lines: number[][]): number[][] {
  const all: number[][] = [];
  for (const [a, b] of lines) {
    const last = all[all.length - 1];
    if (last && last[last.length - 1] === a) last.push(b);
    else all.push([a, b]);
  }
  return all;
}

type Coloring = { values: SurfaceValues; color: (value: number, out: Color) => Color };

/** In the axes of its body. */
export class SurfaceMesh {
  readonly object: Object3D;
  private readonly geometry = new BufferGeometry();
  private readonly tubes: { tube: BendingTube; chain: number[]; nodes: Float32Array }[] = [];
  private readonly moved: Float32Array;
  private readonly eta: Float32Array;
  private readonly colors: Float32Array;
  private readonly scratch = new Color();
  coloring: Coloring | null = null;

  constructor(
    private readonly surface: Surface,
    radius: number,
    private readonly own: Color,
    material: MeshStandardMaterial,
  ) {
    this.moved = surface.points.slice();
    this.eta = new Float32Array(surface.count);
    this.colors = new Float32Array(surface.points.length);
    this.geometry.setAttribute('position', new BufferAttribute(this.moved, 3));
    this.geometry.setAttribute('color', new BufferAttribute(this.colors, 3));
    this.geometry.setIndex(surface.triangles);
    const mesh = new Mesh(this.geometry, material);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = true;
    this.object = mesh;
    for (const chain of chains(surface.lines)) {
      const tube = new BendingTube(chain.length, radius, material);
      this.tubes.push({ tube, chain, nodes: new Float32Array(3 * chain.length) });
      mesh.add(tube.mesh);
    }
  }

  /** `place` null: undeformed. */
  deform(place: Place | null): void {
    const { surface, eta } = this;
    if (place) coordinates(surface, place, eta);
    else eta.fill(0);
    superpose(surface.points, surface.shapes, eta, this.moved);
    const values = place && this.coloring ? this.coloring.values.at(place) : null;
    for (let i = 0; i < this.colors.length / 3; ++i) {
      const color = values ? this.coloring!.color(values[i], this.scratch) : this.own;
      color.toArray(this.colors, 3 * i);
    }
    for (const { tube, chain, nodes } of this.tubes) {
      chain.forEach((point, i) => nodes.set(this.moved.subarray(3 * point, 3 * point + 3), 3 * i));
      tube.bend(nodes, (node, out) => out.fromArray(this.colors, 3 * chain[node]));
    }
    if (surface.triangles.length === 0) return;
    for (const name of ['position', 'color']) (this.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    this.geometry.computeVertexNormals();
    this.geometry.boundingSphere = null;
  }
}

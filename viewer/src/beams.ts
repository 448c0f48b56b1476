// SPDX-License-Identifier: Apache-2.0
// Beams drawn as they bend: a tube through nodes that move, coloured by a value at the nodes.
import { BufferAttribute, BufferGeometry, Color, Mesh, MeshStandardMaterial, Vector3 } from 'three';
import { heat } from './palette';

const AROUND = 10;
const ENDS = 1; // rings of no radius that close the tube

export class BendingTube {
  readonly mesh: Mesh;
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly colors: Float32Array;
  private readonly geometry = new BufferGeometry();

  constructor(
    private readonly count: number,
    private readonly radius: number,
    material: MeshStandardMaterial,
  ) {
    const rings = count + 2 * ENDS;
    const vertices = rings * (AROUND + 1);
    const index: number[] = [];
    this.positions = new Float32Array(3 * vertices);
    this.normals = new Float32Array(3 * vertices);
    this.colors = new Float32Array(3 * vertices).fill(1);
    for (let i = 0; i + 1 < rings; ++i) {
      for (let k = 0; k < AROUND; ++k) {
        const v = i * (AROUND + 1) + k;
        index.push(v, v + 1, v + AROUND + 1, v + 1, v + AROUND + 2, v + AROUND + 1);
      }
    }
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

  /** Nodes as x y z after each other, and the colour of each from 0 to 1; no colours leave that of the material. */
  bend(nodes: ArrayLike<number>, shares: ArrayLike<number> | null): void {
    const t = new Vector3();
    const u = new Vector3(1, 0, 0);
    const w = new Vector3();
    const color = new Color();
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
      if (shares) heat(shares[i], color);
      for (let k = 0; k <= AROUND; ++k) {
        const at = 3 * (ring * (AROUND + 1) + k);
        const c = Math.cos((2 * Math.PI * k) / AROUND);
        const s = Math.sin((2 * Math.PI * k) / AROUND);
        for (let j = 0; j < 3; ++j) {
          const n = c * u.getComponent(j) + s * w.getComponent(j);
          this.normals[at + j] = end ? (ring === 0 ? -1 : 1) * t.getComponent(j) : n;
          this.positions[at + j] = nodes[3 * i + j] + r * n;
        }
        if (shares) color.toArray(this.colors, at);
      }
    }
    for (const name of ['position', 'normal', 'color'])
      (this.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    this.geometry.boundingSphere = null;
  }
}

/** Points of the cubic with these ends and directions, as a slender beam takes it; `out` is filled. */
export function cubic(a: Vector3, ta: Vector3, b: Vector3, tb: Vector3, out: Float32Array): void {
  const n = out.length / 3;
  const l = a.distanceTo(b);
  for (let i = 0; i < n; ++i) {
    const s = i / (n - 1);
    const s2 = s * s;
    const s3 = s2 * s;
    const f = [2 * s3 - 3 * s2 + 1, l * (s3 - 2 * s2 + s), 3 * s2 - 2 * s3, l * (s3 - s2)];
    for (let j = 0; j < 3; ++j)
      out[3 * i + j] =
        f[0] * a.getComponent(j) + f[1] * ta.getComponent(j) + f[2] * b.getComponent(j) + f[3] * tb.getComponent(j);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Springs as coils that stretch without thickening their wire.
import { BufferAttribute, BufferGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { cylinder, sphere } from './shapes';

const TURNS = 8;
const STEPS = TURNS * 14;
const AROUND = 6;
const END = 0.09; // share of the length taken by the straight piece at each end
const Z = new Vector3(0, 0, 1);

export class Coil extends Group {
  private readonly geometry = new BufferGeometry();
  /** Height of a vertex is offset + share * length; only this changes when the spring stretches. */
  private readonly offset: Float32Array;
  private readonly share: Float32Array;
  private readonly stubs: Mesh[] = [];
  private readonly balls: Mesh[] = [];
  private drawnLength = -1;

  constructor(radius: number, material: MeshStandardMaterial) {
    super();
    const wire = 0.16 * radius;
    const count = (STEPS + 1) * (AROUND + 1);
    const positions = new Float32Array(3 * count);
    const normals = new Float32Array(3 * count);
    this.offset = new Float32Array(count);
    this.share = new Float32Array(count);
    const index: number[] = [];
    for (let i = 0, v = 0; i <= STEPS; ++i) {
      const s = i / STEPS;
      const angle = 2 * Math.PI * TURNS * s;
      // The first and the last half turn run in from the axis.
      const r = radius * Math.min(1, Math.min(s, 1 - s) * 2 * TURNS);
      const c = Math.cos(angle);
      const d = Math.sin(angle);
      for (let k = 0; k <= AROUND; ++k, ++v) {
        const phi = (2 * Math.PI * k) / AROUND;
        const out = Math.cos(phi);
        const rise = Math.sin(phi);
        positions.set([(r + wire * out) * c, (r + wire * out) * d, 0], 3 * v);
        normals.set([out * c, out * d, rise], 3 * v);
        this.offset[v] = wire * rise;
        this.share[v] = END + s * (1 - 2 * END);
        if (i < STEPS && k < AROUND) index.push(v, v + AROUND + 1, v + 1, v + 1, v + AROUND + 1, v + AROUND + 2);
      }
    }
    this.geometry.setAttribute('position', new BufferAttribute(positions, 3));
    this.geometry.setAttribute('normal', new BufferAttribute(normals, 3));
    this.geometry.setIndex(index);
    const mesh = new Mesh(this.geometry, material);
    mesh.frustumCulled = false; // its bounds change with every frame
    mesh.castShadow = mesh.receiveShadow = true;
    this.add(mesh);
    for (let k = 0; k < 2; ++k) {
      this.stubs.push(new Mesh(cylinder(wire, 1), material));
      this.balls.push(new Mesh(sphere(2.2 * wire), material));
    }
    this.add(...this.stubs, ...this.balls);
    for (const child of this.children) child.castShadow = true;
  }

  /** Puts the spring between two points of space. */
  span(a: Vector3, b: Vector3): void {
    const along = b.clone().sub(a);
    const length = along.length();
    this.position.copy(a);
    this.scale.setScalar(length > 0 ? 1 : 1e-6);
    if (length > 0) this.quaternion.copy(new Quaternion().setFromUnitVectors(Z, along.divideScalar(length)));
    if (Math.abs(length - this.drawnLength) <= 1e-6 * length) return;
    this.drawnLength = length;
    const positions = this.geometry.getAttribute('position') as BufferAttribute;
    const array = positions.array as Float32Array;
    for (let v = 0; v < this.share.length; ++v) array[3 * v + 2] = this.offset[v] + this.share[v] * length;
    positions.needsUpdate = true;
    this.geometry.boundingSphere = null; // picking computes it anew
    this.stubs.forEach((stub, k) => {
      stub.scale.set(1, 1, END * length);
      stub.position.z = (k === 0 ? END / 2 : 1 - END / 2) * length;
    });
    this.balls[1].position.z = length;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Many small parts as one mesh whose corners are moved here. A processor that draws spends more on each instance of a
// mesh than on the few corners of it.
import { BufferAttribute, BufferGeometry, Mesh, type Color, type Matrix4, type MeshStandardMaterial } from 'three';
import { setPlain } from './plain';

const CORNERS = 8;
// Corner k lies at the upper end of x, y, z where bit 0, 1, 2 of k is set.
const FACES = [
  0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
];

/**
 * Boxes with corners that are shaded as those of a ball: at a few pixels they look as round as rods and as flat as
 * plates.
 */
export class Crowd {
  readonly mesh: Mesh;
  private readonly places: Float32Array;
  private readonly normals: Float32Array;
  private readonly colors: Float32Array;
  private count = 0;

  constructor(most: number, material: MeshStandardMaterial) {
    this.places = new Float32Array(3 * CORNERS * most);
    this.normals = new Float32Array(3 * CORNERS * most);
    this.colors = new Float32Array(3 * CORNERS * most);
    const geometry = new BufferGeometry();
    const index = new Uint32Array(FACES.length * most);
    for (let k = 0; k < index.length; ++k) index[k] = CORNERS * Math.floor(k / FACES.length) + FACES[k % FACES.length];
    for (const [name, array] of [
      ['position', this.places],
      ['normal', this.normals],
      ['color', this.colors],
    ] as const)
      geometry.setAttribute(name, new BufferAttribute(array, 3));
    geometry.setIndex(new BufferAttribute(index, 1));
    const own = material.clone();
    own.vertexColors = true;
    this.mesh = new Mesh(geometry, own);
    this.mesh.frustumCulled = false;
    setPlain(this.mesh, true);
  }

  begin(): void {
    this.count = 0;
  }

  /** The box of these half sizes about the middle, both in the frame of `matrix`. */
  add({ elements: m }: Matrix4, middle: ArrayLike<number>, half: ArrayLike<number>, color: Color): void {
    let at = 3 * CORNERS * this.count++;
    const size = [0, 1, 2].map((c) => Math.hypot(m[4 * c], m[4 * c + 1], m[4 * c + 2]) || 1);
    for (let corner = 0; corner < CORNERS; ++corner, at += 3) {
      for (let row = 0; row < 3; ++row) {
        let place = m[12 + row];
        let normal = 0;
        for (let c = 0; c < 3; ++c) {
          const sign = ((corner >> c) & 1) * 2 - 1;
          place += m[4 * c + row] * (middle[c] + sign * half[c]);
          normal += (sign * m[4 * c + row]) / size[c];
        }
        this.places[at + row] = place;
        this.normals[at + row] = normal;
      }
      this.colors[at] = color.r;
      this.colors[at + 1] = color.g;
      this.colors[at + 2] = color.b;
    }
  }

  end(): void {
    const { geometry } = this.mesh;
    geometry.setDrawRange(0, FACES.length * this.count);
    for (const name of ['position', 'normal', 'color'])
      (geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
    this.mesh.visible = this.count > 0;
  }
}

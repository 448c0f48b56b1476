// SPDX-License-Identifier: Apache-2.0
// Paths of marked points: the whole path faintly, the part already travelled strongly.
import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshStandardMaterial,
  Vector3,
} from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { sphere } from './shapes';
import type { Place } from './data';

const MOST_POINTS = 2000;

export class Trace {
  readonly paths = new Group();
  readonly dot: Mesh;
  shown = true; // whether the user wants it
  private readonly travelled = new LineGeometry();
  private readonly step: number;
  private readonly segments: number;
  private readonly wide = new Group(); // lines of several pixels are costly without a graphics card
  private readonly thin: Line[];

  constructor(
    rows: number,
    pointAt: (row: number, out: Vector3) => void,
    color: string,
    dotRadius: number,
    material: MeshStandardMaterial,
  ) {
    this.step = Math.max(1, Math.ceil(rows / MOST_POINTS));
    const path: number[] = [];
    const p = new Vector3();
    for (let row = 0; row < rows; row += this.step) {
      pointAt(row, p);
      path.push(p.x, p.y, p.z);
    }
    if (path.length === 3) path.push(...path);
    this.segments = path.length / 3 - 1;

    const whole = new LineGeometry();
    whole.setPositions(path);
    this.travelled.setPositions(path);
    const faint = new LineMaterial({ color, linewidth: 1.2, transparent: true, opacity: 0.28, depthWrite: false });
    const strong = new LineMaterial({ color, linewidth: 2.4 });
    this.wide.add(new Line2(whole, faint), new Line2(this.travelled, strong));
    const points = (): BufferGeometry =>
      new BufferGeometry().setAttribute('position', new Float32BufferAttribute(path, 3));
    this.thin = [
      new Line(points(), new LineBasicMaterial({ color, transparent: true, opacity: 0.4, depthWrite: false })),
      new Line(points(), new LineBasicMaterial({ color })),
    ];
    this.paths.add(this.wide, ...this.thin);
    for (const line of [...this.wide.children, ...this.thin]) line.frustumCulled = false;
    this.setFine(true);
    this.dot = new Mesh(sphere(dotRadius), material);
    this.dot.castShadow = true;
  }

  setFine(fine: boolean): void {
    this.wide.visible = fine;
    for (const line of this.thin) line.visible = !fine;
  }

  update(place: Place, now: Vector3): void {
    this.travelled.instanceCount = Math.min(this.segments, Math.round((place.row + place.fraction) / this.step));
    this.thin[1].geometry.setDrawRange(0, this.travelled.instanceCount + 1);
    this.dot.position.copy(now);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Sizes of a model and of its motion, from which symbols, camera and lights are set.
import { Box3, Matrix4, MeshStandardMaterial, Vector3 } from 'three';
import { GROUND, newPose, samplePose, type Frame, type Place, type Run, type Shape, type Vec3 } from './data';
import { shapeMesh, toQuaternion, toVector } from './shapes';

const ONE = new Vector3(1, 1, 1);
const unused = new MeshStandardMaterial();

export const diagonal = (box: Box3): number => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

/** Places of every body (in its own frame) where something is attached; those of the ground come last. */
export function findAnchors(run: Run): { bodies: Vector3[][]; ground: Vector3[] } {
  const bodies: Vector3[][] = run.bodies.map(() => []);
  const ground: Vector3[] = [];
  const note = (body: number, p: Vec3): void => {
    (body === GROUND ? ground : bodies[body]).push(toVector(p));
  };
  for (const j of run.joints) {
    note(j.bodyI, j.markerI.position);
    note(j.bodyJ, j.markerJ.position);
  }
  for (const s of run.springs) {
    note(s.bodyI, s.pointI);
    note(s.bodyJ, s.pointJ);
  }
  for (const p of run.points) note(p.body, p.position);
  return { bodies, ground };
}

/** Box around the shapes, anchors and mass centre of a body in its own frame. */
export function localBox(shapes: Shape[], massCenter: Vec3, anchors: Vector3[]): Box3 {
  const box = new Box3().setFromPoints([toVector(massCenter), ...anchors]);
  for (const shape of shapes) {
    const mesh = shapeMesh(shape, unused);
    if (mesh) box.union(new Box3().setFromObject(mesh));
  }
  return box;
}

/** At most `most` row numbers spread evenly over the run. */
export function sampleRows(run: Run, most: number): number[] {
  const n = run.time.length;
  const count = Math.min(n, most);
  return Array.from({ length: count }, (_, k) => Math.round((k * (n - 1)) / Math.max(1, count - 1)));
}

/** Box around all bodies at the given rows. */
export function boxAtRows(run: Run, boxes: Box3[], rows: number[]): Box3 {
  const total = new Box3();
  const pose = newPose();
  const matrix = new Matrix4();
  for (const row of rows) {
    run.bodies.forEach((body, k) => {
      samplePose(body, { row, fraction: 0 }, pose);
      matrix.compose(toVector(pose.position), toQuaternion(pose.quaternion), ONE);
      total.union(boxes[k].clone().applyMatrix4(matrix));
    });
  }
  return total;
}

/** Corners of the boxes of all bodies at the given rows; the camera is fitted to these points. */
export function cornersAtRows(run: Run, boxes: Box3[], rows: number[]): Vector3[] {
  const corners: Vector3[] = [];
  for (const row of rows) {
    run.bodies.forEach((_, k) => {
      for (const c of boxCorners(boxes[k])) corners.push(worldPoint(run, { row, fraction: 0 }, k, [c.x, c.y, c.z], c));
    });
  }
  return corners;
}

/** Forces drawn at both markers; the others are at marker j alone, and marker i may be anywhere. */
const SPANNING = new Set(['beam', 'bushing', 'field']);

/** Boxes around what is drawn beside the bodies, one for each beam and each force, at the given rows. */
export function looseBoxes(run: Run, rows: number[]): Box3[] {
  const p = new Vector3();
  const beams = run.beams.map((beam) => {
    const box = new Box3();
    const thick = Math.max(...beam.sections.map((s) => Math.max(s.radius, s.width / 2, s.height / 2)));
    for (const row of rows)
      for (const node of beam.nodes) box.expandByPoint(p.fromArray(run.bodies[node].position, 3 * row));
    return box.expandByScalar(thick);
  });
  const forces = run.forces.map((force) => {
    const box = new Box3();
    for (const row of rows) {
      box.expandByPoint(worldPoint(run, { row, fraction: 0 }, force.bodyJ, force.markerJ.position, p));
      if (SPANNING.has(force.type))
        box.expandByPoint(worldPoint(run, { row, fraction: 0 }, force.bodyI, force.markerI.position, p));
    }
    return box;
  });
  return [...beams, ...forces];
}

export function boxCorners(box: Box3): Vector3[] {
  return Array.from(
    { length: 8 },
    (_, k) => new Vector3(k & 1 ? box.min.x : box.max.x, k & 2 ? box.min.y : box.max.y, k & 4 ? box.min.z : box.max.z),
  );
}

export function worldPoint(run: Run, place: Place, body: number, point: Vec3, out = new Vector3()): Vector3 {
  out.set(...point);
  if (body === GROUND) return out;
  const pose = samplePose(run.bodies[body], place, newPose());
  return out.applyQuaternion(toQuaternion(pose.quaternion)).add(toVector(pose.position));
}

export function worldAxis(run: Run, place: Place, body: number, marker: Frame): Vector3 {
  const axis = new Vector3(0, 0, 1).applyQuaternion(toQuaternion(marker.quaternion));
  return body === GROUND
    ? axis
    : axis.applyQuaternion(toQuaternion(samplePose(run.bodies[body], place, newPose()).quaternion));
}

/** Least and greatest travel of one marker along the z axis of another during the run. */
export function axialTravel(
  run: Run,
  slider: number,
  sliderMarker: Frame,
  rail: number,
  railMarker: Frame,
): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const row of sampleRows(run, 200)) {
    const place = { row, fraction: 0 };
    const from = worldPoint(run, place, rail, railMarker.position);
    const z = worldPoint(run, place, slider, sliderMarker.position)
      .sub(from)
      .dot(worldAxis(run, place, rail, railMarker));
    low = Math.min(low, z);
    high = Math.max(high, z);
  }
  return [low, high];
}

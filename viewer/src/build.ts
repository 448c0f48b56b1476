// SPDX-License-Identifier: Apache-2.0
// Builds the rigid parts of a model as meshes in the frames of the bodies; they are drawn by instances later.
import { CatmullRomCurve3, Group, Mesh, Object3D, TubeGeometry, Vector3, type MeshStandardMaterial } from 'three';
import { GROUND, type Body, type Force, type Frame, type Marker, type Run, type Shape, type Vec3 } from './data';
import { inertiaShape } from './inertia';
import { neutralMaterial } from './instances';
import { addJointSymbol, atMarker, part, type SymbolContext } from './joints';
import { AXIS_COLORS, BODY_COLORS } from './palette';
import { box, cylinder, linkShapes, ring, shapeMesh, solidMaterial, sphere, tube } from './shapes';
import { makeId, type Id } from './state';

export const GROUND_COLOR = '#9aa3ad';
const RUBBER = '#3f464f';

/** A rod between two points of two bodies; its frame is put there at every time. */
export interface Link {
  frame: Group;
  bodyI: number;
  pointI: Vec3;
  bodyJ: number;
  pointJ: Vec3;
}

export function bodyColor(run: Run, k: number): string {
  return k === GROUND
    ? GROUND_COLOR
    : (run.bodies[k].shapes.find((s) => s.color)?.color ?? BODY_COLORS[k % BODY_COLORS.length]);
}

function mark(object: Object3D, id: Id): void {
  object.traverse((o) => {
    o.userData.id = id;
  });
}

/** Solids of one body, or of the ground. */
export function addSolid(id: Id, shapes: Run['groundShapes'], color: string, parent: Group): void {
  const materials = new Map<string, MeshStandardMaterial>();
  shapes.forEach((shape, k) => {
    const shade = shape.color || color;
    let material = materials.get(shade);
    if (!material) materials.set(shade, (material = solidMaterial(shade)));
    const mesh = shapeMesh(shape, material);
    if (!mesh) return;
    // Faces that lie in one plane would flicker; these differences are too small to be seen.
    mesh.scale.setScalar(1 + 1.2e-3 * ((k + Number(id.split(':')[1])) % 5));
    mark(mesh, id);
    parent.add(mesh);
  });
}

/** The solid of a body's inertia, if it comes without shapes and the rods between its joints would say less. */
export function standIn(body: Body, anchors: Vector3[], size: number): Shape | null {
  const span = anchors.reduce((most, a) => Math.max(most, ...anchors.map((b) => a.distanceTo(b))), 0);
  const solid = body.shapes.length > 0 ? null : inertiaShape(body, size);
  const extent = solid ? Math.max(...(solid.size ?? []), 2 * (solid.radius ?? 0), solid.length ?? 0) : 0;
  return extent > 0.7 * span ? solid : null;
}

export function addBody(
  run: Run,
  k: number,
  anchors: Vector3[],
  extent: number,
  symbol: number,
  solid: Shape | null,
  frame: Group,
): void {
  const body = run.bodies[k];
  const color = bodyColor(run, k);
  // A body nothing is attached to shows as a ball, which must be large enough to be seen.
  const radius = anchors.length > 0 ? Math.min(0.75 * symbol, 0.05 * extent) : 1.6 * symbol;
  const own = body.shapes.map((s) => ({ ...s, color: s.color || color }));
  addSolid(makeId('body', k), own.length > 0 ? own : linkShapes(anchors, body.massCenter, radius, solid), color, frame);
}

const neutral = neutralMaterial();
const grey = solidMaterial(GROUND_COLOR);
const rubber = solidMaterial(RUBBER);

/** Symbols of all joints; returns the rods of the distance joints. */
export function addJoints(run: Run, context: SymbolContext, root: Group): Link[] {
  const links: Link[] = [];
  const s = context.size;
  run.joints.forEach((joint, k) => {
    const id = makeId('joint', k);
    for (const object of addJointSymbol(joint, context, { symbol: neutral, rail: neutral, ground: grey }))
      mark(object, id);
    if (joint.type !== 'distance') return;
    const frame = new Group();
    const rod = new Mesh(cylinder(0.55 * s, 1), neutral);
    frame.add(rod);
    mark(frame, id);
    root.add(frame);
    links.push({
      frame,
      bodyI: joint.bodyI,
      pointI: joint.markerI.position,
      bodyJ: joint.bodyJ,
      pointJ: joint.markerJ.position,
    });
  });
  return links;
}

/** A flat spiral around z, its ends bent up and inwards as those of a clock spring. */
function spiral(s: number): TubeGeometry {
  const points = Array.from({ length: 61 }, (_, k) => {
    const angle = (2 * Math.PI * 2.5 * k) / 60;
    const r = s * (1.1 + (1.7 * k) / 60);
    return new Vector3(r * Math.cos(angle), r * Math.sin(angle), 0);
  });
  return new TubeGeometry(new CatmullRomCurve3(points), 80, 0.16 * s, 6);
}

/** Three quarters of a ring: the arrow of a motor. */
function arc(s: number): TubeGeometry {
  const points = Array.from(
    { length: 31 },
    (_, k) =>
      new Vector3(2.3 * s * Math.cos((1.5 * Math.PI * k) / 30), 2.3 * s * Math.sin((1.5 * Math.PI * k) / 30), 0),
  );
  return new TubeGeometry(new CatmullRomCurve3(points), 48, 0.2 * s, 6);
}

/** Symbols of forces between bodies; applied forces show as arrows only. */
export function addForces(run: Run, context: SymbolContext): void {
  const s = context.size;
  const winding = spiral(s);
  const turning = arc(s);
  run.forces.forEach((force: Force, k) => {
    const id = makeId('force', k);
    const onI = atMarker(force.markerI, context.frame(force.bodyI));
    const onJ = atMarker(force.markerJ, context.frame(force.bodyJ));
    switch (force.type) {
      case 'bushing':
      case 'field':
        part(onI, tube(1.9 * s, 0.9 * s, 2.4 * s), rubber);
        part(onJ, cylinder(0.8 * s, 3.2 * s), neutral);
        break;
      case 'torsion-spring':
      case 'torsional-spring':
        part(onJ, winding, neutral).position.z = context.reach(force) + 0.5 * s;
        break;
      case 'joint-spring':
      case 'joint-stop':
        part(onJ, ring(1.7 * s, 0.2 * s), neutral).position.z = 1.2 * s;
        part(onJ, ring(1.7 * s, 0.2 * s), neutral).position.z = 1.9 * s;
        break;
      case 'motor':
        if (force.turns) {
          part(onJ, turning, neutral);
          const head = part(onJ, cylinder(0.62 * s, 1.3 * s, 0.02 * s), neutral);
          head.position.set(0, -2.3 * s, 0);
          head.rotation.y = Math.PI / 2;
        } else part(onJ, box(2.6 * s, 2.6 * s, 1.2 * s), neutral);
        break;
      case 'force':
        part(onJ, sphere(0.5 * s), neutral);
        break;
    }
    for (const group of [onI, onJ]) mark(group, id);
  });
}

/** A small axis cross at every marker that the model names or a joint uses. */
export function addMarkers(run: Run, size: number, frame: (body: number) => Group): number {
  const materials = AXIS_COLORS.map((color) => solidMaterial(color));
  const arm = box(0.13 * size, 0.13 * size, 1.6 * size);
  let count = 0;
  const add = (marker: Frame | Marker, body: number): void => {
    const group = atMarker(marker, frame(body));
    const id = makeId('marker', count++);
    [
      [0, Math.PI / 2, 0],
      [-Math.PI / 2, 0, 0],
      [0, 0, 0],
    ].forEach(([x, y], k) => {
      const mesh = new Mesh(arm, materials[k]);
      mesh.rotation.set(x, y, 0);
      mesh.position.setComponent(k, 0.8 * size);
      group.add(mesh);
    });
    mark(group, id);
  };
  run.bodies.forEach((body, k) => body.markers.forEach((m) => add(m, k)));
  run.groundMarkers.forEach((m) => add(m, GROUND));
  for (const pair of [...run.joints, ...run.forces]) {
    add(pair.markerI, pair.bodyI);
    add(pair.markerJ, pair.bodyJ);
  }
  return count;
}

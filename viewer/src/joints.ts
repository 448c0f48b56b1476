// SPDX-License-Identifier: Apache-2.0
// Joint symbols by type. The joint axis is the z axis of the markers.
import {
  CatmullRomCurve3,
  Group,
  Mesh,
  MeshStandardMaterial,
  OctahedronGeometry,
  Quaternion,
  TubeGeometry,
  Vector3,
  type BufferGeometry,
  type Object3D,
} from 'three';
import { GROUND, type Frame, type Joint, type Pair } from './data';
import { box, cylinder, ring, sphere, toQuaternion, toVector } from './shapes';

export interface JointMaterials {
  symbol: MeshStandardMaterial;
  rail: MeshStandardMaterial;
  ground: MeshStandardMaterial;
}

export interface SymbolContext {
  size: number; // radius of a pin; all the rest is in proportion
  up: Vector3;
  /** Group that moves with a body (or the ground), to hang symbols on. */
  frame(body: number): Object3D;
  /** Least and greatest travel of one marker along the axis of the other during the run. */
  travel(slider: number, sliderMarker: Frame, rail: number, railMarker: Frame): [number, number];
  /** Half the length a pin needs to stick out of the bodies it joins. */
  reach(joint: Pair): number;
}

export function part(parent: Object3D, geometry: BufferGeometry, material: MeshStandardMaterial): Mesh {
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  parent.add(mesh);
  return mesh;
}

export function atMarker(marker: Frame, parent: Object3D): Group {
  const group = new Group();
  group.position.copy(toVector(marker.position));
  group.quaternion.copy(toQuaternion(marker.quaternion));
  parent.add(group);
  return group;
}

/** A ground bracket under the joint: it tells at a glance what the model is fixed to. */
function bracket(context: SymbolContext, joint: Joint, material: MeshStandardMaterial): Object3D | null {
  const marker = joint.bodyI === GROUND ? joint.markerI : joint.markerJ;
  if (joint.bodyI !== GROUND && joint.bodyJ !== GROUND) return null;
  const axis = new Vector3(0, 0, 1).applyQuaternion(toQuaternion(marker.quaternion));
  const s = context.size;
  const group = new Group();
  group.position.copy(toVector(marker.position));
  group.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), context.up);
  const pin = joint.type === 'revolute' && Math.abs(axis.dot(context.up)) < 0.9;
  if (pin) {
    // Turn the bracket so that its two cheeks hold the pin from both sides.
    const flat = axis.clone().addScaledVector(context.up, -axis.dot(context.up)).normalize();
    const x = new Vector3(1, 0, 0).applyQuaternion(group.quaternion);
    group.quaternion.premultiply(new Quaternion().setFromUnitVectors(x, flat));
    const gap = context.reach(joint) - 0.1 * s;
    for (const side of [-1, 1]) {
      const cheek = part(group, box(0.5 * s, 1.9 * s, 3.4 * s), material);
      cheek.position.set(side * gap, 0, -1.25 * s);
    }
    part(group, box(2 * gap + 2 * s, 3.2 * s, 0.6 * s), material).position.z = -3.1 * s;
  } else {
    part(group, cylinder(1.9 * s, 2.2 * s, 1.05 * s), material).position.z = -1.9 * s;
    part(group, cylinder(2.5 * s, 0.5 * s), material).position.z = -3.2 * s;
  }
  context.frame(GROUND).add(group);
  return group;
}

/** The curve of a cam as a wire in the x-y plane of its marker. */
function addOutline(points: number[][], parent: Object3D, radius: number, material: MeshStandardMaterial): void {
  if (points.length < 2) return;
  const line = new CatmullRomCurve3(points.map(([x, y]) => new Vector3(x, y, 0)));
  part(parent, new TubeGeometry(line, 2 * points.length, radius, 6), material);
}

/** Adds the symbol of a joint to the groups of its bodies; returns the parts for hiding and picking. */
export function addJointSymbol(joint: Joint, context: SymbolContext, materials: JointMaterials): Object3D[] {
  const s = context.size;
  const made: Object3D[] = [];
  const onI = atMarker(joint.markerI, context.frame(joint.bodyI));
  made.push(onI);
  const { symbol, rail } = materials;

  const slides = ['translational', 'prismatic', 'cylindrical', 'screw', 'inline'].includes(joint.type);
  if (slides) {
    // The rail belongs to the ground if the ground takes part, else to body j.
    const flip = joint.bodyI === GROUND && joint.bodyJ !== GROUND;
    const [slider, sliderMarker, base, baseMarker] = flip
      ? ([joint.bodyJ, joint.markerJ, joint.bodyI, joint.markerI] as const)
      : ([joint.bodyI, joint.markerI, joint.bodyJ, joint.markerJ] as const);
    const [low, high] = context.travel(slider, sliderMarker, base, baseMarker);
    const bar = atMarker(baseMarker, context.frame(base));
    // Beyond the outermost places of the slider; between two bodies only as much as the block needs.
    const over = base === GROUND ? Math.max(3.5 * s, context.reach(joint) + s) : 1.9 * s;
    const length = high - low + 2 * over;
    const square = joint.type === 'translational' || joint.type === 'prismatic';
    part(bar, square ? box(0.7 * s, 0.7 * s, length) : cylinder(0.4 * s, length), rail).position.z = (low + high) / 2;
    if (base === GROUND) {
      for (const end of [low - over + 0.3 * s, high + over - 0.3 * s])
        part(bar, square ? box(2 * s, 2 * s, 0.6 * s) : cylinder(1.1 * s, 0.6 * s), materials.ground).position.z = end;
    }
    made.push(bar);
    const block = flip ? atMarker(sliderMarker, context.frame(slider)) : onI;
    if (flip) made.push(block);
    part(block, square ? box(2 * s, 2 * s, 3.6 * s) : cylinder(1.1 * s, 3.6 * s), symbol);
    return made;
  }

  switch (joint.type) {
    case 'revolute':
    case 'hinge': {
      const half = context.reach(joint);
      part(onI, cylinder(0.72 * s, 2 * half), symbol);
      for (const side of [-1, 1]) part(onI, cylinder(s, 0.35 * s), symbol).position.z = side * (half + 0.05 * s);
      break;
    }
    case 'spherical':
    case 'ball':
      part(onI, sphere(1.25 * s), symbol);
      part(atMarkerOf(joint, context, made), ring(1.3 * s, 0.22 * s), rail);
      break;
    case 'universal':
    case 'hooke':
    case 'cardan': {
      // Each arm of the cross stays with its own body: z of the first marker, x of the second.
      part(onI, cylinder(0.5 * s, 4 * s), symbol);
      part(atMarkerOf(joint, context, made), cylinder(0.5 * s, 4 * s), rail).rotation.y = Math.PI / 2;
      part(onI, sphere(0.8 * s), symbol);
      break;
    }
    case 'constant-velocity':
      part(onI, sphere(1.25 * s), symbol);
      part(onI, cylinder(0.5 * s, 4 * s), symbol);
      part(atMarkerOf(joint, context, made), cylinder(0.5 * s, 4 * s), rail);
      break;
    case 'point-on-curve':
    case 'curve-on-curve': {
      const onJ = atMarkerOf(joint, context, made);
      addOutline(joint.outlineI, onI, 0.2 * s, rail);
      addOutline(joint.outlineJ, onJ, 0.2 * s, symbol);
      if (joint.outlineJ.length === 0) part(onJ, sphere(0.6 * s), symbol);
      return made;
    }
    case 'distance': // its two ends; the rod between them belongs to neither body
      part(onI, sphere(0.95 * s), symbol);
      part(atMarkerOf(joint, context, made), sphere(0.95 * s), symbol);
      break;
    case 'inplane':
    case 'planar':
      part(onI, box(6 * s, 6 * s, 0.3 * s), symbol);
      break;
    case 'fixed':
    case 'weld':
      part(onI, box(1.7 * s, 1.7 * s, 1.7 * s), symbol);
      break;
    case 'parallel':
    case 'perpendicular': {
      // The two axes whose direction to each other is kept.
      part(onI, cylinder(0.45 * s, 4.4 * s), symbol);
      part(atMarkerOf(joint, context, made), cylinder(0.45 * s, 4.4 * s), rail).position.x =
        joint.type === 'parallel' ? 1.2 * s : 0;
      return made;
    }
    case 'orientation': // three axes that keep their directions
      for (const turn of [
        [0, 0],
        [Math.PI / 2, 0],
        [0, Math.PI / 2],
      ])
        part(onI, cylinder(0.4 * s, 3.6 * s), symbol).rotation.set(turn[0], turn[1], 0);
      return made;
    default:
      part(onI, new OctahedronGeometry(1.4 * s), symbol);
  }
  const support =
    joint.type === 'planar' || joint.type === 'inplane' ? null : bracket(context, joint, materials.ground);
  if (support) made.push(support);
  return made;
}

function atMarkerOf(joint: Joint, context: SymbolContext, made: Object3D[]): Group {
  const group = atMarker(joint.markerJ, context.frame(joint.bodyJ));
  made.push(group);
  return group;
}

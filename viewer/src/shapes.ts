// SPDX-License-Identifier: Apache-2.0
// Solid shapes of bodies. Long shapes lie along the local z axis, as in the data.
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  ConeGeometry,
  LatheGeometry,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import { mergeVertices, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Quat, Shape, Vec3 } from './data';

export const toVector = (v: Vec3): Vector3 => new Vector3(v[0], v[1], v[2]);
export const toQuaternion = (q: Quat): Quaternion => new Quaternion(q[1], q[2], q[3], q[0]);

export function solidMaterial(color: string): MeshStandardMaterial {
  return new MeshStandardMaterial({ color, roughness: 0.5, metalness: 0.08 });
}

let detail = 1;
/** Fewer facets for models of many parts, where each part is small in the picture. */
export function setDetail(bodies: number): void {
  detail = bodies > 300 ? 0.3 : bodies > 60 ? 0.45 : bodies > 25 ? 0.8 : 1;
}
const facets = (n: number): number => Math.max(5, Math.round(detail * n));

const cache = new Map<string, BufferGeometry>();
function build(make: () => BufferGeometry, crease: number): BufferGeometry {
  let made = make();
  made.deleteAttribute('uv');
  // The tools below compare places to a fixed distance, so they work at a fixed size.
  made.computeBoundingSphere();
  const size = made.boundingSphere!.radius || 1;
  made.scale(100 / size, 100 / size, 100 / size);
  if (crease > 0) made = toCreasedNormals(made, crease);
  // Shared corners are computed once: a processor that draws spends most of its time on them.
  return mergeVertices(made, 1e-3).scale(size / 100, size / 100, size / 100);
}

/** Smooth across edges up to `crease` rad, sharp beyond; without one the normals are left as made. */
function cached(key: string, make: () => BufferGeometry, crease = 0): BufferGeometry {
  let geometry = cache.get(key);
  if (!geometry) {
    geometry = build(make, crease);
    geometry.userData.make = () => build(make, crease);
    cache.set(key, geometry);
  }
  return geometry;
}

/** The same with fewer facets, for pictures of a motion that the processor draws. */
export function coarser(geometry: BufferGeometry): BufferGeometry {
  if (!geometry.userData.make) return geometry;
  if (!geometry.userData.coarse) {
    const usual = detail;
    detail *= detail < 1 ? 0.5 : 0.7;
    geometry.userData.coarse = (geometry.userData.make as () => BufferGeometry)();
    detail = usual;
  }
  return geometry.userData.coarse as BufferGeometry;
}

const CREASE = 0.7; // between neighbouring facets of a coarse cylinder, and an edge

/** A cylinder with small chamfers: their highlights make the edges readable. */
export function cylinder(radius: number, length: number, topRadius = radius): BufferGeometry {
  return cached(
    `cylinder ${radius} ${length} ${topRadius}`,
    () => {
      const c = 0.08 * Math.min(radius, topRadius, length);
      const z = length / 2;
      const chamfered = [
        [0, -z],
        [radius - c, -z],
        [radius, c - z],
        [topRadius, z - c],
        [topRadius - c, z],
        [0, z],
      ];
      const profile =
        detail > 0.5
          ? chamfered
          : [
              [0, -z],
              [radius, -z],
              [topRadius, z],
              [0, z],
            ];
      const lathe = new LatheGeometry(
        profile.map(([r, y]) => new Vector2(Math.max(r, 1e-9), y)),
        facets(32),
      );
      return lathe.rotateX(Math.PI / 2);
    },
    CREASE,
  );
}

/** A cylinder with a hole along its axis. */
export function tube(radius: number, inner: number, length: number): BufferGeometry {
  return cached(
    `tube ${radius} ${inner} ${length}`,
    () => {
      const z = length / 2;
      const profile = [
        [inner, -z],
        [radius, -z],
        [radius, z],
        [inner, z],
        [inner, -z],
      ];
      return new LatheGeometry(
        profile.map(([r, y]) => new Vector2(r, y)),
        facets(40),
      ).rotateX(Math.PI / 2);
    },
    CREASE,
  );
}

export function box(x: number, y: number, z: number): BufferGeometry {
  const least = Math.min(x, y, z);
  const most = Math.max(x, y, z);
  return cached(`box ${x} ${y} ${z}`, () =>
    least > 0.002 * most && detail > 0.5 ? new RoundedBoxGeometry(x, y, z, 2, 0.06 * least) : new BoxGeometry(x, y, z),
  );
}

/** Its larger end is at −z, unless the other radius is larger. */
export function cone(lower: number, upper: number, length: number): BufferGeometry {
  if (upper > 0) return cylinder(lower, length, upper);
  return cached(`cone ${lower} ${length}`, () => new ConeGeometry(lower, length, facets(40)).rotateX(Math.PI / 2));
}

export const sphere = (radius: number): BufferGeometry =>
  cached(`sphere ${radius}`, () => new SphereGeometry(radius, facets(26), facets(16)));
export const ring = (radius: number, wire: number): BufferGeometry =>
  cached(`ring ${radius} ${wire}`, () => new TorusGeometry(radius, wire, facets(10), facets(36)));

function capsule(radius: number, length: number): BufferGeometry {
  // Hemispherical ends would make a rod longer than stated, so they are taken out of its length.
  if (length <= 2 * radius) return sphere(length / 2);
  return cached(`capsule ${radius} ${length}`, () =>
    new CapsuleGeometry(radius, length - 2 * radius, Math.max(2, facets(7) - 1), facets(24)).rotateX(Math.PI / 2),
  );
}

function shapeGeometry(shape: Shape): BufferGeometry | null {
  const r = shape.radius ?? 0;
  const l = shape.length ?? 0;
  switch (shape.type) {
    case 'sphere':
      return r > 0 ? sphere(r) : null;
    case 'cylinder':
    case 'disk':
    case 'disc':
      return r > 0 ? cylinder(r, l > 0 ? l : 0.1 * r) : null;
    case 'rod':
      return r > 0 && l > 0 ? cylinder(r, l) : null;
    case 'capsule':
      return r > 0 ? capsule(r, l > 0 ? l : 2 * r) : null;
    case 'tube':
      return r > 0 && l > 0 ? tube(r, shape.innerRadius ?? 0, l) : null;
    case 'cone':
      return r > 0 && l > 0 ? cone(r, shape.topRadius ?? 0, l) : null;
    case 'torus':
      return r > 0 ? ring(r, l > 0 ? l / 2 : 0.1 * r) : null;
    case 'ellipsoid':
      return shape.size
        ? cached(`ellipsoid ${shape.size}`, () =>
            sphere(0.5)
              .clone()
              .scale(...shape.size!),
          )
        : null;
    case 'plane':
      return shape.size ? cached(`plane ${shape.size}`, () => new PlaneGeometry(shape.size![0], shape.size![1])) : null;
  }
  // An unknown type is drawn by the sizes it comes with.
  if (shape.size && Math.max(...shape.size) > 0) return box(...shape.size);
  if (r > 0) return l > 0 ? cylinder(r, l) : sphere(r);
  return null;
}

export function shapeMesh(shape: Shape, material: MeshStandardMaterial): Mesh | null {
  const geometry = shapeGeometry(shape);
  if (!geometry) return null;
  const mesh = new Mesh(geometry, material);
  mesh.position.copy(toVector(shape.position));
  mesh.quaternion.copy(toQuaternion(shape.quaternion));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

const Z = new Vector3(0, 0, 1);
export function rodBetween(a: Vector3, b: Vector3, radius: number): Shape {
  const q = new Quaternion().setFromUnitVectors(Z, b.clone().sub(a).normalize());
  const middle = a.clone().add(b).multiplyScalar(0.5);
  return {
    type: 'capsule',
    radius,
    length: a.distanceTo(b) + 2 * radius,
    position: [middle.x, middle.y, middle.z],
    quaternion: [q.w, q.x, q.y, q.z],
    color: '',
  };
}

/**
 * Stand-in shapes for a body that comes without any: rods between its joints and points, and at the centre of mass a
 * ball or, where the rods alone would say little, the solid that has the inertia of the body.
 */
export function linkShapes(anchors: Vector3[], massCenter: Vec3, radius: number, solid: Shape | null): Shape[] {
  const distinct: Vector3[] = [];
  for (const a of anchors) if (distinct.every((b) => a.distanceTo(b) > radius)) distinct.push(a);
  const centre = toVector(massCenter);
  const shapes: Shape[] = [];
  const join = (a: Vector3, b: Vector3, r: number): void => {
    if (a.distanceTo(b) > radius) shapes.push(rodBetween(a, b, r));
  };

  if (distinct.length === 2) {
    const [a, b] = distinct;
    join(a, b, radius);
    // Tie a centre of mass that lies off the rod to it, so the ball does not float.
    const along = b.clone().sub(a);
    const foot = a
      .clone()
      .addScaledVector(along, Math.min(1, Math.max(0, centre.clone().sub(a).dot(along) / along.lengthSq())));
    join(foot, centre, 0.5 * radius);
  } else if (distinct.length === 3) {
    for (let k = 0; k < 3; ++k) join(distinct[k], distinct[(k + 1) % 3], radius);
    for (const a of distinct) join(a, centre, 0.45 * radius);
  } else {
    for (const a of distinct) join(a, centre, radius);
  }
  if (solid) return [...shapes.filter(() => distinct.length < 2), solid];
  shapes.push({ type: 'sphere', radius: 1.9 * radius, position: massCenter, quaternion: [1, 0, 0, 0], color: '' });
  return shapes;
}

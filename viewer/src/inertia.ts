// SPDX-License-Identifier: Apache-2.0
// The homogeneous solid that has the mass properties of a body, for bodies that come without shapes.
import { Matrix3, Matrix4, Quaternion, Vector3 } from 'three';
import type { Body, Shape } from './data';

/** Principal moments and axes (columns, right-handed) by Jacobi's rotations. */
function principal([xx, yy, zz, xy, xz, yz]: number[]): { moments: number[]; axes: Matrix3 } {
  const a = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 12; ++sweep) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      if (Math.abs(a[p][q]) < 1e-14 * (Math.abs(xx) + Math.abs(yy) + Math.abs(zz))) continue;
      const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
      const c = Math.cos(angle);
      const s = Math.sin(angle);
      for (let k = 0; k < 3; ++k) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; ++k) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; ++k) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  return { moments: [a[0][0], a[1][1], a[2][2]], axes: new Matrix3().set(...(v.flat() as Parameters<Matrix3['set']>)) };
}

/**
 * Sphere, cylinder or box of the same mass, mass centre and inertia; null if there is none or if it is far from `size`.
 *     box       a² = 6 (I_y + I_z − I_x)/m
 *     cylinder  r² = 2 I_z/m,  l² = 12 (I_x/m − r²/4)
 *     sphere    r² = 5 I/(2 m)
 */
export function inertiaShape(body: Body, size: number): Shape | null {
  if (!(body.mass > 0) || body.inertia.length !== 6) return null;
  const { moments, axes } = principal(body.inertia);
  const most = Math.max(...moments);
  if (!(most > 0)) return null;
  const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.02 * most;
  const columns = [0, 1, 2].map(
    (k) => new Vector3(axes.elements[3 * k], axes.elements[3 * k + 1], axes.elements[3 * k + 2]),
  );
  const edges = [0, 1, 2].map((k) =>
    Math.sqrt(Math.max(0, (6 * (moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k])) / body.mass)),
  );
  const largest = Math.max(...edges);
  if (largest < 0.01 * size || largest > 3 * size) return null;
  const thick = (v: number): number => Math.max(v, 0.02 * largest); // a plate or a line still needs to be seen
  const place = (z: number): Pick<Shape, 'position' | 'quaternion' | 'color'> => {
    const x = columns[(z + 1) % 3];
    const y = columns[(z + 2) % 3];
    const basis = new Matrix4().makeBasis(x, y, new Vector3().crossVectors(x, y));
    const q = new Quaternion().setFromRotationMatrix(basis);
    return { position: body.massCenter, quaternion: [q.w, q.x, q.y, q.z], color: '' };
  };
  if (same(moments[0], moments[1]) && same(moments[1], moments[2])) {
    return { type: 'sphere', radius: Math.sqrt((2.5 * moments[0]) / body.mass), ...place(2) };
  }
  const axis = [0, 1, 2].find((k) => same(moments[(k + 1) % 3], moments[(k + 2) % 3]));
  if (axis !== undefined) {
    const r2 = (2 * moments[axis]) / body.mass;
    const l2 = 12 * (moments[(axis + 1) % 3] / body.mass - r2 / 4);
    return {
      type: 'cylinder',
      radius: thick(Math.sqrt(r2)),
      length: thick(Math.sqrt(Math.max(0, l2))),
      ...place(axis),
    };
  }
  return { type: 'box', size: [thick(edges[0]), thick(edges[1]), thick(edges[2])], ...place(2) };
}

// SPDX-License-Identifier: Apache-2.0
// What sample runs are made of.

/** Base64 of little-endian Float32. */
export function b64(numbers) {
  const buffer = Buffer.alloc(4 * numbers.length);
  numbers.forEach((v, k) => buffer.writeFloatLE(v, 4 * k));
  return buffer.toString('base64');
}

const half = Math.SQRT1_2;
export const turnY = (angle) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];
export const turnZ = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
export const IDENTITY = [1, 0, 0, 0];
export const Z_TO_Y = [half, -half, 0, 0];
export const Z_TO_X = [half, 0, half, 0];
export const marker = (position, quaternion_wxyz = IDENTITY) => ({ position, quaternion_wxyz });

/** Collects poses row by row. */
export class Body {
  constructor(name, shapes) {
    Object.assign(this, { name, shapes, p: [], q: [] });
  }
  add(position, quaternion) {
    this.p.push(...position);
    this.q.push(...quaternion);
  }
  toJSON() {
    return {
      name: this.name,
      mass: this.mass,
      inertia: this.inertia,
      shapes: this.shapes,
      position: b64(this.p),
      quaternion_wxyz: b64(this.q),
    };
  }
}

export const times = (end, n) => Array.from({ length: n }, (_, k) => (k * end) / (n - 1));

// SPDX-License-Identifier: Apache-2.0
// Makes sample pages without the solver: node test/sample.mjs [folder]
// Prints the files written; without a folder they go to a new temporary one.
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Base64 of little-endian Float32. */
export function b64(numbers) {
  const buffer = Buffer.alloc(4 * numbers.length);
  numbers.forEach((v, k) => buffer.writeFloatLE(v, 4 * k));
  return buffer.toString('base64');
}

const half = Math.SQRT1_2;
const turnY = (angle) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0];
const turnZ = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
const IDENTITY = [1, 0, 0, 0];
const Z_TO_Y = [half, -half, 0, 0];
const Z_TO_X = [half, 0, half, 0];
const marker = (position, quaternion_wxyz = IDENTITY) => ({ position, quaternion_wxyz });

/** Collects poses row by row. */
class Body {
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

const times = (end, n) => Array.from({ length: n }, (_, k) => (k * end) / (n - 1));

/** Equal uniform bars, angles from the vertical; returns rows [a1, a2, w1, w2]. */
function doublePendulum(time, L, m, g, start) {
  const f = ([a, b, u, v]) => {
    const s = Math.sin(a - b);
    const c = Math.cos(a - b);
    const I = m * L * L;
    // (4/3) u' + (c/2) v' = ..., (c/2) u' + (1/3) v' = ...
    const m11 = (4 / 3) * I;
    const m12 = (c / 2) * I;
    const m22 = I / 3;
    const r1 = (-I / 2) * s * v * v - 1.5 * m * g * L * Math.sin(a);
    const r2 = (I / 2) * s * u * u - 0.5 * m * g * L * Math.sin(b);
    const det = m11 * m22 - m12 * m12;
    return [u, v, (m22 * r1 - m12 * r2) / det, (m11 * r2 - m12 * r1) / det];
  };
  const plus = (x, k, h) => x.map((v, i) => v + h * k[i]);
  const rows = [start];
  for (let row = 1; row < time.length; ++row) {
    let x = rows[row - 1];
    const parts = 20;
    const h = (time[row] - time[row - 1]) / parts;
    for (let s = 0; s < parts; ++s) {
      const k1 = f(x);
      const k2 = f(plus(x, k1, h / 2));
      const k3 = f(plus(x, k2, h / 2));
      const k4 = f(plus(x, k3, h));
      x = x.map((v, i) => v + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
    }
    rows.push(x);
  }
  return rows;
}

/** Double pendulum and slider-crank with shapes, springs, traces and a certificate. */
export function mechanisms() {
  const n = 601;
  const time = times(6, n);
  const L = 0.5;
  const m = 1.2;
  const g = 9.81;
  const bar = (w, d, l, color = '') => ({
    type: 'box',
    size: [w, d, l],
    position: [0, 0, 0],
    quaternion_wxyz: IDENTITY,
    color,
  });
  const upper = new Body('upper arm', [bar(0.05, 0.03, L + 0.05)]);
  const lower = new Body('lower arm', [
    bar(0.045, 0.03, L + 0.05),
    { type: 'sphere', radius: 0.055, position: [0, 0, -L / 2], quaternion_wxyz: IDENTITY, color: '' },
  ]);
  const crank = new Body('crank', [
    { type: 'cylinder', radius: 0.19, length: 0.035, position: [0, 0.035, 0], quaternion_wxyz: Z_TO_Y, color: '' },
    { type: 'cylinder', radius: 0.035, length: 0.09, position: [0, 0.02, 0.15], quaternion_wxyz: Z_TO_Y, color: '' },
  ]);
  const rod = new Body('connecting rod', [
    { type: 'rod', radius: 0.018, length: 0.55, position: [0, 0, 0], quaternion_wxyz: IDENTITY, color: '' },
  ]);
  const slider = new Body('slider', [bar(0.17, 0.12, 0.12)]);

  const rows = doublePendulum(time, L, m, g, [1.9, 2.5, 0, 0]);
  const pivot = [-0.75, 0, 1.15];
  const centre = [0, 0, 0.3];
  const r = 0.15;
  const l = 0.55;
  const speed = 4;
  const signals = { kinetic: [], potential: [], total: [], a1: [], a2: [], w1: [], crank: [], x: [], force: [] };
  rows.forEach(([a, b, u, v], k) => {
    const t = time[k];
    const d1 = [Math.sin(a), -Math.cos(a)];
    const d2 = [Math.sin(b), -Math.cos(b)];
    const elbow = [pivot[0] + L * d1[0], 0, pivot[2] + L * d1[1]];
    upper.add([pivot[0] + (L / 2) * d1[0], 0, pivot[2] + (L / 2) * d1[1]], turnY(-a));
    lower.add([elbow[0] + (L / 2) * d2[0], 0, elbow[2] + (L / 2) * d2[1]], turnY(-b));
    const I = m * L * L;
    const T = (2 / 3) * I * u * u + (I / 6) * v * v + (I / 2) * Math.cos(a - b) * u * v;
    const V = -m * g * L * (1.5 * Math.cos(a) + 0.5 * Math.cos(b));
    const phi = speed * t;
    const pin = [centre[0] + r * Math.sin(phi), 0, centre[2] + r * Math.cos(phi)];
    const x = pin[0] + Math.sqrt(l * l - (pin[2] - centre[2]) ** 2);
    const tilt = Math.atan2(x - pin[0], centre[2] - pin[2]);
    crank.add(centre, turnY(phi));
    rod.add([(pin[0] + x) / 2, 0, (pin[2] + centre[2]) / 2], turnY(tilt));
    slider.add([x, 0, centre[2]], IDENTITY);
    const values = {
      kinetic: T,
      potential: V,
      total: T + V,
      a1: a,
      a2: b,
      w1: u,
      crank: phi,
      x,
      force: 400 * (x - 0.55),
    };
    for (const [key, value] of Object.entries(values)) signals[key].push(value);
  });
  const signal = (name, unit, values) => ({ name, unit, values: b64(values) });
  return {
    name: 'Double pendulum and slider-crank',
    version: '0.1.0',
    description: 'Sample of the viewer: two mechanisms side by side, motion known in closed form or by Runge-Kutta',
    gravity: [0, 0, -g],
    time: b64(time),
    bodies: [upper, lower, crank, rod, slider],
    ground: {
      shapes: [
        { type: 'box', size: [0.06, 0.3, 0.5], position: [1.28, 0, 0.25], quaternion_wxyz: IDENTITY, color: '' },
      ],
    },
    joints: [
      {
        name: 'shoulder',
        type: 'revolute',
        body_i: 'upper arm',
        body_j: 'ground',
        marker_i: marker([0, 0, L / 2], Z_TO_Y),
        marker_j: marker(pivot, Z_TO_Y),
      },
      {
        name: 'elbow',
        type: 'revolute',
        body_i: 'lower arm',
        body_j: 'upper arm',
        marker_i: marker([0, 0, L / 2], Z_TO_Y),
        marker_j: marker([0, 0, -L / 2], Z_TO_Y),
      },
      {
        name: 'crank bearing',
        type: 'revolute',
        body_i: 'crank',
        body_j: 'ground',
        marker_i: marker([0, 0, 0], Z_TO_Y),
        marker_j: marker(centre, Z_TO_Y),
      },
      {
        name: 'crank pin',
        type: 'spherical',
        body_i: 'rod end',
        body_j: 'crank',
        marker_i: marker([0, 0, -l / 2]),
        marker_j: marker([0, 0, r]),
      }, // unknown body: must be ignored
      {
        name: 'big end',
        type: 'spherical',
        body_i: 'connecting rod',
        body_j: 'crank',
        marker_i: marker([0, 0, -l / 2]),
        marker_j: marker([0, 0, r]),
      },
      {
        name: 'small end',
        type: 'universal',
        body_i: 'connecting rod',
        body_j: 'slider',
        marker_i: marker([0, 0, l / 2], Z_TO_Y),
        marker_j: marker([0, 0, 0], IDENTITY),
      },
      {
        name: 'guide',
        type: 'translational',
        body_i: 'slider',
        body_j: 'ground',
        marker_i: marker([0, 0, 0], Z_TO_X),
        marker_j: marker([0.55, 0, centre[2]], Z_TO_X),
      },
    ],
    springs: [
      {
        name: 'return spring',
        body_i: 'slider',
        body_j: 'ground',
        point_i: [0.085, 0, 0],
        point_j: [1.25, 0, centre[2]],
      },
      {
        name: 'pendulum spring',
        body_i: 'upper arm',
        body_j: 'ground',
        point_i: [0, 0, 0],
        point_j: [-0.75, 0.25, 1.7],
      },
    ],
    points: [
      { name: 'tip', body: 'lower arm', position: [0, 0, -L / 2] },
      { name: 'rod middle', body: 'connecting rod', position: [0, 0, 0] },
    ],
    signals: [
      signal('kinetic energy', 'J', signals.kinetic),
      signal('potential energy', 'J', signals.potential),
      signal('total energy', 'J', signals.total),
      signal('shoulder.angle', 'rad', signals.a1),
      signal('elbow.angle', 'rad', signals.a2),
      signal('shoulder.rate', 'rad/s', signals.w1),
      signal('crank bearing.angle', 'rad', signals.crank),
      signal('guide.position', 'm', signals.x),
      signal('return spring.force', 'N', signals.force),
    ],
    certificate: {
      verdict: 'doubtful',
      doubts: ['t = 3.41 s: the energy is 0.2 J off what forces and motions have done; try a step of 0.00025 s'],
      solver: 'generalized-alpha',
      tolerance: 1e-6,
      reproducible: true,
      model: { bodies: 5, joints: 6, degrees_of_freedom: 3, redundant_constraints: 0 },
      integration: { steps: 6042, rejected: 17, step_size: { min: 1.2e-5, max: 2.5e-3, mean: 9.93e-4 } },
      constraint_violation: {
        position_max: 3.1e-12,
        velocity_max: 8.4e-11,
        worst: { joint: 'crank pin', time: 3.412 },
      },
      energy: { drift_relative: 2.6e-7, balance: 'pass' },
      checks: [
        { name: 'finite', result: 'pass' },
        { name: 'unit quaternions', result: 'pass', norm_error: 2.2e-16 },
      ],
      input_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    later_field: { ignored: true },
  };
}

/** Bodies without shapes, gravity along -y, nothing optional but joints. */
export function bareFourBar() {
  const n = 200;
  const time = times(4, n);
  const a = 0.3;
  const b = 0.9;
  const c = 0.6;
  const d = 0.8;
  const crank = new Body('crank');
  const coupler = new Body('coupler');
  const rocker = new Body('rocker');
  for (const t of time) {
    const phi = Math.PI * t;
    const A = [a * Math.cos(phi), a * Math.sin(phi)];
    const gap = Math.hypot(d - A[0], A[1]);
    const base = Math.atan2(-A[1], d - A[0]);
    const psi = base + Math.acos((b * b + gap * gap - c * c) / (2 * b * gap));
    const B = [A[0] + b * Math.cos(psi), A[1] + b * Math.sin(psi)];
    const theta = Math.atan2(B[1], B[0] - d);
    crank.add([A[0] / 2, A[1] / 2, 0], turnZ(phi));
    coupler.add([(A[0] + B[0]) / 2 - 0.12 * Math.sin(psi), (A[1] + B[1]) / 2 + 0.12 * Math.cos(psi), 0], turnZ(psi));
    rocker.add([d + (c / 2) * Math.cos(theta), (c / 2) * Math.sin(theta), 0], turnZ(theta));
  }
  const joint = (name, body_i, body_j, p, q) => ({
    name,
    type: 'revolute',
    body_i,
    body_j,
    marker_i: marker(p),
    marker_j: marker(q),
  });
  return {
    name: 'four-bar',
    gravity: [0, -9.81, 0],
    time: b64(time),
    bodies: [crank, coupler, rocker],
    joints: [
      joint('A0', 'crank', 'ground', [-a / 2, 0, 0], [0, 0, 0]),
      joint('A', 'coupler', 'crank', [-b / 2, -0.12, 0], [a / 2, 0, 0]),
      joint('B', 'rocker', 'coupler', [c / 2, 0, 0], [b / 2, -0.12, 0]),
      joint('B0', 'rocker', 'ground', [-c / 2, 0, 0], [d, 0, 0]),
    ],
    points: [{ name: 'coupler point', body: 'coupler', position: [0.05, 0.3, 0] }],
  };
}

/** A hundred bodies with a thousand samples, to see that a larger run loads at once. */
export function longChain(count = 100, n = 1000) {
  const time = times(10, n);
  const l = 0.2;
  const bodies = [];
  const joints = [];
  for (let k = 0; k < count; ++k) {
    bodies.push(
      new Body(
        `link ${k + 1}`,
        k % 2
          ? []
          : [{ type: 'capsule', radius: 0.02, length: l, position: [0, 0, 0], quaternion_wxyz: IDENTITY, color: '' }],
      ),
    );
    joints.push({
      name: `ball ${k + 1}`,
      type: k % 3 ? 'spherical' : 'universal',
      body_i: `link ${k + 1}`,
      body_j: k ? `link ${k}` : 'ground',
      marker_i: marker([0, 0, l / 2], k % 3 ? IDENTITY : Z_TO_Y),
      marker_j: marker(k ? [0, 0, -l / 2] : [0, 0, 0], Z_TO_X),
    });
  }
  for (const t of time) {
    let x = 0;
    let z = 0;
    bodies.forEach((body, k) => {
      const angle = 1.1 + 0.5 * Math.sin(2 * t - 0.15 * k) + 0.011 * k;
      const dx = (l / 2) * Math.sin(angle);
      const dz = (-l / 2) * Math.cos(angle);
      body.add([x + dx, 0, z + dz], turnY(-angle));
      x += 2 * dx;
      z += 2 * dz;
    });
  }
  return {
    name: 'long chain',
    time: b64(time),
    bodies,
    joints,
    signals: [{ name: 'wave', unit: '', values: b64(time.map((t) => Math.sin(2 * t))) }],
  };
}

/** A wheel with an axle that rolls far away over a large floor, so that the camera has to go along. */
export function rollingWheel() {
  const n = 400;
  const time = times(8, n);
  const r = 0.3;
  const wheel = new Body('wheel', [
    { type: 'torus', radius: r - 0.04, length: 0.08, position: [0, 0, 0], quaternion_wxyz: Z_TO_Y, color: '#404850' },
    { type: 'cylinder', radius: 0.05, length: 0.14, position: [0, 0, 0], quaternion_wxyz: Z_TO_Y, color: '' },
    ...[0, 1, 2].map((k) => ({
      type: 'rod',
      radius: 0.012,
      length: 2 * r - 0.1,
      position: [0, 0, 0],
      quaternion_wxyz: turnY((k * Math.PI) / 3),
      color: '',
    })),
  ]);
  const arm = new Body('arm', [
    { type: 'ellipsoid', size: [0.16, 0.1, 0.1], position: [0, 0, 0], quaternion_wxyz: IDENTITY, color: '' },
    {
      type: 'unheard-of',
      radius: 0.02,
      length: 0.3,
      position: [0, 0.08, -0.15],
      quaternion_wxyz: IDENTITY,
      color: 'red',
    },
  ]);
  for (const t of time) {
    const x = 1.5 * t;
    wheel.add([x, 0, r], turnY(x / r));
    arm.add([x, 0, r + 0.35 + 0.03 * Math.sin(9 * t)], IDENTITY);
  }
  return {
    name: 'rolling wheel',
    gravity: [0, 0, -9.81],
    time: b64(time),
    bodies: [wheel, arm],
    ground: {
      shapes: [
        { type: 'box', size: [40, 4, 0.1], position: [15, 0, -0.05], quaternion_wxyz: IDENTITY, color: '#b9c2b0' },
      ],
    },
    joints: [
      {
        name: 'hub',
        type: 'cylindrical',
        body_i: 'wheel',
        body_j: 'arm',
        marker_i: marker([0, 0, 0], Z_TO_Y),
        marker_j: marker([0, 0, -0.35], Z_TO_Y),
      },
      {
        name: 'strut',
        type: 'fixed',
        body_i: 'arm',
        body_j: 'arm',
        marker_i: marker([0, 0, 0.06]),
        marker_j: marker([0, 0, 0.06]),
      },
    ],
    points: [{ name: 'rim', body: 'wheel', position: [0, 0, r] }],
    signals: [
      { name: 'distance', unit: 'm', values: b64(time.map((t, k) => (k > 150 && k < 170 ? NaN : 1.5 * t))) },
      { name: 'speed', unit: 'm/s', values: b64(time.map(() => 1.5)) },
    ],
  };
}

/**
 * Two masses on springs between walls, with their two modes, a Campbell diagram and a response in closed form; and one of
 * each thing that the other samples lack: forces, reactions, a rod, a bushing, a bending beam, bodies known by their inertia.
 */
export function linear() {
  const n = 201;
  const time = times(4, n);
  const k = 400;
  const m = 2;
  const w1 = Math.sqrt(k / m);
  const w2 = Math.sqrt((3 * k) / m);
  const L = 0.5;
  const solid = (name) => Object.assign(new Body(name), { mass: m, inertia: [0.006, 0.006, 0.004, 0, 0, 0] });
  const left = solid('left');
  const right = solid('right');
  const arm = new Body('arm', [
    { type: 'box', size: [0.5, 0.03, 0.03], position: [0, 0, 0], quaternion_wxyz: IDENTITY, color: '' },
  ]);
  const push = [];
  const reaction = [];
  const nodes = [];
  const values = [];
  for (const t of time) {
    const a = 0.05 * Math.cos(w1 * t);
    const b = 0.02 * Math.cos(w2 * t);
    const turn = 0.5 * Math.sin(2 * t);
    left.add([L + a + b, 0, 0.1], IDENTITY);
    right.add([2 * L + a - b, 0, 0.1], IDENTITY);
    arm.add([0.25 * Math.cos(turn), 0.5, 0.4 - 0.25 * Math.sin(turn)], turnY(turn));
    push.push(12 * Math.sin(3 * t));
    reaction.push(0, 3 * Math.sin(2 * t), 20);
    for (let i = 0; i < 12; ++i) {
      const x = i / 11;
      nodes.push(1.2 * x, -0.4, 0.5 + 0.15 * Math.sin(3 * t) * x * x);
      values.push(Math.abs(Math.sin(3 * t)) * (1 - x));
    }
  }
  const rail = (name, body, x) => ({
    name,
    type: 'translational',
    body_i: body,
    body_j: 'ground',
    marker_i: marker([0, 0, 0], Z_TO_X),
    marker_j: marker([x, 0, 0.1], Z_TO_X),
    force: b64(reaction),
    torque: b64(reaction.map((v) => 0.05 * v)),
  });
  const shape = (a, b) =>
    b64([
      a,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      b,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0.3,
      0,
      0,
      0,
      0,
      0,
      0,
      0.1,
    ]);
  const speeds = times(60, 31);
  const frequency = Array.from({ length: 200 }, (_, i) => 0.2 * 1.03 ** i);
  const response = frequency.map((f) => 1 / Math.hypot(k - m * (2 * Math.PI * f) ** 2, 2 * Math.PI * f * 2));
  const zero = b64(time.map(() => 0));
  const signal = (name, unit, list) => ({ name, unit, values: b64(list) });
  return {
    name: 'two masses',
    gravity: [0, 0, -9.81],
    time: b64(time),
    bodies: [left, right, arm],
    ground: {
      shapes: [0, 3 * L].map((x) => ({
        type: 'box',
        size: [0.04, 0.3, 0.3],
        position: [x, 0, 0.15],
        quaternion_wxyz: IDENTITY,
        color: '',
      })),
      markers: [{ name: 'wall', ...marker([0, 0, 0.3]) }],
    },
    joints: [
      rail('left rail', 'left', L),
      rail('right rail', 'right', 2 * L),
      {
        name: 'pivot',
        type: 'revolute',
        body_i: 'arm',
        body_j: 'ground',
        marker_i: marker([-0.25, 0, 0], Z_TO_Y),
        marker_j: marker([0, 0.5, 0.4], Z_TO_Y),
      },
      {
        name: 'rod',
        type: 'distance',
        body_i: 'arm',
        body_j: 'ground',
        marker_i: marker([0.25, 0, 0]),
        marker_j: marker([0.9, 0.5, 0.8]),
      },
    ],
    springs: [
      ['ground', 'left', 0, 0],
      ['left', 'right', 0, 0],
      ['right', 'ground', 0, 0],
    ].map(([a, b], i) => ({
      name: `spring ${i + 1}`,
      body_i: a,
      body_j: b,
      point_i: i === 0 ? [0.02, 0, 0.1] : [0.05, 0, 0],
      point_j: i === 2 ? [3 * L - 0.02, 0, 0.1] : [-0.05, 0, 0],
    })),
    forces: [
      {
        name: 'push',
        type: 'force',
        body_i: 'ground',
        body_j: 'right',
        marker_i: marker([0, 0, 0]),
        marker_j: marker([0, 0, 0.06]),
        axes: 'ground',
      },
      {
        name: 'mount',
        type: 'bushing',
        body_i: 'ground',
        body_j: 'left',
        marker_i: marker([L, 0.2, 0.1], Z_TO_Y),
        marker_j: marker([0, 0.2, 0], Z_TO_Y),
        axes: 'marker',
      },
      {
        name: 'clock spring',
        type: 'torsion-spring',
        body_i: 'arm',
        body_j: 'ground',
        marker_i: marker([-0.25, 0, 0], Z_TO_Y),
        marker_j: marker([0, 0.5, 0.4], Z_TO_Y),
        turns: true,
      },
      {
        name: 'leaf',
        type: 'beam',
        body_i: 'ground',
        body_j: 'arm',
        marker_i: marker([-0.4, 0.5, 0.2]),
        marker_j: marker([0.2, 0, 0]),
        axes: 'marker',
      },
    ],
    beams: [
      {
        name: 'cantilever',
        radius: 0.012,
        nodes: b64(nodes),
        values: b64(values),
        quantity: 'bending moment',
        unit: 'N*m',
      },
    ],
    signals: [
      { name: 'push.force_x', unit: 'N', values: b64(push) },
      { name: 'push.force_y', unit: 'N', values: zero },
      { name: 'push.force_z', unit: 'N', values: zero },
      signal(
        'spring 2.force',
        'N',
        time.map((t) => -16 * Math.cos(w2 * t)),
      ),
    ],
    modes: {
      list: [
        { name: 'left, right', frequency: w1 / 2 / Math.PI, damping: 0.01, shape: shape(1, 1) },
        { name: 'left against right', frequency: w2 / 2 / Math.PI, damping: -0.02, shape: shape(1, -1) },
      ],
    },
    campbell: {
      parameter: 'speed',
      unit: 'rad/s',
      values: b64(speeds),
      orders: [1, 2],
      branches: [
        ['forward', 1],
        ['backward', -1],
      ].map(([name, sign]) => ({
        name,
        frequency: b64(speeds.map((v) => (w1 + sign * 0.2 * v) / 2 / Math.PI)),
        damping: b64(speeds.map(() => 0.01)),
      })),
    },
    responses: [
      {
        name: 'left / push',
        unit: 'm/N',
        frequency: b64(frequency),
        magnitude: b64(response),
        phase: b64(
          frequency.map((f) => (-180 / Math.PI) * Math.atan2(2 * Math.PI * f * 2, k - m * (2 * Math.PI * f) ** 2)),
        ),
      },
    ],
  };
}

/** Only the required fields: one body that flies far. */
export function minimal() {
  const n = 50;
  const time = times(3, n);
  const ball = new Body('ball <1>');
  for (const t of time) ball.add([8 * t, 0, 12 * t - 4.905 * t * t], turnY(3 * t));
  return { name: 'thrown & "tumbling"', time: b64(time), bodies: [ball] };
}

export const SAMPLES = { mechanisms, bareFourBar, longChain, rollingWheel, linear, minimal };

/** Puts a run into the built page. "<" is escaped so that no text can end the script element. */
export async function fillTemplate(run) {
  const page = await readFile(path.join(here, '../dist/viewer.html'), 'utf8');
  const json = JSON.stringify(run).replace(/</g, '\\u003c');
  return page.replace('/*BRICARD_DATA*/', () => json);
}

export async function writeSamples(folder) {
  const target = folder ?? (await mkdtemp(path.join(tmpdir(), 'bricard-viewer-')));
  await mkdir(target, { recursive: true });
  const files = [];
  for (const [name, make] of Object.entries(SAMPLES)) files.push(await writeSample(target, name, make()));
  return files;
}

export async function writeSample(folder, name, run) {
  const file = path.join(folder, `${name}.html`);
  await writeFile(file, await fillTemplate(run));
  return file;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log((await writeSamples(process.argv[2])).join('\n'));

// SPDX-License-Identifier: Apache-2.0
// Runs with few kinds of elements: without shapes, long, far away, or with the required fields alone.
import { b64, Body, IDENTITY, marker, times, turnY, turnZ, Z_TO_X, Z_TO_Y } from './parts.mjs';

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

/** Only the required fields: one body that flies far. */
export function minimal() {
  const n = 50;
  const time = times(3, n);
  const ball = new Body('ball <1>');
  for (const t of time) ball.add([8 * t, 0, 12 * t - 4.905 * t * t], turnY(3 * t));
  return { name: 'thrown & "tumbling"', time: b64(time), bodies: [ball] };
}

// SPDX-License-Identifier: Apache-2.0
// Modes and responses, and one of each element.
import { b64, Body, IDENTITY, marker, times, turnY, Z_TO_X, Z_TO_Y } from './parts.mjs';

/**
 * Two masses on springs between walls, with their two modes, a Campbell diagram and a response in closed form; and one
 * of each thing that the other samples lack: forces, reactions, a rod, a bushing, a bending beam, bodies known by their
 * inertia.
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
  const nodes = Array.from({ length: 12 }, (_, i) => new Body(`node ${i}`));
  const moment = [];
  const stress = [];
  for (const t of time) {
    const a = 0.05 * Math.cos(w1 * t);
    const b = 0.02 * Math.cos(w2 * t);
    const turn = 0.5 * Math.sin(2 * t);
    left.add([L + a + b, 0, 0.1], IDENTITY);
    right.add([2 * L + a - b, 0, 0.1], IDENTITY);
    arm.add([0.25 * Math.cos(turn), 0.5, 0.4 - 0.25 * Math.sin(turn)], turnY(turn));
    push.push(12 * Math.sin(3 * t));
    reaction.push(0, 3 * Math.sin(2 * t), 20);
    const bend = 0.15 * Math.sin(3 * t);
    nodes.forEach((node, i) => {
      const x = i / 11;
      node.add([1.2 * x, -0.4, 0.5 + bend * x * x], turnY(-Math.atan((2 * bend * x) / 1.2)));
    });
    for (const x of [0, 0.5, 1]) {
      const M = -8 * Math.sin(3 * t) * (1 - x);
      moment.push(0, M, 0);
      stress.push(...[M, M, -M, -M].map((v) => 1e6 * v));
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
  // Of each body: displacement and turn, real parts first.
  const shape = (a, b) => {
    const body = (entries) => Object.assign(new Array(12).fill(0), entries);
    return b64([body({ 0: a }), body({ 0: b }), body({ 4: 0.3, 11: 0.1 }), ...nodes.map(() => body({}))].flat());
  };
  const speeds = times(60, 31);
  const frequency = Array.from({ length: 200 }, (_, i) => 0.2 * 1.03 ** i);
  const response = frequency.map((f) => 1 / Math.hypot(k - m * (2 * Math.PI * f) ** 2, 2 * Math.PI * f * 2));
  const zero = b64(time.map(() => 0));
  const signal = (name, unit, list) => ({ name, unit, values: b64(list) });
  return {
    name: 'two masses',
    gravity: [0, 0, -9.81],
    time: b64(time),
    bodies: [left, right, arm, ...nodes],
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
        nodes: nodes.map((node) => node.name),
        s: nodes.map((_, i) => (1.2 * i) / 11),
        sections: [{ type: 'I', width: 0.04, height: 0.06, thickness: 0.006, flange: 0.008 }],
        stations: [0, 0.6, 1.2],
        quantities: [
          { name: 'moment', unit: 'N*m', columns: ['x', 'y', 'z'], values: b64(moment) },
          { name: 'normal_stress', unit: 'N/m^2', columns: ['+y+z', '-y+z', '-y-z', '+y-z'], values: b64(stress) },
        ],
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

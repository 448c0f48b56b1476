// SPDX-License-Identifier: Apache-2.0
// Forces as arrows, torques as arrows with two heads. All arrows are drawn with two instanced meshes.
import { Color, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { locate, sampleSignal, type Place, type Run, type Signal } from './data';
import type { Model } from './model';
import { cone, cylinder, solidMaterial } from './shapes';
import { makeId, type Id, type State } from './state';

/** Force or torque on body `body` at a point, at the present time. */
interface Source {
  id: Id;
  torque: boolean;
  color: string;
  at(out: Vector3): void;
  value(place: Place, time: number, out: Vector3): void;
}

const REACTION = '#D55E00';
const TORQUE = '#CC79A7';
const SPRING = '#0072B2';
const APPLIED = '#009E73';
const Z = new Vector3(0, 0, 1);

function track(values: Float32Array, { row, fraction }: Place, out: Vector3): void {
  const i = 3 * row;
  const j = fraction > 0 ? i + 3 : i;
  out.set(
    values[i] + fraction * (values[j] - values[i]),
    values[i + 1] + fraction * (values[j + 1] - values[i + 1]),
    values[i + 2] + fraction * (values[j + 2] - values[i + 2]),
  );
}

export class Arrows {
  readonly root = new Group();
  readonly sources: Source[];
  /** Force and torque that are drawn as long as the unit of length, before the user's scale; 0 if there are none. */
  readonly forceUnit: number;
  readonly torqueUnit: number;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly radius: number;

  constructor(private readonly model: Model) {
    const { run, size } = model;
    this.sources = [...jointSources(model), ...springSources(model), ...forceSources(model)];
    this.forceUnit = this.usual(run, false) / (0.2 * size);
    this.torqueUnit = this.usual(run, true) / (0.13 * size);
    this.radius = Math.min(0.5 * model.symbol, 0.006 * size);
    const material: MeshStandardMaterial = solidMaterial('#ffffff');
    const n = Math.max(1, this.sources.length);
    // Forces act inside of joints: they are seen through the bodies.
    material.depthTest = false;
    material.transparent = true;
    material.opacity = 0.92;
    this.shafts = new InstancedMesh(cylinder(1, 1), material, n);
    this.heads = new InstancedMesh(cone(1, 0, 1), material, 2 * n);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 5;
      this.root.add(mesh);
    }
    this.sources.forEach(({ color }, k) => {
      this.shafts.setColorAt(k, new Color(color));
      for (const j of [0, 1]) this.heads.setColorAt(2 * k + j, new Color(color));
    });
    this.root.visible = false;
  }

  /** What all but the largest twentieth of the values of the run stay below. */
  private usual(run: Run, torque: boolean): number {
    const sizes: number[] = [];
    const v = new Vector3();
    const n = run.time.length;
    const step = Math.max(1, Math.floor(n / 60));
    for (const source of this.sources) {
      if (source.torque !== torque) continue;
      for (let row = 0; row < n; row += step) {
        source.value({ row, fraction: 0 }, run.time[row], v);
        if (v.length() > 0 && Number.isFinite(v.length())) sizes.push(v.length());
      }
    }
    return sizes.sort((a, b) => a - b)[Math.floor(0.95 * sizes.length)] ?? 0;
  }

  /** All arrows, or those of the selected element. */
  update(state: State, time: number): void {
    const { place, inMode } = this.model;
    const all = state.options.arrows;
    this.root.visible = !inMode && (all || this.sources.some((s) => s.id === state.selected));
    if (!this.root.visible) return;
    const at = new Vector3();
    const v = new Vector3();
    const q = new Quaternion();
    const m = new Matrix4();
    const scale = new Vector3();
    const p = new Vector3();
    const put = (mesh: InstancedMesh, k: number, along: number, length: number, radius: number): void => {
      mesh.setMatrixAt(k, m.compose(p.copy(at).addScaledVector(v, along), q, scale.set(radius, radius, length)));
    };
    this.sources.forEach((source, k) => {
      source.at(at);
      source.value(place, time, v);
      const unit = source.torque ? this.torqueUnit : this.forceUnit;
      const shown = (all || source.id === state.selected) && !state.hidden.has(source.id);
      const length = shown && unit > 0 ? (state.arrowScale * v.length()) / unit : 0;
      if (!(length > 1e-3 * this.model.size)) {
        v.set(0, 0, 1);
        for (const [mesh, index] of [
          [this.shafts, k],
          [this.heads, 2 * k],
          [this.heads, 2 * k + 1],
        ] as const)
          put(mesh, index, 0, 0, 0);
        return;
      }
      v.normalize();
      q.setFromUnitVectors(Z, v);
      const head = Math.min(0.45 * length, 7 * this.radius);
      const second = source.torque ? 0.75 * head : 0;
      put(this.shafts, k, (length - head) / 2, length - head, this.radius);
      put(this.heads, 2 * k, length - head / 2, head, 2.6 * this.radius);
      put(this.heads, 2 * k + 1, length - head / 2 - second, second > 0 ? head : 0, second > 0 ? 2.6 * this.radius : 0);
    });
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }
}

function jointSources(model: Model): Source[] {
  return model.run.joints.flatMap((joint, k): Source[] => {
    const id = makeId('joint', k);
    const at = (out: Vector3): void => {
      model.at(joint.bodyJ, joint.markerJ.position, out);
    };
    const of = (values: Float32Array, torque: boolean): Source[] =>
      values.length === 0
        ? []
        : [{ id, torque, color: torque ? TORQUE : REACTION, at, value: (place, _, out) => track(values, place, out) }];
    return [...of(joint.force, false), ...of(joint.torque, true)];
  });
}

const value = (signal: Signal, run: Run, time: number): number =>
  sampleSignal(signal.values, locate(signal.time ?? run.time, time));

/** The pull of a spring at its second end; the line of action is that of the present picture. */
function springSources(model: Model): Source[] {
  const { run } = model;
  const a = new Vector3();
  const b = new Vector3();
  return run.springs.flatMap((spring, k): Source[] => {
    const pull = run.signals.find((s) => s.name === `${spring.name}.force`);
    return pull
      ? [
          {
            id: makeId('spring', k),
            torque: false,
            color: SPRING,
            at: (out) => {
              model.springEnds(k, a, out);
            },
            value: (_, time, out) => {
              model.springEnds(k, a, b);
              out
                .copy(a)
                .sub(b)
                .normalize()
                .multiplyScalar(value(pull, run, time));
            },
          },
        ]
      : [];
  });
}

function forceSources(model: Model): Source[] {
  const { run } = model;
  return run.forces.flatMap((force, k): Source[] => {
    const of = (what: string, torque: boolean): Source[] => {
      const parts = ['x', 'y', 'z'].map((axis) => run.signals.find((s) => s.name === `${force.name}.${what}_${axis}`));
      const [x, y, z] = parts;
      if (!x || !y || !z) return [];
      const turn = new Quaternion();
      return [
        {
          id: makeId('force', k),
          torque,
          color: torque ? TORQUE : APPLIED,
          at: (out) => {
            model.at(force.bodyJ, force.markerJ.position, out);
          },
          value: (_, time, out) => {
            out.set(value(x, run, time), value(y, run, time), value(z, run, time));
            if (force.axes === 'marker') out.applyQuaternion(model.axesOf(force.bodyI, force.markerI, turn));
          },
        },
      ];
    };
    return [...of('force', false), ...of('torque', true)];
  });
}

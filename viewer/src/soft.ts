// SPDX-License-Identifier: Apache-2.0
// Everything that changes its form: springs, beams that bend, points with their paths. Each has its own meshes.
import { Group, Mesh, Vector3, type MeshStandardMaterial, type Object3D, type Quaternion, type Raycaster } from 'three';
import { BendingTube, cubic } from './beams';
import type { Beam, Force, Frame, Place, Run, TracePoint, Vec3 } from './data';
import { neutralMaterial } from './instances';
import { worldPoint } from './measure';
import { LINE_COLORS } from './palette';
import { setPlain } from './plain';
import { solidMaterial } from './shapes';
import { Coil } from './springs';
import { makeId, type Id } from './state';
import { Trace } from './traces';

/** Where and when bodies are drawn now. */
export interface Drawn {
  readonly place: Place;
  at(body: number, point: Vec3, out: Vector3): Vector3;
  axesOf(body: number, marker: Frame): Quaternion;
  springEnds(k: number, a: Vector3, b: Vector3): void;
}

/** `meshes` are those of the thing itself; the outline hangs others below `object`. */
interface Soft {
  object: Object3D;
  meshes: Mesh[];
  material: MeshStandardMaterial;
}

interface Bending {
  tube: BendingTube;
  nodes: Float32Array;
  /** Fills the nodes; returns the colours of them from 0 to 1, if they have any. */
  shape(nodes: Float32Array): ArrayLike<number> | null;
}

const BEAM_NODES = 17; // of a massless beam, which is a cubic

export class Softs {
  readonly root = new Group();
  private readonly all = new Map<Id, Soft>();
  private readonly coils: Coil[] = [];
  private readonly traces: Trace[] = [];
  private readonly bending = new Map<Id, Bending>();
  private readonly neutral: MeshStandardMaterial[] = []; // their shade depends on the theme
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private inMode = false;

  constructor(
    private readonly run: Run,
    private readonly symbol: number,
    private readonly drawn: Drawn,
  ) {
    run.springs.forEach((_, k) => this.addSpring(k));
    run.forces.forEach((force, k) => {
      if (force.type === 'beam') this.addCubic(makeId('force', k), force);
    });
    run.beams.forEach((beam, k) => this.addBeam(makeId('beam', k), beam));
    run.points.forEach((point, k) => this.addPoint(k, point));
  }

  private add(id: Id, object: Object3D, material: MeshStandardMaterial): void {
    const meshes: Mesh[] = [];
    object.traverse((o) => {
      if (o instanceof Mesh) meshes.push(o);
    });
    this.all.set(id, { object, meshes, material });
    this.root.add(object);
  }

  private makeNeutral(): MeshStandardMaterial {
    const material = neutralMaterial();
    this.neutral.push(material);
    return material;
  }

  private addSpring(k: number): void {
    this.drawn.springEnds(k, this.a, this.b);
    const length = this.a.distanceTo(this.b);
    const material = this.makeNeutral();
    const coil = new Coil(Math.min(1.5 * this.symbol, length > 0 ? 0.16 * length : Infinity), material);
    this.coils.push(coil);
    this.add(makeId('spring', k), coil, material);
  }

  private addTube(
    id: Id,
    count: number,
    radius: number,
    material: MeshStandardMaterial,
    shape: Bending['shape'],
  ): void {
    const tube = new BendingTube(count, radius, material);
    this.bending.set(id, { tube, nodes: new Float32Array(3 * count), shape });
    this.add(id, tube.mesh, material);
  }

  /** A massless beam between two markers: a cubic with x of the markers as directions. */
  private addCubic(id: Id, { bodyI, markerI, bodyJ, markerJ }: Force): void {
    const [a, ta, b, tb] = [0, 1, 2, 3].map(() => new Vector3());
    this.addTube(id, BEAM_NODES, 0.5 * this.symbol, this.makeNeutral(), (nodes) => {
      this.drawn.at(bodyI, markerI.position, a);
      this.drawn.at(bodyJ, markerJ.position, b);
      ta.set(1, 0, 0).applyQuaternion(this.drawn.axesOf(bodyI, markerI));
      tb.set(1, 0, 0).applyQuaternion(this.drawn.axesOf(bodyJ, markerJ));
      cubic(a, ta, b, tb, nodes);
      return null;
    });
  }

  /** A beam of the run: nodes, and colours from the least to the greatest of its values, between two samples. */
  private addBeam(id: Id, { count, radius, nodes: stored, values }: Beam): void {
    const low = values.reduce((m, v) => Math.min(m, v), Infinity);
    const high = values.reduce((m, v) => Math.max(m, v), -Infinity);
    const shares = values.length > 0 && high > low ? new Float32Array(count) : null;
    const material = shares ? solidMaterial('#ffffff') : this.makeNeutral();
    material.vertexColors = shares !== null;
    this.addTube(id, count, radius > 0 ? radius : 0.6 * this.symbol, material, (nodes) => {
      const { row, fraction } = this.drawn.place;
      const next = fraction > 0 ? row + 1 : row;
      const mix = (list: Float32Array, width: number, i: number): number => {
        const here = list[row * width + i];
        return here + fraction * (list[next * width + i] - here);
      };
      for (let i = 0; i < nodes.length; ++i) nodes[i] = mix(stored, nodes.length, i);
      shares?.forEach((_, i) => {
        shares[i] = (mix(values, count, i) - low) / (high - low);
      });
      return shares;
    });
  }

  private addPoint(k: number, { body, position }: TracePoint): void {
    const color = LINE_COLORS[(k + 1) % LINE_COLORS.length];
    const material = solidMaterial(color);
    const pointAt = (row: number, out: Vector3): void => {
      worldPoint(this.run, { row, fraction: 0 }, body, position, out);
    };
    const trace = new Trace(this.run.time.length, pointAt, color, 0.8 * this.symbol, material);
    this.traces.push(trace);
    this.root.add(trace.paths);
    this.add(makeId('point', k), trace.dot, material);
  }

  /** The middle node of a beam, as it is drawn. */
  middleOf(beam: Id, out: Vector3): Vector3 {
    const { nodes } = this.bending.get(beam)!;
    return out.fromArray(nodes, 3 * ((nodes.length / 3) >> 1));
  }

  /** Brings everything to where the bodies are. Paths belong to the run, not to a mode. */
  update(inMode: boolean): void {
    this.coils.forEach((coil, k) => {
      this.drawn.springEnds(k, this.a, this.b);
      coil.span(this.a, this.b);
    });
    for (const { tube, nodes, shape } of this.bending.values()) tube.bend(nodes, shape(nodes));
    this.traces.forEach((trace, k) => {
      const { body, position } = this.run.points[k];
      trace.update(this.drawn.place, this.drawn.at(body, position, this.a));
      trace.paths.visible = trace.shown && !inMode;
    });
    this.inMode = inMode;
  }

  show(isShown: (id: Id) => boolean, withTraces: boolean): void {
    for (const [id, { object }] of this.all) object.visible = isShown(id);
    this.traces.forEach((trace, k) => {
      trace.shown = withTraces && isShown(makeId('point', k));
      trace.paths.visible = trace.shown && !this.inMode;
    });
  }

  setFine(fine: boolean, plain: boolean): void {
    for (const trace of this.traces) trace.setFine(fine);
    for (const { meshes } of this.all.values()) for (const mesh of meshes) setPlain(mesh, plain);
  }

  /** Share of white that is mixed in. */
  tint(id: Id, share: number): void {
    const material = this.all.get(id)?.material;
    if (!material) return;
    material.emissive.set('#ffffff');
    material.emissiveIntensity = 0.45 * share;
  }

  setNeutral(shade: string): void {
    for (const material of this.neutral) material.color.set(shade);
  }

  meshesOf(id: Id): Mesh[] {
    return this.all.get(id)?.meshes ?? [];
  }

  pick(raycaster: Raycaster): { id: Id; distance: number }[] {
    return [...this.all].flatMap(([id, { object, meshes }]) =>
      object.visible ? raycaster.intersectObjects(meshes, false).map(({ distance }) => ({ id, distance })) : [],
    );
  }
}

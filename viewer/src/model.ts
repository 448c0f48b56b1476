// SPDX-License-Identifier: Apache-2.0
// The model in three dimensions: builds the objects of a run and moves them in time.
import {
  Box3,
  Group,
  Mesh,
  Raycaster,
  Vector3,
  type MeshStandardMaterial,
  type Object3D,
  type Quaternion,
} from 'three';
import { BendingTube, cubic } from './beams';
import {
  addBody,
  addForces,
  addJoints,
  addMarkers,
  addSolid,
  bodyColor,
  GROUND_COLOR,
  standIn,
  type Link,
} from './build';
import { GROUND, locate, newPose, samplePose, type Frame, type Pair, type Place, type Run, type Vec3 } from './data';
import { addMode, type Mode } from './frequency';
import { Instances, neutralMaterial } from './instances';
import {
  axialTravel,
  boxAtRows,
  boxCorners,
  cornersAtRows,
  diagonal,
  findAnchors,
  localBox,
  looseBoxes,
  sampleRows,
  worldPoint,
} from './measure';
import { Outline } from './outline';
import { LINE_COLORS } from './palette';
import { setPlain } from './plain';
import { setDetail, solidMaterial, toQuaternion, toVector } from './shapes';
import { Coil } from './springs';
import { makeId, splitId, type Id, type State } from './state';
import { Trace } from './traces';

/** Things that change their form, each with its own meshes and material. The outline hangs further meshes below `object`. */
interface Soft {
  object: Object3D;
  meshes: Mesh[];
  material: MeshStandardMaterial;
}
interface Bending {
  tube: BendingTube;
  nodes: Float32Array;
  shape(nodes: Float32Array): ArrayLike<number> | null;
}
/** How far bodies are moved along a mode. */
interface Swing {
  mode: Mode;
  scale: number;
  angle: number;
}

const BEAM_NODES = 17;

export class Model {
  readonly root = new Group();
  /** Diagonal of the model at the start. */
  readonly size: number;
  /** Space the model passes through during the run. */
  readonly motion: Box3;
  /** The model goes far compared with its own size: cameras and lights must go along. */
  readonly travels: boolean;
  /** Radius of joint pins. */
  readonly symbol: number;
  readonly outline = new Outline();
  place: Place;

  private readonly frames: Group[];
  private readonly ground = new Group();
  private readonly boxes: Box3[]; // of the bodies, in their own frames
  private readonly instances: Instances;
  private readonly markerCount: number;
  private readonly links: Link[];
  private readonly softs = new Map<Id, Soft>();
  private readonly coils: Coil[] = [];
  private readonly traces: Trace[] = [];
  private readonly bending = new Map<Id, Bending>();
  private readonly neutral: MeshStandardMaterial[] = []; // of soft things whose shade depends on the theme
  private swing: Swing | null = null;
  private outlined: Id | null = null;
  private tinted: Id[] = [];

  constructor(readonly run: Run) {
    setDetail(run.bodies.length);
    this.place = locate(run.time, run.time[0]);
    this.frames = run.bodies.map(() => new Group());
    this.root.add(this.ground, ...this.frames);

    const anchors = findAnchors(run);
    const rows = sampleRows(run, Math.max(8, Math.min(60, Math.round(6000 / Math.max(1, run.bodies.length)))));
    this.boxes = run.bodies.map((body, k) => localBox(body.shapes, body.massCenter, anchors.bodies[k]));
    const sizeAtStart = (): number => {
      const start = boxAtRows(run, this.boxes, [0]);
      for (const box of looseBoxes(run, [0])) start.union(box);
      for (const p of anchors.ground) start.expandByPoint(p);
      // A lone point mass has no size of its own: take a share of the way it goes.
      return diagonal(start) || 0.3 * diagonal(boxAtRows(run, this.boxes, rows)) || 1;
    };
    const rough = sizeAtStart();
    const solids = run.bodies.map((body, k) => standIn(body, anchors.bodies[k], rough));
    solids.forEach((solid, k) => {
      if (solid) this.boxes[k].union(localBox([solid], run.bodies[k].massCenter, []));
    });
    this.size = sizeAtStart();
    // In long chains the parts, not the whole, decide how large a pin may be.
    const extents = this.boxes
      .map(diagonal)
      .filter((e) => e > 0)
      .sort((a, b) => a - b);
    this.symbol = Math.min(0.017 * this.size, 0.06 * (extents[extents.length >> 1] ?? this.size));

    run.bodies.forEach((_, k) => {
      addBody(run, k, anchors.bodies[k], diagonal(this.boxes[k]) || this.size, this.symbol, solids[k], this.frames[k]);
      for (const mesh of this.frames[k].children) this.boxes[k].union(new Box3().setFromObject(mesh));
    });
    if (run.groundShapes.length > 0) addSolid(makeId('ground', 0), run.groundShapes, GROUND_COLOR, this.ground);
    this.scenery = new Box3().setFromObject(this.ground);
    this.motion = boxAtRows(run, this.boxes, rows);
    for (const p of anchors.ground) this.motion.expandByPoint(p);
    for (const box of looseBoxes(run, rows)) this.motion.union(box);
    if (this.motion.isEmpty()) this.motion.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
    this.travels = diagonal(this.motion) > 4 * this.size;

    const context = {
      size: this.symbol,
      up: toVector(run.up),
      frame: (body: number) => this.frameOf(body),
      travel: (slider: number, i: Frame, rail: number, j: Frame) => axialTravel(run, slider, i, rail, j),
      reach: (joint: Pair) => this.reach(joint),
    };
    this.links = addJoints(run, context, this.root);
    addForces(run, context);
    this.markerCount = addMarkers(run, 2.2 * this.symbol, context.frame);
    this.instances = new Instances([this.ground, ...this.frames, ...this.links.map((l) => l.frame)]);
    for (const mesh of this.instances.meshes) this.root.add(mesh);
    this.buildSprings();
    this.buildBeams();
    this.buildPoints();
    this.setTime(run.time[0]);
  }

  private readonly scenery: Box3;

  bodyColor(k: number): string {
    return bodyColor(this.run, k);
  }

  private soft(id: Id, object: Object3D, material: MeshStandardMaterial): void {
    const meshes: Mesh[] = [];
    object.traverse((o) => {
      if (o instanceof Mesh) meshes.push(o);
    });
    this.softs.set(id, { object, meshes, material });
    this.root.add(object);
  }

  /** Half length of a pin: as far as the joined bodies reach along the axis, within reason. */
  private reach(joint: Pair): number {
    let half = 1.7 * this.symbol;
    for (const [body, marker] of [
      [joint.bodyI, joint.markerI],
      [joint.bodyJ, joint.markerJ],
    ] as const) {
      if (body === GROUND) continue;
      const axis = new Vector3(0, 0, 1).applyQuaternion(toQuaternion(marker.quaternion));
      const box = this.boxes[body];
      const at = toVector(marker.position);
      const far = [0, 1, 2].map(
        (c) =>
          Math.abs(axis.getComponent(c)) *
          Math.max(box.max.getComponent(c) - at.getComponent(c), at.getComponent(c) - box.min.getComponent(c)),
      );
      const needed = far[0] + far[1] + far[2] + 0.35 * this.symbol;
      if (needed < 5 * this.symbol) half = Math.max(half, needed);
    }
    return half;
  }

  private buildSprings(): void {
    const a = new Vector3();
    const b = new Vector3();
    this.run.springs.forEach((_, k) => {
      this.springEnds(k, a, b);
      const length = a.distanceTo(b);
      const radius = Math.min(1.5 * this.symbol, length > 0 ? 0.16 * length : Infinity);
      const material = neutralMaterial();
      const coil = new Coil(radius, material);
      this.neutral.push(material);
      this.coils.push(coil);
      this.soft(makeId('spring', k), coil, material);
    });
  }

  /** Beams of the run, and the massless ones between two markers, which are cubics with x of the markers as directions. */
  private buildBeams(): void {
    const { run } = this;
    const add = (id: Id, count: number, radius: number, colored: boolean, shape: Bending['shape']): void => {
      const material = colored ? solidMaterial('#ffffff') : neutralMaterial();
      material.vertexColors = colored;
      if (!colored) this.neutral.push(material);
      const tube = new BendingTube(count, radius, material);
      this.bending.set(id, { tube, nodes: new Float32Array(3 * count), shape });
      this.soft(id, tube.mesh, material);
    };
    const ends = [0, 1, 2, 3].map(() => new Vector3());
    run.forces.forEach((force, k) => {
      if (force.type !== 'beam') return;
      add(makeId('force', k), BEAM_NODES, 0.5 * this.symbol, false, (nodes) => {
        this.at(force.bodyI, force.markerI.position, ends[0]);
        this.at(force.bodyJ, force.markerJ.position, ends[2]);
        for (const [body, marker, out] of [
          [force.bodyI, force.markerI, ends[1]],
          [force.bodyJ, force.markerJ, ends[3]],
        ] as const) {
          out.set(1, 0, 0).applyQuaternion(this.axesOf(body, marker));
        }
        cubic(ends[0], ends[1], ends[2], ends[3], nodes);
        return null;
      });
    });
    run.beams.forEach((beam, k) => {
      const low = beam.values.reduce((m, v) => Math.min(m, v), Infinity);
      const high = beam.values.reduce((m, v) => Math.max(m, v), -Infinity);
      const shares = beam.values.length > 0 && high > low ? new Float32Array(beam.count) : null;
      add(
        makeId('beam', k),
        beam.count,
        beam.radius > 0 ? beam.radius : 0.6 * this.symbol,
        shares !== null,
        (nodes) => {
          const { row, fraction } = this.place;
          const next = fraction > 0 ? row + 1 : row;
          const w = 3 * beam.count;
          const mix = (list: Float32Array, i: number, j: number): number => list[i] + fraction * (list[j] - list[i]);
          for (let i = 0; i < w; ++i) nodes[i] = mix(beam.nodes, row * w + i, next * w + i);
          shares?.forEach((_, i) => {
            shares[i] = (mix(beam.values, row * beam.count + i, next * beam.count + i) - low) / (high - low);
          });
          return shares;
        },
      );
    });
  }

  private buildPoints(): void {
    this.run.points.forEach((point, k) => {
      const color = LINE_COLORS[(k + 1) % LINE_COLORS.length];
      const material = solidMaterial(color);
      const trace = new Trace(
        this.run.time.length,
        (row, out) => {
          worldPoint(this.run, { row, fraction: 0 }, point.body, point.position, out);
        },
        color,
        0.8 * this.symbol,
        material,
      );
      this.traces.push(trace);
      this.root.add(trace.paths);
      this.soft(makeId('point', k), trace.dot, material);
    });
  }

  // ---- poses ----------------------------------------------------------------

  /** Box of the moving parts at the present time. */
  presentBox(): Box3 {
    const box = new Box3();
    this.frames.forEach((frame, k) => {
      frame.updateMatrix();
      box.union(this.boxes[k].clone().applyMatrix4(frame.matrix));
    });
    for (const loose of looseBoxes(this.run, [this.place.row])) box.union(loose);
    return box.isEmpty() ? this.motion.clone() : box;
  }

  /** What a view should show: the whole motion, or the model alone if it goes far away. */
  viewPoints(): Vector3[] {
    if (this.travels) return boxCorners(this.presentBox());
    // A few thousand points are plenty; large models are sampled at fewer times.
    const rows = sampleRows(this.run, Math.max(3, Math.min(80, Math.round(800 / Math.max(1, this.run.bodies.length)))));
    const points = cornersAtRows(this.run, this.boxes, rows);
    points.push(...findAnchors(this.run).ground, ...looseBoxes(this.run, rows).flatMap(boxCorners));
    // A large floor is background, a small wall is part of the model.
    if (!this.scenery.isEmpty() && diagonal(this.scenery) < 1.5 * diagonal(this.motion))
      points.push(...boxCorners(this.scenery));
    return points.length > 0 ? points : boxCorners(this.motion);
  }

  setTime(t: number): void {
    this.place = locate(this.run.time, t);
    this.setSwing(null);
  }

  /** Shows the model moved along a mode instead of a time of the run. */
  setMode(mode: Mode, scale: number, angle: number): void {
    this.setSwing({ mode, scale, angle });
  }

  private setSwing(swing: Swing | null): void {
    const changed = (swing === null) !== (this.swing === null);
    this.swing = swing;
    if (changed) for (const trace of this.traces) trace.paths.visible = swing === null && trace.shown; // paths belong to the run
    this.pose();
  }

  get inMode(): boolean {
    return this.swing !== null;
  }

  private pose(): void {
    this.poseBodies();
    const a = new Vector3();
    const b = new Vector3();
    for (const { frame, bodyI, pointI, bodyJ, pointJ } of this.links) {
      this.at(bodyI, pointI, a);
      this.at(bodyJ, pointJ, b).sub(a);
      const length = b.length();
      frame.position.copy(a).addScaledVector(b, 0.5);
      if (length > 0) frame.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), b.divideScalar(length));
      frame.scale.set(1, 1, Math.max(length, 1e-9));
      frame.updateMatrix();
    }
    this.instances.update();
    this.coils.forEach((coil, k) => {
      this.springEnds(k, a, b);
      coil.span(a, b);
    });
    for (const { tube, nodes, shape } of this.bending.values()) tube.bend(nodes, shape(nodes));
    this.traces.forEach((trace, k) => {
      const point = this.run.points[k];
      trace.update(this.place, this.at(point.body, point.position, a));
    });
  }

  private poseBodies(): void {
    const pose = newPose();
    const { modes } = this.run;
    this.run.bodies.forEach((body, k) => {
      samplePose(body, this.place, pose);
      if (this.swing) {
        for (let j = 0; j < 3 && modes.position.length > 0; ++j) pose.position[j] = modes.position[3 * k + j];
        for (let j = 0; j < 4 && modes.quaternion.length > 0; ++j) pose.quaternion[j] = modes.quaternion[4 * k + j];
        addMode(this.swing.mode, k, this.swing.scale, this.swing.angle, pose);
      }
      const { position: p, quaternion: q } = pose;
      this.frames[k].position.set(p[0], p[1], p[2]);
      this.frames[k].quaternion.set(q[1], q[2], q[3], q[0]);
      this.frames[k].updateMatrix();
    });
  }

  frameOf(body: number): Group {
    return body === GROUND ? this.ground : this.frames[body];
  }

  /** Where a point of a body is drawn now. */
  at(body: number, point: Vec3, out = new Vector3()): Vector3 {
    return out
      .set(...point)
      .applyQuaternion(this.frameOf(body).quaternion)
      .add(this.frameOf(body).position);
  }

  /** How the axes of a marker are drawn now. */
  axesOf(body: number, marker: Frame, out = toQuaternion([1, 0, 0, 0])): Quaternion {
    return out.copy(toQuaternion(marker.quaternion)).premultiply(this.frameOf(body).quaternion);
  }

  springEnds(k: number, a: Vector3, b: Vector3): void {
    const s = this.run.springs[k];
    this.at(s.bodyI, s.pointI, a);
    this.at(s.bodyJ, s.pointJ, b);
  }

  /** Where the name of an element is written. */
  labelPoint(id: Id, out: Vector3): Vector3 {
    const [kind, k] = splitId(id);
    const { run } = this;
    if (kind === 'body') return this.at(k, run.bodies[k].massCenter, out);
    if (kind === 'joint') return this.at(run.joints[k].bodyI, run.joints[k].markerI.position, out);
    if (kind === 'force') return this.at(run.forces[k].bodyJ, run.forces[k].markerJ.position, out);
    if (kind === 'point') return this.at(run.points[k].body, run.points[k].position, out);
    if (kind === 'beam') return out.fromArray(this.bending.get(id)!.nodes, 3 * (run.beams[k].count >> 1)); // as it is drawn
    if (kind === 'spring') {
      const b = new Vector3();
      this.springEnds(k, out, b);
      return out.lerp(b, 0.5);
    }
    return out.set(0, 0, 0);
  }

  nameOf(id: Id): string {
    const [kind, k] = splitId(id);
    const { run } = this;
    const lists = {
      body: run.bodies,
      joint: run.joints,
      spring: run.springs,
      force: run.forces,
      beam: run.beams,
      point: run.points,
    };
    return kind === 'ground' || kind === 'marker' ? kind : lists[kind][k].name;
  }

  // ---- looks ----------------------------------------------------------------

  /** Elements under a ray, the nearest first. */
  pick(raycaster: Raycaster): Id[] {
    const hits = this.instances.pick(raycaster);
    for (const [id, { object }] of this.softs) {
      if (object.visible)
        for (const hit of raycaster.intersectObject(object, true)) hits.push({ id, distance: hit.distance });
    }
    return hits
      .filter((h) => !h.id.startsWith('marker'))
      .sort((a, b) => a.distance - b.distance)
      .map((h) => h.id);
  }

  applyState(state: State): void {
    if (state.selected !== this.outlined) this.showOutline(state.selected);
    this.outlined = state.selected;
    const isShown = (id: Id, kind: string): boolean =>
      !state.hidden.has(id) && (kind !== 'joint' || state.options.joints);
    const { run } = this;
    const lists: [Parameters<typeof makeId>[0], unknown[]][] = [
      ['body', run.bodies],
      ['joint', run.joints],
      ['force', run.forces],
      ['ground', [0]],
    ];
    for (const [kind, list] of lists)
      list.forEach((_, k) => this.instances.show(makeId(kind, k), isShown(makeId(kind, k), kind)));
    for (let k = 0; k < this.markerCount; ++k) this.instances.show(makeId('marker', k), state.options.markers);
    for (const id of this.tinted) this.tint(id, 0);
    this.tinted = [];
    for (const [id, share] of [
      [state.hovered, 0.22],
      [state.selected, 0.3],
    ] as const)
      if (id) {
        this.tint(id, share);
        this.tinted.push(id);
      }
    for (const [id, { object }] of this.softs) object.visible = isShown(id, '');
    this.traces.forEach((trace, k) => {
      trace.shown = isShown(makeId('point', k), '') && state.options.traces;
      trace.paths.visible = trace.shown && !this.inMode;
    });
    this.instances.setXray(state.options.xray);
    this.instances.update();
  }

  /** How finely to draw; `pixel` is the size of a pixel at the model. */
  setFine(fine: boolean, plain: boolean, pixel: number): void {
    for (const trace of this.traces) trace.setFine(fine);
    for (const { meshes } of this.softs.values()) for (const mesh of meshes) setPlain(mesh, plain);
    this.instances.setDetail(fine, plain, !fine && this.symbol < pixel, pixel);
  }

  private tint(id: Id, share: number): void {
    this.instances.tint(id, share);
    const material = this.softs.get(id)?.material;
    if (!material) return;
    material.emissive.set('#ffffff');
    material.emissiveIntensity = 0.45 * share;
  }

  private showOutline(id: Id | null): void {
    const soft = id ? this.softs.get(id) : undefined;
    this.outline.show(soft?.meshes ?? [], id ? this.instances.partsOf(id) : []);
  }

  applyTheme(dark: boolean): void {
    const shade = dark ? '#c3ccd8' : '#6a7686';
    this.outline.setTheme(dark);
    this.instances.setNeutral(shade);
    for (const material of this.neutral) material.color.set(shade);
  }
}

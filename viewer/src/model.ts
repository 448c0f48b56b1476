// SPDX-License-Identifier: Apache-2.0
// The model in three dimensions: builds the objects of a run and moves them in time.
import { Box3, Group, Vector3, type Quaternion, type Raycaster } from 'three';
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
import { Instances } from './instances';
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
} from './measure';
import { Outline } from './outline';
import { setDetail, toQuaternion, toVector } from './shapes';
import { Softs } from './soft';
import { makeId, splitId, type Id, type State } from './state';

/** How far bodies are moved along a mode. */
interface Swing {
  mode: Mode;
  scale: number;
  angle: number;
}

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
  private readonly softs: Softs;
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
    for (const beam of run.beams) for (const k of beam.nodes) this.inBeam.add(k);
    run.bodies.forEach((body, k) => body.carried && this.inBeam.add(k));
    const surfaced = new Set(run.surfaces.map(({ body }) => body));
    for (const { body, points } of run.surfaces)
      for (let i = 0; i < points.length; i += 3) this.boxes[body].expandByPoint(new Vector3().fromArray(points, i));
    const solids = run.bodies.map((body, k) =>
      this.inBeam.has(k) || surfaced.has(k) ? null : standIn(body, anchors.bodies[k], rough),
    );
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
      if (this.inBeam.has(k) || (surfaced.has(k) && run.bodies[k].shapes.length === 0)) return;
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
    this.poseBodies(); // springs are built to their lengths
    this.softs = new Softs(run, this.symbol, this);
    this.root.add(this.softs.root);
    this.setTime(run.time[0]);
  }

  private readonly scenery: Box3;
  /** Bodies that are nodes of beams, or interfaces of flexible bodies, and drawn with these. */
  readonly inBeam = new Set<number>();

  bodyColor(k: number): string {
    return bodyColor(this.run, k);
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
    this.swing = swing;
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
    this.softs.update(this.inMode);
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
    const { bodyI, pointI, bodyJ, pointJ } = this.run.springs[k];
    this.at(bodyI, pointI, a);
    this.at(bodyJ, pointJ, b);
  }

  /** Where the name of an element is written. */
  labelPoint(id: Id, out: Vector3): Vector3 {
    const [kind, k] = splitId(id);
    const { run } = this;
    if (kind === 'body') return this.at(k, run.bodies[k].massCenter, out);
    if (kind === 'joint') return this.at(run.joints[k].bodyI, run.joints[k].markerI.position, out);
    if (kind === 'force') return this.at(run.forces[k].bodyJ, run.forces[k].markerJ.position, out);
    if (kind === 'point') return this.at(run.points[k].body, run.points[k].position, out);
    if (kind === 'beam') return this.softs.middleOf(id, out);
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

  /** Corners of a beam as it is drawn now. */
  beamMesh(name: string): { positions: number[]; colors: number[] } | null {
    const k = this.run.beams.findIndex((beam) => beam.name === name);
    const mesh = this.softs.meshesOf(makeId('beam', k))[0];
    if (!mesh) return null;
    const { position, color } = mesh.geometry.attributes;
    return { positions: Array.from(position.array), colors: Array.from(color.array) };
  }

  // ---- looks ----------------------------------------------------------------

  /** Elements under a ray, the nearest first. */
  pick(raycaster: Raycaster): Id[] {
    return [...this.instances.pick(raycaster), ...this.softs.pick(raycaster)]
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
    this.softs.show((id) => isShown(id, ''), state.options.traces);
    this.softs.setQuantity(state.quantity);
    this.instances.setXray(state.options.xray);
    this.instances.update();
  }

  /** How finely to draw; `pixel` is the size of a pixel at the model. */
  setFine(fine: boolean, plain: boolean, pixel: number): void {
    this.softs.setFine(fine, plain);
    this.instances.setDetail(fine, plain, !fine && this.symbol < pixel, pixel);
  }

  private tint(id: Id, share: number): void {
    this.instances.tint(id, share);
    this.softs.tint(id, share);
  }

  private showOutline(id: Id | null): void {
    this.outline.show(id ? this.softs.meshesOf(id) : [], id ? this.instances.partsOf(id) : []);
  }

  applyTheme(dark: boolean): void {
    const shade = dark ? '#c3ccd8' : '#6a7686';
    this.outline.setTheme(dark);
    this.instances.setNeutral(shade);
    this.softs.setNeutral(shade);
  }
}

// SPDX-License-Identifier: Apache-2.0
// The model in three dimensions: builds the objects of a run and moves them in time.
import { Box3, Color, Group, MeshStandardMaterial, Object3D, Vector3 } from 'three';
import { GROUND, locate, newPose, samplePose, type Joint, type Place, type Run } from './data';
import { addJointSymbol } from './joints';
import { axialTravel, boxAtRows, boxCorners, cornersAtRows, diagonal, findAnchors, localBox, sampleRows, worldPoint } from './measure';
import { Outline } from './outline';
import { BODY_COLORS, LINE_COLORS } from './palette';
import { linkShapes, shapeMesh, solidMaterial, toQuaternion, toVector } from './shapes';
import { Coil } from './springs';
import { makeId, splitId, type Id, type State } from './state';
import { Trace } from './traces';

type Travel = Parameters<typeof axialTravel> extends [Run, ...infer Rest] ? Rest : never;
interface Element { objects: Object3D[]; materials: MeshStandardMaterial[] }

const GROUND_COLOR = '#9aa3ad';
const glowColor = new Color('#ffffff');

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
  readonly pickable: Object3D[] = [];
  readonly outline = new Outline();
  place: Place;

  private readonly frames: Group[];
  private readonly ground = new Group();
  private readonly boxes: Box3[]; // of the bodies, in their own frames
  private readonly elements = new Map<Id, Element>();
  private readonly coils: Coil[] = [];
  private readonly traces: Trace[] = [];
  private outlined: Id | null = null;
  private readonly neutral: MeshStandardMaterial[] = []; // symbols whose shade depends on the theme

  constructor(readonly run: Run) {
    this.place = locate(run.time, run.time[0]);
    this.frames = run.bodies.map(() => new Group());
    this.root.add(this.ground, ...this.frames);

    const anchors = findAnchors(run), rows = sampleRows(run, 60);
    this.boxes = run.bodies.map((body, k) => localBox(body, anchors.bodies[k]));
    const start = boxAtRows(run, this.boxes, [0]);
    for (const p of anchors.ground) start.expandByPoint(p);
    // A lone point mass has no size of its own: take a share of the way it goes.
    this.size = diagonal(start) || 0.3 * diagonal(boxAtRows(run, this.boxes, rows)) || 1;
    // In long chains the parts, not the whole, decide how large a pin may be.
    const extents = this.boxes.map(diagonal).filter((e) => e > 0).sort((a, b) => a - b);
    this.symbol = Math.min(0.017 * this.size, 0.06 * (extents[extents.length >> 1] ?? this.size));

    this.buildBodies(anchors.bodies);
    this.motion = boxAtRows(run, this.boxes, rows);
    for (const p of anchors.ground) this.motion.expandByPoint(p);
    if (this.motion.isEmpty()) this.motion.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
    this.travels = diagonal(this.motion) > 4 * this.size;
    this.buildJoints();
    this.buildSprings();
    this.buildPoints();
    this.setTime(run.time[0]);
  }

  private element(id: Id, objects: Object3D[], materials: MeshStandardMaterial[]): void {
    this.elements.set(id, { objects, materials });
    for (const object of objects) object.traverse((o) => { o.userData.id = id; });
    this.pickable.push(...objects);
  }

  private buildBodies(anchors: Vector3[][]): void {
    this.run.bodies.forEach((body, k) => {
      const extent = diagonal(this.boxes[k]) || this.size;
      // A body nothing is attached to shows as a ball, which must be large enough to be seen.
      const radius = anchors[k].length > 0 ? Math.min(0.75 * this.symbol, 0.05 * extent) : 1.6 * this.symbol;
      const own = body.shapes.map((s) => ({ ...s, color: s.color || this.bodyColor(k) }));
      this.addSolid(makeId('body', k), own.length > 0 ? own : linkShapes(anchors[k], body.massCenter, radius), this.bodyColor(k), this.frames[k]);
      for (const mesh of this.frames[k].children[0].children) this.boxes[k].union(new Box3().setFromObject(mesh.clone()));
    });
    if (this.run.groundShapes.length > 0) this.addSolid(makeId('ground', 0), this.run.groundShapes, GROUND_COLOR, this.ground);
  }

  bodyColor(k: number): string {
    return k === GROUND ? GROUND_COLOR : this.run.bodies[k].shapes.find((s) => s.color)?.color ?? BODY_COLORS[k % BODY_COLORS.length];
  }

  private addSolid(id: Id, shapes: Run['groundShapes'], color: string, parent: Group): void {
    const solid = new Group();
    const materials = new Map<string, MeshStandardMaterial>();
    for (const shape of shapes) {
      const shade = shape.color || color;
      let material = materials.get(shade);
      if (!material) materials.set(shade, (material = solidMaterial(shade)));
      const mesh = shapeMesh(shape, material);
      if (mesh) solid.add(mesh);
    }
    parent.add(solid);
    this.element(id, [solid], [...materials.values()]);
  }

  private buildJoints(): void {
    const context = {
      size: this.symbol, up: toVector(this.run.up),
      frame: (body: number) => this.frameOf(body),
      travel: (...args: Travel) => axialTravel(this.run, ...args),
      reach: (joint: Joint) => this.reach(joint),
    };
    this.run.joints.forEach((joint, k) => {
      const materials = { symbol: solidMaterial('#fff'), rail: solidMaterial('#fff'), ground: solidMaterial(GROUND_COLOR) };
      this.neutral.push(materials.symbol, materials.rail);
      this.element(makeId('joint', k), addJointSymbol(joint, context, materials), Object.values(materials));
    });
  }

  /** Half length of a pin: as far as the joined bodies reach along the axis, within reason. */
  private reach(joint: Joint): number {
    let half = 1.7 * this.symbol;
    for (const [body, marker] of [[joint.bodyI, joint.markerI], [joint.bodyJ, joint.markerJ]] as const) {
      if (body === GROUND) continue;
      const axis = new Vector3(0, 0, 1).applyQuaternion(toQuaternion(marker.quaternion));
      const box = this.boxes[body], at = toVector(marker.position);
      const far = [0, 1, 2].map((c) => Math.abs(axis.getComponent(c)) * Math.max(box.max.getComponent(c) - at.getComponent(c), at.getComponent(c) - box.min.getComponent(c)));
      const needed = far[0] + far[1] + far[2] + 0.35 * this.symbol;
      if (needed < 5 * this.symbol) half = Math.max(half, needed);
    }
    return half;
  }

  private buildSprings(): void {
    const a = new Vector3(), b = new Vector3();
    this.run.springs.forEach((_, k) => {
      this.springEnds(k, a, b);
      const length = a.distanceTo(b);
      const radius = Math.min(1.5 * this.symbol, length > 0 ? 0.16 * length : Infinity);
      const material = solidMaterial('#fff');
      this.neutral.push(material);
      const coil = new Coil(radius, material);
      this.coils.push(coil);
      this.root.add(coil);
      this.element(makeId('spring', k), [coil], [material]);
    });
  }

  private buildPoints(): void {
    this.run.points.forEach((point, k) => {
      const color = LINE_COLORS[(k + 1) % LINE_COLORS.length];
      const material = solidMaterial(color);
      const trace = new Trace(this.run.time.length, (row, out) => {
        worldPoint(this.run, { row, fraction: 0 }, point.body, point.position, out);
      }, color, 0.8 * this.symbol, material);
      this.traces.push(trace);
      this.root.add(trace.paths, trace.dot);
      this.element(makeId('point', k), [trace.dot], [material]);
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
    return box.isEmpty() ? this.motion.clone() : box;
  }

  /** What a view should show: the whole motion, or the model alone if it goes far away. */
  viewPoints(): Vector3[] {
    if (this.travels) return boxCorners(this.presentBox());
    // A few thousand points are plenty; large models are sampled at fewer times.
    const rows = sampleRows(this.run, Math.max(4, Math.min(80, Math.round(800 / Math.max(1, this.run.bodies.length)))));
    const points = cornersAtRows(this.run, this.boxes, rows);
    points.push(...findAnchors(this.run).ground);
    const scenery = new Box3().setFromObject(this.ground);
    // A large floor is background, a small wall is part of the model.
    if (!scenery.isEmpty() && diagonal(scenery) < 1.5 * diagonal(this.motion)) points.push(...boxCorners(scenery));
    return points.length > 0 ? points : boxCorners(this.motion);
  }

  setTime(t: number): void {
    this.place = locate(this.run.time, t);
    this.poseBodies();
    const a = new Vector3(), b = new Vector3();
    this.coils.forEach((coil, k) => {
      this.springEnds(k, a, b);
      coil.span(a, b);
    });
    this.traces.forEach((trace, k) => {
      const point = this.run.points[k];
      trace.update(this.place, worldPoint(this.run, this.place, point.body, point.position, a));
    });
  }

  private poseBodies(): void {
    const pose = newPose();
    this.run.bodies.forEach((body, k) => {
      const { position: p, quaternion: q } = samplePose(body, this.place, pose);
      this.frames[k].position.set(p[0], p[1], p[2]);
      this.frames[k].quaternion.set(q[1], q[2], q[3], q[0]);
    });
  }

  frameOf(body: number): Group { return body === GROUND ? this.ground : this.frames[body]; }

  springEnds(k: number, a: Vector3, b: Vector3): void {
    const s = this.run.springs[k];
    worldPoint(this.run, this.place, s.bodyI, s.pointI, a);
    worldPoint(this.run, this.place, s.bodyJ, s.pointJ, b);
  }

  /** Where the name of an element is written. */
  labelPoint(id: Id, out: Vector3): Vector3 {
    const [kind, k] = splitId(id);
    if (kind === 'body') return out.copy(this.frames[k].position);
    if (kind === 'joint') return worldPoint(this.run, this.place, this.run.joints[k].bodyI, this.run.joints[k].markerI.position, out);
    if (kind === 'point') return worldPoint(this.run, this.place, this.run.points[k].body, this.run.points[k].position, out);
    if (kind === 'spring') {
      const b = new Vector3();
      this.springEnds(k, out, b);
      return out.lerp(b, 0.5);
    }
    return out.set(0, 0, 0);
  }

  // ---- looks ----------------------------------------------------------------

  applyState(state: State): void {
    if (state.selected !== this.outlined) this.outline.show(state.selected ? this.elements.get(state.selected)?.objects ?? [] : []);
    this.outlined = state.selected;
    for (const [id, { objects, materials }] of this.elements) {
      const [kind, k] = splitId(id);
      const shown = !state.hidden.has(id);
      for (const object of objects) object.visible = shown && (kind !== 'joint' || state.options.joints);
      if (kind === 'point') this.traces[k].paths.visible = shown && state.options.traces;
      const glow = id === state.selected ? 0.14 : id === state.hovered ? 0.09 : 0;
      const faint = state.options.xray && (kind === 'body' || kind === 'ground') && id !== state.selected;
      for (const material of materials) {
        material.emissive = glowColor;
        material.emissiveIntensity = glow;
        material.opacity = faint ? 0.3 : 1;
        material.depthWrite = !faint;
        if (material.transparent !== faint) {
          material.transparent = faint;
          material.needsUpdate = true;
        }
      }
    }
  }

  applyTheme(dark: boolean): void {
    this.outline.setTheme(dark);
    for (const material of this.neutral) material.color.set(dark ? '#c3ccd8' : '#6a7686');
  }
}

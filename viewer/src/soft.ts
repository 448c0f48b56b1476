// SPDX-License-Identifier: Apache-2.0
// Everything that changes its form: springs, beams that bend, points with their paths. Each has its own meshes.
import {
  Color,
  DoubleSide,
  Group,
  Mesh,
  Vector3,
  type MeshStandardMaterial,
  type Object3D,
  type Quaternion,
  type Raycaster,
} from 'three';
import { BendingTube, cubic, SweptBeam, type Paint } from './beams';
import { bodyColor } from './build';
import { listChoices, makePaint, scaleOf } from './coloring';
import type { Beam, Force, Frame, Place, Run, Surface, TracePoint, Vec3 } from './data';
import { neutralMaterial } from './instances';
import { worldPoint } from './measure';
import { BODY_COLORS, LINE_COLORS } from './palette';
import { SurfaceMesh, SurfaceValues } from './surfaces';
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
  frameOf(body: number): { position: Vector3; quaternion: Quaternion };
}

/** `meshes` are those of the thing itself; the outline hangs others below `object`. */
interface Soft {
  object: Object3D;
  meshes: Mesh[];
  material: MeshStandardMaterial;
}

/** Something that bends, brought to where its ends or nodes are. */
interface Bending {
  bend(inMode: boolean): void;
  middle(out: Vector3): Vector3;
}
interface Swept extends Bending {
  solid: SweptBeam;
  beam: Beam;
  paint: Paint | null;
}

const BEAM_NODES = 17; // of a massless beam, which is a cubic

export class Softs {
  readonly root = new Group();
  private readonly all = new Map<Id, Soft>();
  private readonly coils: Coil[] = [];
  private readonly traces: Trace[] = [];
  private readonly bending = new Map<Id, Bending>();
  private readonly swept: Swept[] = [];
  private readonly surfaces: { mesh: SurfaceMesh; surface: Surface }[] = [];
  private painted = '';
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
    run.beams.forEach((beam, k) => this.addBeam(makeId('beam', k), beam, k));
    run.surfaces.forEach((surface) => this.addSurface(surface));
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

  /** A massless beam between two markers: a cubic with x of the markers as directions. */
  private addCubic(id: Id, { bodyI, markerI, bodyJ, markerJ }: Force): void {
    const [a, ta, b, tb] = [0, 1, 2, 3].map(() => new Vector3());
    const material = this.makeNeutral();
    const tube = new BendingTube(BEAM_NODES, 0.5 * this.symbol, material);
    const nodes = new Float32Array(3 * BEAM_NODES);
    this.add(id, tube.mesh, material);
    this.bending.set(id, {
      bend: () => {
        this.drawn.at(bodyI, markerI.position, a);
        this.drawn.at(bodyJ, markerJ.position, b);
        ta.set(1, 0, 0).applyQuaternion(this.drawn.axesOf(bodyI, markerI));
        tb.set(1, 0, 0).applyQuaternion(this.drawn.axesOf(bodyJ, markerJ));
        cubic(a, ta, b, tb, nodes);
        tube.bend(nodes);
      },
      middle: (out) => out.fromArray(nodes, 3 * (BEAM_NODES >> 1)),
    });
  }

  /** A beam of the run: its section swept through its nodes. Colours belong to the run, not to a mode. */
  private addBeam(id: Id, beam: Beam, k: number): void {
    const material = solidMaterial('#ffffff');
    material.vertexColors = true;
    const thin = { type: 'circle', width: 0, height: 0, radius: 0.5 * this.symbol, thickness: 0, flange: 0 };
    const sections = beam.sections.map((s) => (s.radius > 0 || (s.width > 0 && s.height > 0) ? s : thin));
    const solid = new SweptBeam(
      beam.s,
      sections,
      new Color(beam.color || BODY_COLORS[k % BODY_COLORS.length]),
      material,
    );
    this.add(id, solid.mesh, material);
    const pose = (node: number): { position: Vector3; quaternion: Quaternion } => this.drawn.frameOf(beam.nodes[node]);
    const swept: Swept = {
      solid,
      beam,
      paint: null,
      bend: (inMode) => solid.bend(pose, inMode ? null : swept.paint),
      middle: (out) => out.copy(pose(beam.nodes.length >> 1).position),
    };
    this.swept.push(swept);
    this.bending.set(id, swept);
  }

  /** A flexible body, with the name of its body. */
  private addSurface(surface: Surface): void {
    const material = solidMaterial('#ffffff');
    material.vertexColors = true;
    material.side = DoubleSide;
    const mesh = new SurfaceMesh(surface, this.symbol, new Color(bodyColor(this.run, surface.body)), material);
    const id = makeId('body', surface.body);
    this.add(id, mesh.object, material);
    this.surfaces.push({ mesh, surface });
    this.bending.set(id, {
      bend: (inMode) => {
        const { position, quaternion } = this.drawn.frameOf(surface.body);
        mesh.object.position.copy(position);
        mesh.object.quaternion.copy(quaternion);
        mesh.deform(inMode ? null : this.drawn.place);
      },
      middle: (out) => out.copy(mesh.object.position),
    });
  }

  /** Colours all beams by a quantity, or leaves them their own colours. */
  setQuantity(name: string): void {
    if (name === this.painted) return;
    this.painted = name;
    const choice = listChoices(this.run).find((c) => c.name === name);
    const scale = choice && scaleOf(this.run, choice);
    for (const swept of this.swept) {
      swept.paint =
        choice && scale ? makePaint(swept.beam, swept.solid.rings, choice, scale, () => this.drawn.place) : null;
      swept.bend(this.inMode);
    }
    for (const { mesh, surface } of this.surfaces) {
      const values = new SurfaceValues(surface, name);
      mesh.coloring = scale && values.known ? { values, color: (value, out) => scale.color(value, out) } : null;
      mesh.deform(this.inMode ? null : this.drawn.place);
    }
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

  /** The middle of a beam, as it is drawn. */
  middleOf(beam: Id, out: Vector3): Vector3 {
    return this.bending.get(beam)!.middle(out);
  }

  /** Brings everything to where the bodies are. Paths belong to the run, not to a mode. */
  update(inMode: boolean): void {
    this.coils.forEach((coil, k) => {
      this.drawn.springEnds(k, this.a, this.b);
      coil.span(this.a, this.b);
    });
    for (const bending of this.bending.values()) bending.bend(inMode);
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

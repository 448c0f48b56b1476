// SPDX-License-Identifier: Apache-2.0
// Everything rigid, drawn with one call per kind of part: parts of equal geometry share one instanced mesh.
import {
  Color,
  InstancedMesh,
  Matrix4,
  Mesh,
  Vector3,
  type BufferGeometry,
  type Group,
  type MeshStandardMaterial,
  type Raycaster,
} from 'three';
import { Crowd } from './crowd';
import { setPlain } from './plain';
import { coarser, solidMaterial } from './shapes';
import type { Id } from './state';

interface Part {
  geometry: BufferGeometry;
  frame: Group;
  local: Matrix4;
  color: Color;
  neutral: boolean;
  id: Id;
  batch: Batch | null;
  index: number;
  visible: boolean;
}
interface Batch {
  mesh: InstancedMesh;
  parts: Part[];
  fine: BufferGeometry;
  middle: number[];
  half: number[];
  small: boolean;
  shown: boolean;
  crowded: boolean;
}

/** Materials of joint symbols and springs: their shade goes with the theme. */
export function neutralMaterial(): MeshStandardMaterial {
  const material = solidMaterial('#ffffff');
  material.userData.neutral = true;
  return material;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const BOX_PIXELS = 5; // below this thickness nobody sees that a moving rod is not round
const FEW = 12; // parts of a kind that are better drawn one by one

const white = new Color('#ffffff');
const product = new Matrix4();
const nothing = new Matrix4().makeScale(0, 0, 0);

export class Instances {
  readonly meshes: InstancedMesh[] = [];
  private readonly batches: Batch[] = [];
  private readonly byId = new Map<Id, Part[]>();
  private readonly solid = solidMaterial('#ffffff');
  private readonly symbol = solidMaterial('#ffffff');

  /** Takes all meshes out of the frames, which must be at the origin, and draws them by instances. */
  constructor(frames: Group[]) {
    const groups = new Map<string, Part[]>();
    for (const frame of frames) {
      frame.updateMatrixWorld(true);
      const meshes: Mesh[] = [];
      frame.traverse((o) => {
        if (o instanceof Mesh) meshes.push(o);
      });
      for (const mesh of meshes) {
        const material = mesh.material as MeshStandardMaterial;
        const id = mesh.userData.id as Id;
        const part: Part = {
          geometry: mesh.geometry,
          frame,
          local: mesh.matrixWorld.clone(),
          color: material.color.clone(),
          neutral: material.userData.neutral === true,
          id,
          batch: null,
          index: 0,
          visible: true,
        };
        const kind =
          id.startsWith('body') || id.startsWith('ground') ? 'solid' : id.startsWith('marker') ? 'marker' : 'symbol';
        const key = `${kind} ${mesh.geometry.uuid}`;
        push(groups, key, part);
        push(this.byId, id, part);
      }
      frame.clear();
    }
    for (const [key, parts] of groups) this.addBatch(key.split(' ')[0], parts);
  }

  private addBatch(kind: string, parts: Part[]): void {
    const mesh = new InstancedMesh(parts[0].geometry, kind === 'solid' ? this.solid : this.symbol, parts.length);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = kind !== 'marker';
    const [geometry] = parts.map((p) => p.geometry);
    geometry.computeBoundingBox();
    const middle = geometry.boundingBox!.getCenter(new Vector3()).toArray();
    const half = geometry.boundingBox!.getSize(new Vector3()).multiplyScalar(0.5).toArray();
    const batch: Batch = {
      mesh,
      parts,
      fine: geometry,
      middle,
      half,
      small: kind === 'symbol',
      shown: true,
      crowded: false,
    };
    parts.forEach((part, index) => {
      part.batch = batch;
      part.index = index;
      mesh.setColorAt(index, part.color);
    });
    this.batches.push(batch);
    this.meshes.push(mesh);
  }

  /** Puts every part where its frame is. */
  update(): void {
    this.crowd?.begin();
    for (const batch of this.batches) {
      const { mesh, parts, middle, half, crowded } = batch;
      batch.shown = !(batch.small && this.skipSmall) && parts.some((part) => part.visible);
      mesh.visible = batch.shown && !crowded;
      if (!batch.shown) continue;
      for (let k = 0; k < parts.length; ++k) {
        const part = parts[k];
        (part.visible ? product.multiplyMatrices(part.frame.matrix, part.local) : nothing).toArray(
          mesh.instanceMatrix.array,
          16 * k,
        );
        if (crowded && part.visible) this.crowd!.add(product, middle, half, part.color);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // picking computes it anew
    }
    this.crowd?.end();
  }

  private skipSmall = false;
  private crowd: Crowd | null = null;

  /**
   * With all facets or with fewer, parts of a few pixels then as boxes; symbols can be left out when they are smaller
   * than a pixel or two. `pixel` is the size of one at the model.
   */
  setDetail(fine: boolean, plain: boolean, skipSmall: boolean, pixel: number): void {
    let changed = skipSmall !== this.skipSmall;
    this.skipSmall = skipSmall;
    for (const batch of this.batches) {
      const { mesh, fine: whole, half } = batch;
      const thick = 2 * [...half].sort((a, b) => a - b)[1]; // seen from most sides
      const crowded = plain && !this.solid.transparent && batch.parts.length > FEW && thick < BOX_PIXELS * pixel;
      changed ||= crowded !== batch.crowded;
      batch.crowded = crowded;
      mesh.geometry = fine ? whole : coarser(whole);
      setPlain(mesh, plain);
    }
    if (!changed) return;
    if (!this.crowd && this.batches.some((b) => b.crowded)) {
      this.crowd = new Crowd(
        this.batches.reduce((sum, b) => sum + b.parts.length, 0),
        this.solid,
      );
      this.meshes[0].parent?.add(this.crowd.mesh);
    }
    this.update();
  }

  show(id: Id, visible: boolean): void {
    for (const part of this.byId.get(id) ?? []) part.visible = visible;
  }

  /** Share of white that is mixed in. */
  tint(id: Id, share: number): void {
    const color = new Color();
    for (const part of this.byId.get(id) ?? []) {
      part.batch!.mesh.setColorAt(part.index, color.copy(part.color).lerp(white, share));
      part.batch!.mesh.instanceColor!.needsUpdate = true;
    }
  }

  setNeutral(shade: string): void {
    for (const { mesh, parts } of this.batches) {
      parts.forEach((part, index) => {
        if (!part.neutral) return;
        part.color.set(shade);
        mesh.setColorAt(index, part.color);
      });
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  setXray(on: boolean): void {
    if (this.solid.transparent === on) return;
    this.solid.transparent = on;
    this.solid.opacity = on ? 0.3 : 1;
    this.solid.depthWrite = !on;
    this.solid.needsUpdate = true;
  }

  /** Geometry and place of the parts of an element, for its outline. */
  partsOf(id: Id): { geometry: BufferGeometry; frame: Group; local: Matrix4 }[] {
    return this.byId.get(id) ?? [];
  }

  pick(raycaster: Raycaster): { id: Id; distance: number }[] {
    const hits: { id: Id; distance: number }[] = [];
    for (const { mesh, parts, shown } of this.batches) {
      if (!shown) continue;
      for (const hit of raycaster.intersectObject(mesh, false)) {
        const part = parts[hit.instanceId!];
        if (part.visible) hits.push({ id: part.id, distance: hit.distance });
      }
    }
    return hits;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Everything rigid, drawn with one call per kind of part: parts of equal geometry share one instanced mesh.
import { Color, InstancedMesh, Matrix4, Mesh, type BufferGeometry, type Group, type MeshStandardMaterial, type Raycaster } from 'three';
import { coarser, solidMaterial } from './shapes';
import type { Id } from './state';

interface Part { geometry: BufferGeometry; frame: Group; local: Matrix4; color: Color; neutral: boolean; id: Id; batch: Batch | null; index: number; visible: boolean }
interface Batch { mesh: InstancedMesh; parts: Part[]; fine: BufferGeometry; small: boolean }

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

const white = new Color('#ffffff'), product = new Matrix4(), nothing = new Matrix4().makeScale(0, 0, 0);

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
      frame.traverse((o) => { if (o instanceof Mesh) meshes.push(o); });
      for (const mesh of meshes) {
        const material = mesh.material as MeshStandardMaterial, id = mesh.userData.id as Id;
        const part: Part = {
          geometry: mesh.geometry, frame, local: mesh.matrixWorld.clone(), color: material.color.clone(), neutral: material.userData.neutral === true,
          id, batch: null, index: 0, visible: true,
        };
        const kind = id.startsWith('body') || id.startsWith('ground') ? 'solid' : id.startsWith('marker') ? 'marker' : 'symbol';
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
    const batch: Batch = { mesh, parts, fine: parts[0].geometry, small: kind === 'symbol' };
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
    for (const { mesh, parts, small } of this.batches) {
      mesh.visible = !(small && this.skipSmall) && parts.some((part) => part.visible);
      if (!mesh.visible) continue;
      for (let k = 0; k < parts.length; ++k) {
        const part = parts[k];
        (part.visible ? product.multiplyMatrices(part.frame.matrix, part.local) : nothing).toArray(mesh.instanceMatrix.array, 16 * k);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // picking computes it anew
    }
  }

  private skipSmall = false;
  private fine = true;

  /** With all facets or with fewer; symbols can be left out when they are smaller than a pixel or two. */
  setDetail(fine: boolean, skipSmall: boolean): void {
    if (fine !== this.fine) for (const batch of this.batches) batch.mesh.geometry = fine ? batch.fine : coarser(batch.fine);
    this.fine = fine;
    if (skipSmall === this.skipSmall) return;
    this.skipSmall = skipSmall;
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
  partsOf(id: Id): { geometry: BufferGeometry; frame: Group; local: Matrix4 }[] { return this.byId.get(id) ?? []; }

  pick(raycaster: Raycaster): { id: Id; distance: number }[] {
    const hits: { id: Id; distance: number }[] = [];
    for (const { mesh, parts } of this.batches) {
      if (!mesh.visible) continue;
      for (const hit of raycaster.intersectObject(mesh, false)) {
        const part = parts[hit.instanceId!];
        if (part.visible) hits.push({ id: part.id, distance: hit.distance });
      }
    }
    return hits;
  }
}

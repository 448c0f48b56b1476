// SPDX-License-Identifier: Apache-2.0
// Names in the scene: of the selected and hovered element, or of all of them on request.
import { ArrowHelper, Group, Vector3, type Camera } from 'three';
import { GROUND } from './data';
import { h } from './dom';
import type { Model } from './model';
import { AXIS_COLORS } from './palette';
import { toQuaternion, toVector } from './shapes';
import { makeId, splitId, type Id, type Kind, type State } from './state';

const MOST_NAMES = 150; // more would only cover the model
const LETTER = 6.2;
const PADDING = 14;
const HEIGHT = 18; // px of a label

interface Box {
  x: number;
  y: number;
  right: number;
  bottom: number;
}

export class Labels {
  readonly root = h('div.labels', { 'aria-hidden': 'true' });
  /** Axes of the selected body or joint. */
  readonly axes = new Group();
  private readonly shown = new Map<Id, HTMLElement>();

  constructor(
    private readonly model: Model,
    private readonly state: State,
  ) {
    const length = 5.5 * model.symbol;
    [0, 1, 2].forEach((k) => {
      const arrow = new ArrowHelper(
        new Vector3().setComponent(k, 1),
        new Vector3(),
        length,
        AXIS_COLORS[k],
        0.24 * length,
        0.12 * length,
      );
      arrow.traverse((o) => {
        o.renderOrder = 10;
        // Drawn on top, since the origin usually lies inside a solid.
        const material = (o as unknown as { material?: { depthTest: boolean; transparent: boolean } }).material;
        if (material) {
          material.depthTest = false;
          material.transparent = true;
        }
      });
      this.axes.add(arrow);
    });
    this.axes.visible = false;
  }

  private wanted(): Set<Id> {
    const { state, model } = this;
    const wanted = new Set<Id>();
    if (state.options.names) {
      const add = (kind: Kind, list: unknown[]): void =>
        list.forEach((_, k) => {
          if (kind === 'body' && model.inBeam.has(k)) return;
          if (wanted.size < MOST_NAMES && !state.hidden.has(makeId(kind, k))) wanted.add(makeId(kind, k));
        });
      add('body', model.run.bodies);
      if (state.options.joints) add('joint', model.run.joints);
      add('point', model.run.points);
      add('spring', model.run.springs);
      add('force', model.run.forces);
      add('beam', model.run.beams);
    }
    for (const id of [state.selected, state.hovered]) if (id && !id.startsWith('ground')) wanted.add(id);
    return wanted;
  }

  update(camera: Camera, width: number, height: number): void {
    const wanted = this.wanted();
    const p = new Vector3();
    const taken: Box[] = [];
    const rank = (id: Id): number => (id === this.state.selected ? 2 : id === this.state.hovered ? 1 : 0);
    for (const [id, label] of this.shown)
      if (!wanted.has(id)) {
        label.remove();
        this.shown.delete(id);
      }
    for (const id of [...wanted].sort((a, b) => rank(b) - rank(a))) {
      let label = this.shown.get(id);
      if (!label) {
        label = h('div.label', {}, this.model.nameOf(id));
        label.dataset.kind = splitId(id)[0];
        this.shown.set(id, label);
        this.root.append(label);
      }
      label.classList.toggle('strong', rank(id) > 0);
      this.model.labelPoint(id, p).project(camera);
      const inside = p.z < 1 && Math.abs(p.x) < 1.1 && Math.abs(p.y) < 1.1;
      const x = ((p.x + 1) / 2) * width;
      const y = ((1 - p.y) / 2) * height;
      // A name that would cover another one waits for a better view.
      const box = { x, y, right: x + LETTER * this.model.nameOf(id).length + PADDING, bottom: y + HEIGHT };
      const free =
        inside && taken.every((t) => box.x > t.right || box.right < t.x || box.y > t.bottom || box.bottom < t.y);
      if (free) taken.push(box);
      label.style.display = free ? '' : 'none';
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    this.updateAxes();
  }

  private updateAxes(): void {
    const [kind, k] = this.state.selected ? splitId(this.state.selected) : (['point', 0] as const);
    this.axes.visible = kind === 'body' || kind === 'joint';
    if (!this.axes.visible) return;
    const joint = kind === 'joint' ? this.model.run.joints[k] : null;
    const body = joint ? joint.bodyI : k;
    const frame = this.model.frameOf(body);
    this.axes.position.set(0, 0, 0);
    this.axes.quaternion.identity();
    if (joint) {
      this.axes.position.copy(toVector(joint.markerI.position));
      this.axes.quaternion.copy(toQuaternion(joint.markerI.quaternion));
    }
    if (body === GROUND) return;
    this.axes.position.applyQuaternion(frame.quaternion).add(frame.position);
    this.axes.quaternion.premultiply(frame.quaternion);
  }
}

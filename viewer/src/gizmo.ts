// SPDX-License-Identifier: Apache-2.0
// Axis cross in the corner of the scene; drawn as SVG so that it is sharp and costs no second scene.
import { Quaternion, Vector3, type Camera } from 'three';
import { AXIS_COLORS } from './palette';

const SVG = 'http://www.w3.org/2000/svg';
const RADIUS = 24;
const CENTRE = 36;

export class Gizmo {
  readonly root = document.createElementNS(SVG, 'svg');
  private readonly arms = ['x', 'y', 'z'].map((name, k) => {
    const group = document.createElementNS(SVG, 'g');
    const line = document.createElementNS(SVG, 'line');
    const disc = document.createElementNS(SVG, 'circle');
    const text = document.createElementNS(SVG, 'text');
    group.style.color = AXIS_COLORS[k];
    line.setAttribute('x1', String(CENTRE));
    line.setAttribute('y1', String(CENTRE));
    disc.setAttribute('r', '7.5');
    text.textContent = name;
    group.append(line, disc, text);
    this.root.append(group);
    return { group, line, disc, text, axis: new Vector3().setComponent(k, 1) };
  });

  constructor() {
    this.root.setAttribute('class', 'gizmo');
    this.root.setAttribute('viewBox', '0 0 72 72');
    this.root.setAttribute('aria-hidden', 'true');
  }

  private readonly drawn = new Quaternion(0, 0, 0, 0);

  update(camera: Camera): void {
    if (this.drawn.equals(camera.quaternion)) return;
    this.drawn.copy(camera.quaternion);
    const inverse = new Quaternion().copy(camera.quaternion).invert();
    const placed = this.arms.map((arm) => ({ arm, v: arm.axis.clone().applyQuaternion(inverse) }));
    placed.sort((a, b) => a.v.z - b.v.z);
    for (const { arm, v } of placed) {
      const x = String(CENTRE + RADIUS * v.x);
      const y = String(CENTRE - RADIUS * v.y);
      arm.line.setAttribute('x2', x);
      arm.line.setAttribute('y2', y);
      arm.disc.setAttribute('cx', x);
      arm.disc.setAttribute('cy', y);
      arm.text.setAttribute('x', x);
      arm.text.setAttribute('y', y);
      arm.group.style.opacity = v.z < -0.2 ? '0.55' : '1';
      this.root.append(arm.group); // the nearest arm is drawn last
    }
  }
}

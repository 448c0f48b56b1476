// SPDX-License-Identifier: Apache-2.0
// Camera: standard views, fitting, gliding between views, going along with a body.
import { MathUtils, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

export type View = 'iso' | 'front' | 'top' | 'side';

/** Axes of the ground: up against gravity, right and ahead level. */
export class Compass {
  readonly right: Vector3;
  readonly ahead: Vector3;
  readonly orientation: Quaternion;

  constructor(readonly up: Vector3) {
    // World x is to the right where possible: then both z-up and y-up models show their usual front.
    const x = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    this.right = x.addScaledVector(up, -x.dot(up)).normalize();
    this.ahead = new Vector3().crossVectors(up, this.right);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
    const side = new Vector3(1, 0, 0).applyQuaternion(turn);
    this.orientation = new Quaternion().setFromUnitVectors(side, this.right).multiply(turn);
  }

  /** Direction from the target to the camera. */
  direction(azimuth: number, elevation: number): Vector3 {
    const a = MathUtils.degToRad(azimuth);
    const e = MathUtils.degToRad(elevation);
    return new Vector3()
      .addScaledVector(this.ahead, -Math.cos(a) * Math.cos(e))
      .addScaledVector(this.right, Math.sin(a) * Math.cos(e))
      .addScaledVector(this.up, Math.sin(e));
  }
}

interface Glide {
  from: Vector3;
  to: Vector3;
  targetFrom: Vector3;
  targetTo: Vector3;
  start: number;
}
const GLIDE_MS = 350;

/** Largest of a list; Math.max(...) would overflow the stack on long ones. */
const most = (list: number[]): number => list.reduce((a, b) => Math.max(a, b), -Infinity);

export class CameraRig {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  private glide: Glide | null = null;
  private followed: Vector3 | null = null;

  constructor(
    readonly compass: Compass,
    host: HTMLElement,
    private readonly size: number,
    onChange: () => void,
  ) {
    this.camera.up.copy(compass.up);
    this.controls = new OrbitControls(this.camera, host);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.16;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.02 * size;
    this.controls.maxDistance = 400 * size;
    this.controls.addEventListener('change', onChange);
    this.controls.addEventListener('start', () => {
      this.glide = null;
    });
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  view(view: View, points: Vector3[], smooth: boolean): void {
    const c = this.compass;
    // Straight down is a singular direction for the orbit, hence not quite 90 degrees.
    const direction =
      view === 'front'
        ? c.direction(0, 0)
        : view === 'side'
          ? c.direction(90, 0)
          : view === 'top'
            ? c.direction(0, 89.9)
            : this.isoDirection(points);
    this.fit(points, smooth, direction);
  }

  /** Flat mechanisms are shown more from the front, so that they do not look squeezed. */
  private isoDirection(points: Vector3[]): Vector3 {
    const extent = (axis: Vector3): number => {
      const along = points.map((p) => p.dot(axis));
      return most(along) + most(along.map((v) => -v));
    };
    const wide = extent(this.compass.right);
    const deep = extent(this.compass.ahead);
    return this.compass.direction(deep < 0.45 * wide ? 28 : wide < 0.45 * deep ? 62 : 42, 22);
  }

  /** Moves the camera along `direction` (or its present one) until the points just fill the picture. */
  fit(
    points: Vector3[],
    smooth: boolean,
    direction = this.camera.position.clone().sub(this.controls.target).normalize(),
  ): void {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const top = new Vector3().crossVectors(direction, right);
    const tan = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    const wide = 0.88 * tan * this.camera.aspect;
    const near = points.map((p) => p.dot(direction));
    // A point is in the picture if x - cx <= (d - z) tan on either side; the extremes give cx and d.
    const span = (
      axis: Vector3,
      plusTan: number,
      minusTan: number,
    ): { distance: number; middle: (d: number) => number } => {
      const plus = most(points.map((p, k) => p.dot(axis) + plusTan * near[k]));
      const minus = most(points.map((p, k) => -p.dot(axis) + minusTan * near[k]));
      return {
        distance: (plus + minus) / (plusTan + minusTan),
        middle: (d) => (plus - minus + d * (minusTan - plusTan)) / 2,
      };
    };
    const across = span(right, wide, wide);
    const along = span(top, 0.78 * tan, 0.9 * tan); // more room above, for the buttons
    const depth = (most(near) - most(near.map((v) => -v))) / 2;
    const distance = Math.max(across.distance - depth, along.distance - depth, 0.1 * this.size);
    const x = across.middle(distance + depth);
    const y = along.middle(distance + depth);
    const target = new Vector3().addScaledVector(right, x).addScaledVector(top, y).addScaledVector(direction, depth);
    this.move(target.clone().addScaledVector(direction, distance), target, smooth);
  }

  /** Looks at a point without changing direction or distance. */
  lookAt(point: Vector3): void {
    this.move(this.camera.position.clone().add(point).sub(this.controls.target), point.clone(), true);
  }

  private move(to: Vector3, target: Vector3, smooth: boolean): void {
    if (smooth && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.glide = {
        from: this.camera.position.clone(),
        to,
        targetFrom: this.controls.target.clone(),
        targetTo: target,
        start: performance.now(),
      };
    } else {
      this.glide = null;
      this.camera.position.copy(to);
      this.controls.target.copy(target);
    }
    this.controls.dispatchEvent({ type: 'change' });
  }

  /** Starts to go along with something that is now at `position`. */
  follow(position: Vector3 | null): void {
    this.followed = position ? position.clone() : null;
  }

  /** Advances glides, damping and following; returns whether the camera still moves. */
  update(followed: Vector3 | null): boolean {
    if (followed && this.followed) {
      const step = followed.clone().sub(this.followed);
      this.camera.position.add(step);
      this.controls.target.add(step);
      this.glide?.to.add(step);
      this.glide?.targetTo.add(step);
    }
    this.followed = followed ? followed.clone() : null;

    let moving = false;
    if (this.glide) {
      const { from, to, targetFrom, targetTo, start } = this.glide;
      const s = Math.min(1, (performance.now() - start) / GLIDE_MS);
      const ease = s * s * (3 - 2 * s);
      this.controls.target.lerpVectors(targetFrom, targetTo, ease);
      // Glide along an arc around the target: a straight line would dive through the model.
      const a = from.clone().sub(targetFrom);
      const b = to.clone().sub(targetTo);
      const length = MathUtils.lerp(a.length(), b.length(), ease);
      const turn = new Quaternion().setFromUnitVectors(a.clone().normalize(), b.clone().normalize());
      this.camera.position
        .copy(a.normalize().applyQuaternion(new Quaternion().slerp(turn, ease)).multiplyScalar(length))
        .add(this.controls.target);
      if (s >= 1) this.glide = null;
      moving = true;
    }
    moving = this.controls.update() || moving;
    const distance = this.camera.position.distanceTo(this.controls.target);
    const near = 0.02 * distance;
    const far = 12 * distance + 12 * this.size;
    if (Math.abs(near - this.camera.near) > 0.01 * near || Math.abs(far - this.camera.far) > 0.01 * far) {
      this.camera.near = near;
      this.camera.far = far;
      this.camera.updateProjectionMatrix();
    }
    return moving;
  }
}

// SPDX-License-Identifier: Apache-2.0
// Floor: an endless grid that fades out, and a plane that takes the shadows.
import {
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineSegments,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
  Vector2,
  Vector3,
  type Quaternion,
} from 'three';

/** The number of the series 1, 2, 5, 10, ... next to `value`. */
export function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

const vertexShader = `
uniform vec2 centre; uniform float radius; varying vec2 place;
void main() {
  place = centre + radius * position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(place, 0.0, 1.0);
}`;

// Lines are drawn in the shader so that they stay one pixel wide at every distance.
const fragmentShader = `
uniform vec2 centre; uniform float radius, cell; uniform vec3 color; uniform float strength; varying vec2 place;
float lines(float step, float width) {
  vec2 at = place / step, pixel = fwidth(at);
  vec2 off = abs(fract(at - 0.5) - 0.5) / pixel;
  float crowd = max(pixel.x, pixel.y);
  return (1.0 - min(min(off.x, off.y) / width, 1.0)) * (1.0 - smoothstep(0.15, 0.5, crowd));
}
void main() {
  float far = 1.0 - smoothstep(0.25, 1.0, distance(place, centre) / radius);
  float ink = max(0.45 * lines(cell, 0.85), 0.9 * lines(5.0 * cell, 1.0));
  gl_FragColor = vec4(color, ink * far * strength);
  #include <colorspace_fragment>
}`;

const lineVertex = `
uniform vec2 centre; uniform vec3 shift; varying vec2 place; // seen from the middle of the grid
void main() {
  place = shift.z * position.xy + shift.xy - centre;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const lineFragment = `
uniform float radius, strength; uniform vec3 color; varying vec2 place;
void main() {
  gl_FragColor = vec4(color, strength * (1.0 - smoothstep(0.25, 1.0, length(place) / radius)));
  #include <colorspace_fragment>
}`;

const LINES = 40;
const PIECE = 8;
/** Lines one apart to both sides of the middle, in pieces: some programs leave out lines that begin behind the eye. */
function unitLines(): BufferGeometry {
  const ends: number[] = [];
  for (let k = -LINES; k <= LINES; ++k)
    for (let from = -LINES; from < LINES; from += PIECE)
      ends.push(k, from, 0, k, from + PIECE, 0, from, k, 0, from + PIECE, k, 0);
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(ends, 3));
}

export class Floor extends Group {
  readonly cell: number;
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;
  private readonly lines: LineSegments[]; // of the plain look: only their own pixels are computed
  private plain = false;
  private shown = true;

  /** The local z axis of `orientation` points up; `height` is measured along it. */
  constructor(size: number, orientation: Quaternion, up: Vector3, height: number) {
    super();
    this.cell = roundStep(size / 9);
    this.quaternion.copy(orientation);
    this.position.copy(up).multiplyScalar(height);
    this.grid = new Mesh(
      new PlaneGeometry(2, 2),
      new ShaderMaterial({
        vertexShader,
        fragmentShader,
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        uniforms: {
          centre: { value: new Vector2() },
          radius: { value: 1 },
          cell: { value: this.cell },
          color: { value: new Color() },
          strength: { value: 1 },
        },
      }),
    );
    this.grid.frustumCulled = false;
    this.grid.renderOrder = -2;
    this.shadow = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({ depthWrite: false }));
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = -1;
    const { uniforms } = this.grid.material;
    this.lines = [1, 5].map((step) => {
      const strength = { value: 0 };
      const shift = { value: new Vector3() };
      const material = new ShaderMaterial({
        vertexShader: lineVertex,
        fragmentShader: lineFragment,
        transparent: true,
        depthWrite: false,
        uniforms: { ...uniforms, strength, shift },
      });
      const lines = new LineSegments(unitLines(), material);
      lines.userData = { step, strength, shift };
      lines.frustumCulled = false;
      lines.renderOrder = -2;
      return lines;
    });
    this.add(this.grid, this.shadow, ...this.lines);
    this.showParts();
  }

  private showParts(): void {
    this.grid.visible = this.shown && !this.plain;
    for (const lines of this.lines) lines.visible = this.shown && this.plain;
  }

  /** The grid as mere lines: a processor that draws spends more on the shader of the grid than on most models. */
  setPlain(plain: boolean): void {
    this.plain = plain;
    this.showParts();
  }

  setTheme(dark: boolean): void {
    this.grid.material.uniforms.color.value.set(dark ? '#8fa3bd' : '#5b6b80');
    this.grid.material.uniforms.strength.value = dark ? 0.42 : 0.5;
    for (const lines of this.lines)
      lines.userData.strength.value = (lines.userData.step === 1 ? 0.45 : 0.9) * (dark ? 0.42 : 0.5);
    this.shadow.material.opacity = dark ? 0.5 : 0.2;
  }

  showShadow(on: boolean): void {
    this.shadow.visible = on;
  }

  /** Shadows stay: they tell where the model is. */
  showGrid(on: boolean): void {
    this.shown = on;
    this.showParts();
  }

  /** Keeps the visible part of the endless grid under the point looked at. */
  centreOn(target: Vector3, radius: number): void {
    const local = target.clone().sub(this.position).applyQuaternion(this.quaternion.clone().invert());
    this.grid.material.uniforms.centre.value.set(local.x, local.y);
    this.grid.material.uniforms.radius.value = radius;
    for (const lines of this.lines) {
      const width = lines.userData.step * this.cell;
      const major = 5 * this.cell; // minor lines keep their places between the major ones
      lines.scale.setScalar(width);
      lines.position.set(major * Math.round(local.x / major), major * Math.round(local.y / major), 0);
      lines.userData.shift.value.set(lines.position.x, lines.position.y, width);
    }
    this.shadow.position.set(local.x, local.y, 0);
    this.shadow.scale.setScalar(radius);
  }
}

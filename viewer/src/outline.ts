// SPDX-License-Identifier: Apache-2.0
// Outline of the selected element: its back faces, pushed out by a fixed number of pixels.
import {
  BackSide,
  Color,
  Mesh,
  ShaderMaterial,
  Vector2,
  type BufferGeometry,
  type Group,
  type Matrix4,
  type Object3D,
} from 'three';

const PIXELS = 2;

export class Outline {
  private readonly shells: Mesh[] = [];
  private readonly material = new ShaderMaterial({
    side: BackSide,
    uniforms: { color: { value: new Color() }, view: { value: new Vector2(1, 1) } },
    vertexShader: `
      uniform vec2 view;
      void main() {
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        vec2 way = (projectionMatrix * vec4(normalMatrix * normal, 0.0)).xy;
        gl_Position.xy += way / max(length(way), 1e-6) * ${(2 * PIXELS).toFixed(1)} / view * gl_Position.w;
      }`,
    fragmentShader: `
      uniform vec3 color;
      void main() {
        gl_FragColor = vec4(color, 1.0);
        #include <colorspace_fragment>
      }`,
  });

  /** Black or white: unlike every colour a body may have. */
  setTheme(dark: boolean): void {
    this.material.uniforms.color.value.set(dark ? '#ffffff' : '#0b1118');
  }

  setView(width: number, height: number): void {
    this.material.uniforms.view.value.set(width, height);
  }

  /** Draws the outline around these meshes and parts only. */
  show(meshes: Mesh[], parts: { geometry: BufferGeometry; frame: Group; local: Matrix4 }[]): void {
    for (const shell of this.shells.splice(0)) shell.removeFromParent();
    const add = (geometry: BufferGeometry, parent: Object3D): Mesh => {
      const shell = new Mesh(geometry, this.material);
      shell.frustumCulled = false;
      parent.add(shell); // moves with it
      this.shells.push(shell);
      return shell;
    };
    for (const mesh of meshes) add(mesh.geometry, mesh);
    for (const { geometry, frame, local } of parts) {
      const shell = add(geometry, frame);
      shell.matrixAutoUpdate = false;
      shell.matrix.copy(local);
    }
  }
}

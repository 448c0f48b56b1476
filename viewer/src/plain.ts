// SPDX-License-Identifier: Apache-2.0
// The look while something moves and the processor draws: light is computed at the corners of the facets, without gloss
// and shadows. A picture costs a fraction, and so does the preparation of the first one.
import { ShaderMaterial, Vector3, type Mesh, type MeshStandardMaterial } from 'three';

/** Directions to the lights, for all plain materials. */
export const plainLights = {
  up: { value: new Vector3(0, 0, 1) },
  sun: { value: new Vector3(0, 0, 1) },
  rim: { value: new Vector3(0, 0, 1) },
};

// The lights of the stage on a dull surface: irradiance times colour over π, where a little of the gloss is added to
// the sun.
const vertexShader = `
uniform vec3 up, sun, rim, tint; varying vec3 shade;
void main() {
  vec4 place = vec4(position, 1.0);
  vec3 n = normal;
  #ifdef USE_INSTANCING
    mat3 turn = mat3(instanceMatrix);
    n = turn * (n / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2])));
    place = instanceMatrix * place;
  #endif
  n = normalize(mat3(modelMatrix) * n);
  vec3 own = tint;
  #ifdef USE_INSTANCING_COLOR
    own *= instanceColor;
  #endif
  #ifdef USE_COLOR
    own *= color;
  #endif
  vec3 light = mix(vec3(0.366, 0.423, 0.527), vec3(1.0), 0.5 + 0.5 * dot(n, up)) * 1.9
    + 2.2 * max(0.0, dot(n, sun)) + vec3(0.35, 0.4, 0.5) * max(0.0, dot(n, rim));
  shade = own * light * 0.31;
  gl_Position = projectionMatrix * modelViewMatrix * place;
}`;

const fragmentShader = `
uniform float opacity; varying vec3 shade;
void main() {
  gl_FragColor = vec4(shade, opacity);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`;

const twins = new WeakMap<MeshStandardMaterial, ShaderMaterial>();

/** The plain twin of a material; it goes along with its colour. */
function twinOf(material: MeshStandardMaterial): ShaderMaterial {
  let twin = twins.get(material);
  if (!twin) {
    twin = new ShaderMaterial({
      vertexShader,
      fragmentShader,
      vertexColors: material.vertexColors,
      uniforms: { ...plainLights, tint: { value: material.color }, opacity: { value: 1 } },
    });
    twins.set(material, twin);
  }
  twin.transparent = material.transparent;
  twin.depthWrite = material.depthWrite;
  twin.uniforms.opacity.value = material.opacity;
  return twin;
}

/** Gives a mesh its plain look, or its own one again. */
export function setPlain(mesh: Mesh, plain: boolean): void {
  const own = (mesh.userData.own ??= mesh.material) as MeshStandardMaterial;
  mesh.material = plain ? twinOf(own) : own;
}

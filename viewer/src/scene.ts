// SPDX-License-Identifier: Apache-2.0
// The stage: renderer, lights, floor, and drawing only when something has changed.
import {
  DirectionalLight,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { Quality, type Level } from './quality';
import { CameraRig, Compass, type View } from './camera';
import { plainLights } from './plain';
import { toVector } from './shapes';
import { Floor } from './grid';
import type { Model } from './model';

export class Stage {
  readonly scene = new Scene();
  readonly rig: CameraRig;
  readonly floor: Floor;
  /** Null where the browser cannot draw in three dimensions; plots and panels still work. */
  readonly renderer: WebGLRenderer | null;
  /** The processor draws: it is slow, so less is spent on edges, gloss and shadows while something moves. */
  readonly software: boolean;
  /** Called before each drawing with the wall-clock time; returns whether to go on. */
  beforeFrame: (now: number) => boolean = () => false;
  afterFrame: () => void = () => {};
  private readonly sun = new DirectionalLight('#ffffff', 2.1);
  private readonly sunDirection: Vector3;
  private scheduled = false;
  private readonly quality: Quality;
  private drawn: Level = { ratio: 0, shadows: true, fine: true, plain: false };
  private resting = 0; // timer of the fine picture
  frames = 0;

  constructor(
    readonly host: HTMLElement,
    private readonly model: Model,
  ) {
    const compass = new Compass(toVector(model.run.up));
    const { renderer, software } = makeRenderer();
    this.renderer = renderer;
    this.software = software;
    this.quality = new Quality(software);
    const surface = this.renderer?.domElement ?? document.createElement('canvas');
    surface.tabIndex = -1;
    host.append(surface);
    this.rig = new CameraRig(compass, surface, model.size, () => this.invalidate());

    this.floor = new Floor(this.floorScale(), compass.orientation, compass.up, this.floorHeight(compass.up));
    this.scene.add(model.root, this.floor);

    const sky = new HemisphereLight('#ffffff', '#a3aec0', 1.9);
    sky.position.copy(compass.up);
    this.sunDirection = compass.direction(-24, 50);
    this.sun.castShadow = true;
    const sharp = software ? 1024 : 2048;
    this.sun.shadow.mapSize.set(sharp, sharp);
    this.sun.shadow.radius = sharp / 600;
    const rim = new DirectionalLight('#dbe7ff', 0.5);
    rim.position.copy(compass.direction(150, 25));
    plainLights.up.value.copy(compass.up);
    plainLights.sun.value.copy(this.sunDirection);
    plainLights.rim.value.copy(rim.position).normalize();
    this.scene.add(sky, this.sun, this.sun.target, rim);
    this.aimSun();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.view('iso', false);
  }

  private floorScale(): number {
    return this.model.travels ? 2 * this.model.size : this.model.motion.getSize(new Vector3()).length();
  }

  /** At zero if the model stands there, else a little below its lowest place. */
  private floorHeight(up: Vector3): number {
    const { min, max } = this.model.motion;
    const low = [0, 1, 2].reduce(
      (sum, c) => sum + up.getComponent(c) * (up.getComponent(c) > 0 ? min : max).getComponent(c),
      0,
    );
    if (low > -0.02 * this.model.size && low < 0.6 * this.model.size) return 0;
    return low - 0.06 * this.model.size;
  }

  view(view: View, smooth = true): void {
    this.rig.view(view, this.model.viewPoints(), smooth);
  }
  fit(): void {
    this.rig.fit(this.model.viewPoints(), true);
  }

  private aimSun(): void {
    const box = this.model.travels ? this.model.presentBox() : this.model.motion;
    const radius = 0.62 * box.getSize(new Vector3()).length() + 0.1 * this.model.size;
    box.getCenter(this.sun.target.position);
    this.sun.position.copy(this.sun.target.position).addScaledVector(this.sunDirection, 4 * radius);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 2 * radius;
    camera.far = 9 * radius; // beyond the model, to reach the floor
    this.sun.shadow.normalBias = 0.002 * radius;
    this.sun.shadow.bias = -0.0004;
    camera.updateProjectionMatrix();
  }

  setTheme(dark: boolean): void {
    this.floor.setTheme(dark);
    this.model.applyTheme(dark);
    if (this.renderer) this.renderer.toneMappingExposure = dark ? 1.05 : 1.25;
    this.invalidate();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.width = width;
    this.height = height;
    this.drawn = { ...this.drawn, ratio: 0 };
    this.rig.resize(width, height);
    this.model.outline.setView(width, height);
    this.invalidate();
  }

  width = 1;
  height = 1;

  /** Draws only when asked to, for pictures by scripts. */
  onDemand = new URLSearchParams(location.hash.slice(1)).has('still');

  invalidate(): void {
    if (this.scheduled || this.onDemand) return;
    this.scheduled = true;
    requestAnimationFrame((now) => {
      this.scheduled = false;
      if (this.frame(now)) this.invalidate();
    });
  }

  /** Body position the camera goes along with, if any. */
  followed: () => Vector3 | null = () => null;

  private frame(now: number): boolean {
    const running = this.beforeFrame(now);
    const moving = this.rig.update(this.followed());
    if (running || moving) this.quality.note(now);
    else this.quality.restart();
    this.draw(running || moving ? this.quality.moving : this.coarse());
    clearTimeout(this.resting);
    if (!running && !moving)
      this.resting = window.setTimeout(() => this.draw(this.quality.still), this.quality.restDelay);
    return running || moving;
  }

  /** A single new picture: as the moving ones, unless these lack the shadows; the very first one is to come soon. */
  private coarse(): Level {
    const { moving } = this.quality;
    return moving.plain ? moving : { ...moving, shadows: true };
  }

  private draw(level: Level): void {
    if (this.model.travels) this.aimSun();
    const distance = this.rig.camera.position.distanceTo(this.rig.controls.target);
    this.floor.centreOn(this.rig.controls.target, Math.max(2.2 * distance, 2.5 * this.floorScale()));
    if (this.renderer) {
      if (level.ratio !== this.drawn.ratio) {
        this.renderer.setPixelRatio(level.ratio);
        this.renderer.setSize(this.width, this.height);
      }
      this.sun.castShadow = level.shadows;
      this.floor.showShadow(level.shadows);
      this.floor.setPlain(level.plain);
      this.model.setFine(
        level.fine,
        level.plain,
        (distance * Math.tan((this.rig.camera.fov * Math.PI) / 360)) / (this.height / 2),
      );
      this.drawn = level;
      this.renderer.render(this.scene, this.rig.camera);
      ++this.frames;
    }
    this.afterFrame();
  }

  /** Draws the best picture now; the drawing buffer holds it until the script returns. */
  drawFine(): void {
    this.beforeFrame(performance.now());
    this.rig.update(this.followed());
    this.draw(this.quality.still);
  }
  /** What the last picture was drawn with. */
  get level(): Level {
    return this.drawn;
  }
}

function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return (
    info !== null &&
    /swiftshader|llvmpipe|software|basic render/i.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)))
  );
}

/** Smooth edges are set up with the canvas: it is made again if there turns out to be a graphics card. */
function makeRenderer(): { renderer: WebGLRenderer | null; software: boolean } {
  const wishes = { antialias: false, alpha: true, powerPreference: 'high-performance' } as const;
  try {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { ...wishes, depth: true, stencil: false });
    const software = context !== null && isSoftware(context);
    const renderer =
      context !== null && software
        ? new WebGLRenderer({ ...wishes, canvas, context })
        : new WebGLRenderer({ ...wishes, antialias: true });
    if (!software) context?.getExtension('WEBGL_lose_context')?.loseContext();
    renderer.debug.checkShaderErrors = false; // to ask would wait for each of them
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    renderer.toneMapping = NeutralToneMapping;
    return { renderer, software };
  } catch {
    return { renderer: null, software: false };
  }
}

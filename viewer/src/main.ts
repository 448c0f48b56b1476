// SPDX-License-Identifier: Apache-2.0
// Puts the page together.
import { Arrows } from './arrows';
import { makeArrowBar } from './arrowbar';
import { decodeBytes, readRun, type Quat, type Run, type Vec3 } from './data';
import { formatNumber, h, icon } from './dom';
import { makeColorBar } from './colorbar';
import { listChoices } from './coloring';
import { Gizmo } from './gizmo';
import { enableKeys, makeHelp } from './keys';
import { download } from './export';
import { Labels } from './labels';
import { makeHeader, makeSceneTools, makeSplitter } from './layout';
import { Model } from './model';
import { ModePanel } from './modes';
import { Panel } from './panel';
import { enablePicking } from './pick';
import { Player } from './player';
import { Plots } from './plots';
import { Stage } from './scene';
import { makeId, State, type Id } from './state';
import { Theme } from './theme';
import { eventTimes, makeTimeBar } from './timebar';
import { Tree } from './tree';
import { Vector3 } from 'three';

/** Handle for tests and scripts. */
interface Handle {
  setTime(t: number): void;
  time(): number;
  bodyPose(name: string): { position: Vec3; quaternion_wxyz: Quat } | null;
  play(): void;
  pause(): void;
  plots(): { signals: string[]; samples: number }[];
  /** Pictures of the scene drawn so far, and how finely the last one was. */
  frames(): number;
  quality(): { ratio: number; shadows: boolean };
  /** What beams can be coloured by. */
  quantities(): string[];
  /** Colours beams by a quantity, '' by none. */
  colorBy(quantity: string): void;
  /** Corners of a beam as drawn: x y z and colours. */
  beamMesh(name: string): { positions: number[]; colors: number[] } | null;
  /** Draws the finest picture at once. */
  picture(): void;
  /** Shows mode k at an angle of its cycle, or animates it; no such mode ends it. */
  showMode(k: number, angle?: number): void;
}
declare global {
  interface Window {
    bricard?: Handle;
  }
}

const app = document.getElementById('app')!;

function message(title: string, text: string): void {
  app.replaceChildren(h('div.message', {}, h('h1', {}, title), h('p', {}, text)));
}

/** The run in the page; null in the empty page. Most of it is deflated. */
async function readData(): Promise<unknown> {
  const text = document.getElementById('bricard-data')?.textContent?.trim() ?? '';
  if (!text.startsWith('{')) return null;
  const root = JSON.parse(text) as { deflated?: unknown };
  if (typeof root.deflated !== 'string') return root;
  const stream = new Blob([decodeBytes(root.deflated)]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}

async function start(): Promise<void> {
  const theme = new Theme();
  let run: Run;
  try {
    const data = await readData();
    if (data === null)
      return message(
        'No run in this page',
        'This is the empty Bricard viewer. A run of Bricard fills it with a model and its motion.',
      );
    run = readRun(data);
  } catch (error) {
    return message('The run could not be read', error instanceof Error ? error.message : String(error));
  }
  show(run, theme);
}

function show(run: Run, theme: Theme): void {
  document.title = `${run.name} – Bricard`;
  const state = new State();
  const player = new Player(run.time);
  const model = new Model(run);
  const scene = h('main.scene');
  const root = document.documentElement;
  const help = makeHelp(run.version);
  const header = makeHeader(
    run.name,
    run.description,
    theme,
    () => help.showModal(),
    (part) => root.classList.toggle(`no-${part}`),
  );
  app.replaceChildren(header, scene); // in the page before the stage measures it
  const plots = new Plots(run, player, theme);
  const open = (id: Id): void => {
    if (!id.startsWith('ground')) stage.rig.lookAt(model.labelPoint(id, new Vector3()));
  };
  const tree = new Tree(model, state, open);
  const modes = makeModes(run, model, player, plots, () => stage.invalidate());
  const panel = new Panel(model, state, plots, tree.root, modes?.root ?? null);
  panel.isPlaying = () => player.playing;
  app.replaceChildren(
    header,
    scene,
    makeSplitter('row', '--plots', 110, () => 0.7 * innerHeight),
    plots.root,
    makeSplitter('column', '--panel', 200, () => 0.6 * innerWidth),
    panel.root,
    makeTimeBar(player, eventTimes(model.run.certificate)),
  );

  const stage = new Stage(scene, model);
  plots.slow = stage.software;
  const labels = new Labels(model, state);
  const gizmo = new Gizmo();
  const arrows = new Arrows(model);
  stage.scene.add(labels.axes, arrows.root);
  const savePicture = (): void => {
    stage.drawFine();
    stage.renderer?.domElement.toBlob((blob) => {
      if (blob) download(blob, `${run.name || 'run'}.png`);
    });
  };
  scene.append(
    labels.root,
    gizmo.root,
    makeSceneTools(stage, state, savePicture),
    makeArrowBar(arrows, state, stage.floor.cell),
    makeColorBar(run, state) ?? '',
    ...(modes ? [modes.scene] : []),
    h('div.scale', { title: 'Width of a grid cell' }, `grid ${formatNumber(stage.floor.cell)} ${run.lengthUnit}`),
  );
  if (!stage.renderer)
    scene.append(
      h('div.message', {}, h('p', {}, 'This browser cannot draw in three dimensions (WebGL 2 is missing).')),
    );
  else enablePicking(stage.renderer.domElement, stage.rig.camera, model, state, open);

  stage.beforeFrame = (now) => {
    const running = player.tick(now) || (modes?.tick(now) ?? false);
    arrows.update(state, player.time);
    return running;
  };
  stage.followed = () =>
    state.follow === null || !run.bodies[state.follow] ? null : model.frameOf(state.follow).position;
  stage.afterFrame = () => {
    gizmo.update(stage.rig.camera);
    labels.update(stage.rig.camera, stage.width, stage.height);
  };
  player.onChange((timeChanged) => {
    if (timeChanged) {
      model.setTime(player.time);
      panel.showTime();
    }
    stage.invalidate();
  });
  let follow: number | null = null;
  state.onChange(() => {
    if (state.follow !== follow) stage.rig.follow(stage.followed());
    follow = state.follow;
    model.applyState(state);
    stage.floor.showGrid(state.options.grid);
    stage.invalidate();
  });
  if (model.travels) state.setFollow(0); // else the model would leave the picture at once
  theme.onChange(() => stage.setTheme(theme.dark));
  stage.setTheme(theme.dark);
  model.applyState(state);
  const togglePlay = (): void => {
    if (modes?.chosen) modes.toggle();
    else player.toggle();
  };
  const escape = (): void => {
    if (modes?.chosen) modes.choose(null);
    state.select(null);
    plots.setReference(null);
  };
  enableKeys(player, stage, state, help, togglePlay, savePicture, escape);
  if (modes && run.time.length === 1) {
    // of one state there is nothing else to see
    root.classList.add('one-state');
    panel.openTab(run.modes.list.length > 0 ? 'modes' : 'model');
    modes.choose(run.modes.list[0] ?? null);
    if (run.campbell || run.responses.length > 0) plots.showOnlyCharts();
    else root.classList.add('no-plots');
  }
  applyAddress(run, theme, state, player, stage, panel, modes);

  window.bricard = {
    setTime: (t) => player.setTime(t),
    time: () => player.time,
    bodyPose: (name) => {
      const k = run.bodies.findIndex((b) => b.name === name);
      if (k < 0) return null;
      const { position: p, quaternion: q } = model.frameOf(k); // what is drawn, not what is stored
      return { position: [p.x, p.y, p.z], quaternion_wxyz: [q.w, q.x, q.y, q.z] };
    },
    play: () => player.play(),
    pause: () => player.pause(),
    frames: () => stage.frames,
    quality: () => stage.level,
    picture: () => stage.drawFine(),
    quantities: () => listChoices(run).map((choice) => choice.name),
    colorBy: (quantity) => state.setQuantity(quantity),
    beamMesh: (name) => model.beamMesh(name),
    showMode: (k, angle) => {
      if (!modes) return;
      modes.choose(run.modes.list[k] ?? null);
      modes.running = angle === undefined;
      if (angle !== undefined) modes.show(angle);
    },
    plots: () =>
      plots.plots.map((p) => ({
        signals: p.signals.map((s) => s.name),
        samples: Math.max(0, ...p.signals.map((s) => s.values.length)),
      })),
  };
}

function makeModes(run: Run, model: Model, player: Player, plots: Plots, onChange: () => void): ModePanel | null {
  const charts = [
    run.campbell && (['campbell', 'Campbell diagram'] as const),
    run.responses.length > 0 && (['responses', 'Frequency responses'] as const),
  ]
    .filter((c) => c !== false && c !== null)
    .map(([kind, title]) =>
      h('button.text', { type: 'button', onclick: () => plots.addCharts(kind) }, icon('chart'), title),
    );
  return run.modes.list.length > 0 || charts.length > 0
    ? new ModePanel(run.modes, model, player, onChange, charts)
    : null;
}

/** Beams without a colour of their own show their stress; modes have none. */
function defaultQuantity(run: Run): string {
  const own = run.modes.list.length > 0 && run.time.length === 1;
  return own || run.beams.some((beam) => beam.color) ? '' : (listChoices(run)[0]?.name ?? '');
}

/** Start settings in the address, as in `run.html#t=1.5&view=front&play`; useful for pictures and links. */
function applyAddress(
  run: Run,
  theme: Theme,
  state: State,
  player: Player,
  stage: Stage,
  panel: Panel,
  modes: ModePanel | null,
): void {
  const wish = new URLSearchParams(location.hash.slice(1));
  theme.set(wish.get('theme'), false);
  const view = wish.get('view');
  if (view === 'iso' || view === 'front' || view === 'top' || view === 'side') stage.view(view, false);
  for (const option of ['arrows', 'markers', 'xray', 'names'] as const) if (wish.has(option)) state.toggle(option);
  const body = run.bodies.findIndex((b) => b.name === wish.get('select'));
  if (body >= 0) state.select(makeId('body', body));
  const joint = run.joints.findIndex((j) => j.name === wish.get('select'));
  if (joint >= 0 && body < 0) state.select(makeId('joint', joint));
  state.setQuantity(wish.get('color') ?? defaultQuantity(run));
  if (wish.has('tab')) panel.openTab(wish.get('tab')!);
  if (wish.has('speed')) player.setSpeed(Number(wish.get('speed')));
  if (wish.has('t')) player.setTime(Number(wish.get('t')));
  if (wish.has('mode')) modes?.choose(run.modes.list[Number(wish.get('mode')) - 1] ?? null);
  if (wish.has('picture')) document.documentElement.classList.add('picture'); // the scene alone
  if (wish.has('play')) player.play();
}

void start();

// SPDX-License-Identifier: Apache-2.0
// Keyboard, and the help that lists it.
import type { View } from './camera';
import { h, iconButton } from './dom';
import type { Player } from './player';
import type { Stage } from './scene';
import type { State } from './state';

const HELP: [string, [string[], string][]][] = [
  [
    'Time',
    [
      [['Space'], 'play or pause'],
      [['←', '→'], 'one sample back or on'],
      [['Shift', '←', '→'], 'ten samples'],
      [['Home', 'End'], 'to the start, to the end'],
      [['+', '−'], 'faster, slower'],
      [['L'], 'loop'],
    ],
  ],
  [
    'View',
    [
      [['1', '2', '3', '4'], 'iso, front, top, side'],
      [['F'], 'fit the model'],
      [['C'], 'follow a body'],
      [['G', 'T', 'J'], 'grid, traces, joints'],
      [['A', 'M'], 'forces, markers'],
      [['X', 'N'], 'x-ray, names'],
      [['P'], 'save a picture'],
    ],
  ],
  [
    'Mouse',
    [
      [['Drag'], 'turn'],
      [['Right drag'], 'move'],
      [['Wheel'], 'zoom'],
      [['Click'], 'select'],
      [['Double click'], 'look at'],
    ],
  ],
  [
    'Plots',
    [
      [['Click', 'Drag'], 'set the time'],
      [['Shift', 'Click'], 'second cursor'],
      [['Wheel'], 'zoom in time'],
      [['Double click'], 'whole run'],
    ],
  ],
  [
    'Page',
    [
      [['?'], 'show this help'],
      [['Esc'], 'clear the selection'],
    ],
  ],
];

export function makeHelp(version: string): HTMLDialogElement {
  const dialog = h('dialog.help');
  const columns = HELP.map(([title, keys]) =>
    h(
      'section',
      {},
      h('h3', {}, title),
      h(
        'dl',
        {},
        ...keys.flatMap(([key, text]) => [
          h('dt', {}, ...key.flatMap((k) => [h('kbd', {}, k), ' '])),
          h('dd', {}, text),
        ]),
      ),
    ),
  );
  dialog.append(
    h(
      'header',
      {},
      h('b', {}, 'Keys and mouse'),
      iconButton('close', 'Close (Esc)', () => dialog.close()),
    ),
    h('div.columns', {}, ...columns),
    h(
      'footer',
      {},
      `Bricard viewer${version ? ` · run made by Bricard ${version}` : ''} · Apache-2.0`,
      ' · contains three.js and uPlot (MIT)',
    ),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

export function enableKeys(
  player: Player,
  stage: Stage,
  state: State,
  help: HTMLDialogElement,
  onPlay: () => void,
  onPicture: () => void,
  onEscape: () => void,
): void {
  const views: Record<string, View> = { 1: 'iso', 2: 'front', 3: 'top', 4: 'side' };
  const actions: Record<string, (event: KeyboardEvent) => void> = {
    ' ': onPlay,
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    Home: () => player.setTime(player.start),
    End: () => player.setTime(player.end),
    '+': () => player.faster(1),
    '=': () => player.faster(1),
    '-': () => player.faster(-1),
    '−': () => player.faster(-1),
    l: () => player.setLoop(!player.loop),
    f: () => stage.fit(),
    c: () => state.toggleFollow(),
    g: () => state.toggle('grid'),
    t: () => state.toggle('traces'),
    j: () => state.toggle('joints'),
    a: () => state.toggle('arrows'),
    m: () => state.toggle('markers'),
    p: onPicture,
    x: () => state.toggle('xray'),
    n: () => state.toggle('names'),
    '?': () => help.showModal(),
    h: () => help.showModal(),
    Escape: onEscape,
  };
  // A button pressed with the mouse must not keep the focus, or it would take the next Space.
  addEventListener('click', (event) => {
    if (event.detail > 0) (event.target as Element).closest('button')?.blur();
  });
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    const typing = target.closest('input:not([type=range]):not([type=checkbox]), select, textarea, dialog');
    if (typing && event.key === 'Escape' && target instanceof HTMLInputElement) target.blur();
    // A button reached with the Tab key keeps its Space.
    if (event.key === ' ' && target.matches('button:focus-visible, summary:focus-visible')) return;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = views[key] ? () => stage.view(views[key]) : actions[key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

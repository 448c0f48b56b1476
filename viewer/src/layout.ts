// SPDX-License-Identifier: Apache-2.0
// Frame of the page: header, scene tools, and borders that can be dragged.
import type { View } from './camera';
import { h, icon, iconButton } from './dom';
import type { Stage } from './scene';
import type { Options, State } from './state';
import type { Theme } from './theme';

export function makeHeader(
  name: string,
  description: string,
  theme: Theme,
  onHelp: () => void,
  onToggle: (part: 'panel' | 'plots') => void,
): HTMLElement {
  const themeButton = iconButton('auto', 'Light or dark', () => theme.next());
  const refresh = (): void => {
    themeButton.replaceChildren(icon({ auto: 'auto', light: 'sun', dark: 'moon' }[theme.mode]));
    themeButton.title = `Colours: ${theme.mode === 'auto' ? 'as the system' : theme.mode}`;
  };
  theme.onChange(refresh);
  refresh();
  return h(
    'header.top',
    {},
    h('span.brand', {}, logo(), 'Bricard'),
    h('h1', { title: name }, name),
    h('p', { title: description }, description),
    h(
      'div.buttons',
      {},
      iconButton('chart', 'Show or hide the plots', () => onToggle('plots'), '.deskonly'),
      iconButton('panel', 'Show or hide the panel', () => onToggle('panel'), '.deskonly'),
      themeButton,
      h('button.iconbtn', { type: 'button', title: 'Keys and mouse (?)', 'aria-label': 'Help', onclick: onHelp }, '?'),
    ),
  );
}

/** A six-bar ring, after the linkages of Raoul Bricard. */
function logo(): Node {
  const holder = document.createElement('div');
  const joints = ['12 3.5', '19.4 7.7', '19.4 16.3', '12 20.5', '4.6 16.3', '4.6 7.7'].map((joint) => {
    const [x, y] = joint.split(' ');
    return `<circle cx="${x}" cy="${y}" r="2"/>`;
  });
  holder.innerHTML =
    '<svg class="logo" viewBox="0 0 24 24" aria-hidden="true">' +
    `<path d="M12 3.5l7.4 4.2-3.6 4.3 3.6 4.3L12 20.5l-7.4-4.2L8.2 12 4.6 7.7z"/>${joints.join('')}</svg>`;
  return holder.firstElementChild!;
}

export function makeSceneTools(stage: Stage, state: State, onPicture: () => void): HTMLElement {
  const views: [View, string, string][] = [
    ['iso', 'Iso', '1'],
    ['front', 'Front', '2'],
    ['top', 'Top', '3'],
    ['side', 'Side', '4'],
  ];
  const options: [keyof Options, string, string][] = [
    ['grid', 'grid', 'Grid (G)'],
    ['traces', 'trace', 'Traces (T)'],
    ['joints', 'joint', 'Joints (J)'],
    ['arrows', 'arrow', 'Reactions and forces (A)'],
    ['markers', 'marker', 'Markers (M)'],
    ['xray', 'xray', 'X-ray (X)'],
    ['names', 'tag', 'Names (N)'],
  ];
  const switches = options.map(([option, image, title]) => ({
    option,
    button: iconButton(image, title, () => state.toggle(option)),
  }));
  const follow = iconButton('follow', 'Follow the selected body (C)', () => state.toggleFollow());
  const refresh = (): void => {
    follow.classList.toggle('on', state.follow !== null);
    follow.setAttribute('aria-pressed', String(state.follow !== null));
    for (const { option, button } of switches) {
      button.classList.toggle('on', state.options[option]);
      button.setAttribute('aria-pressed', String(state.options[option]));
    }
  };
  state.onChange(refresh);
  refresh();
  return h(
    'div.tools',
    {},
    h(
      'div.group',
      {},
      ...views.map(([view, title, key]) =>
        h('button', { type: 'button', title: `${title} view (${key})`, onclick: () => stage.view(view) }, title),
      ),
      iconButton('fit', 'Fit (F)', () => stage.fit()),
    ),
    h('div.group', {}, follow, ...switches.map((s) => s.button)),
    h('div.group', {}, iconButton('camera', 'Save this picture as PNG (P)', onPicture)),
  );
}

/** A border that resizes a part by setting a CSS length on the page. */
export function makeSplitter(
  direction: 'row' | 'column',
  variable: string,
  least: number,
  most: () => number,
): HTMLElement {
  const bar = h(`div.splitter.${direction}`, { role: 'separator' });
  bar.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    const start = direction === 'row' ? event.clientY : event.clientX;
    const part = document.querySelector(direction === 'row' ? '.plots' : '.panel')!.getBoundingClientRect();
    const size = direction === 'row' ? part.height : part.width;
    const drag = (move: PointerEvent): void => {
      const next = size + start - (direction === 'row' ? move.clientY : move.clientX);
      document.documentElement.style.setProperty(variable, `${Math.max(least, Math.min(most(), next))}px`);
    };
    bar.addEventListener('pointermove', drag);
    for (const end of ['pointerup', 'pointercancel'])
      bar.addEventListener(end, () => bar.removeEventListener('pointermove', drag), { once: true });
  });
  bar.addEventListener('dblclick', () => document.documentElement.style.removeProperty(variable));
  return bar;
}

// SPDX-License-Identifier: Apache-2.0
// Scale of the arrows: a slider, and what an arrow as long as a cell of the grid stands for.
import type { Arrows } from './arrows';
import { formatNumber, h } from './dom';
import type { State } from './state';

export function makeArrowBar(arrows: Arrows, state: State, cell: number): HTMLElement {
  const slider = h('input', {
    type: 'range',
    min: -1.5,
    max: 1.5,
    step: 0.05,
    value: 0,
    'aria-label': 'Scale of the arrows',
    title: 'Scale of the arrows (double click: as at first)',
  });
  const text = h('span');
  slider.addEventListener('input', () => state.setArrowScale(10 ** Number(slider.value)));
  slider.addEventListener('dblclick', () => {
    slider.value = '0';
    state.setArrowScale(1);
  });
  const bar = h('div.arrowbar', { title: 'Length of arrows' }, slider, text);
  const refresh = (): void => {
    bar.hidden = !state.options.arrows || arrows.sources.length === 0;
    const of = (unit: number, name: string): string =>
      unit > 0 ? `${formatNumber((unit * cell) / state.arrowScale, 3)} ${name}` : '';
    text.textContent = `cell = ${[of(arrows.forceUnit, 'N'), of(arrows.torqueUnit, 'N m')].filter(Boolean).join(', ')}`;
  };
  state.onChange(refresh);
  refresh();
  return bar;
}

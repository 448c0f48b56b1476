// SPDX-License-Identifier: Apache-2.0
// What beams are coloured by: a box to choose from, and the scale of the colours.
import { Color } from 'three';
import { listChoices, scaleOf, type Choice, type Scale } from './coloring';
import type { Run } from './data';
import { formatNumber, h } from './dom';
import type { State } from './state';

const STEPS = 24;
const TICKS = 5;

/** Units as engineers read them: stresses in MPa. */
function shown({ unit }: Choice, scale: Scale): { factor: number; text: string } {
  const most = Math.max(Math.abs(scale.low), Math.abs(scale.high));
  if (unit === 'N/m^2') return most >= 1e4 ? { factor: 1e-6, text: 'MPa' } : { factor: 1, text: 'Pa' };
  if ((unit === 'N' || unit === 'N*m') && most >= 1e4) return { factor: 1e-3, text: unit === 'N' ? 'kN' : 'kN m' };
  return { factor: 1, text: unit.replace('*', ' ') };
}

export function makeColorBar(run: Run, state: State): HTMLElement | null {
  const choices = listChoices(run);
  if (choices.length === 0) return null;
  const select = h(
    'select',
    { 'aria-label': 'Colour of the beams', title: 'What beams are coloured by' },
    h('option', { value: '' }, 'no colours'),
    ...choices.map((c) => h('option', { value: c.name }, c.name)),
  );
  const ramp = h('div.ramp');
  const ticks = h('div.ticks');
  const unit = h('span.unit');
  const scaleBox = h('div.colors', {}, ramp, ticks);
  select.addEventListener('change', () => state.setQuantity(select.value));
  let painted = '-';
  const refresh = (): void => {
    if (state.quantity === painted) return;
    painted = state.quantity;
    select.value = painted;
    const choice = choices.find((c) => c.name === painted);
    scaleBox.hidden = unit.hidden = !choice;
    if (!choice) return;
    const scale = scaleOf(run, choice);
    const { factor, text } = shown(choice, scale);
    const color = new Color();
    const stops = Array.from({ length: STEPS + 1 }, (_, k) => {
      const value = scale.low + (k / STEPS) * (scale.high - scale.low);
      return `#${scale.color(value, color).getHexString()}`;
    });
    ramp.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
    ticks.replaceChildren(
      ...Array.from({ length: TICKS }, (_, k) =>
        h('span', {}, formatNumber(factor * (scale.low + (k / (TICKS - 1)) * (scale.high - scale.low)), 3)),
      ),
    );
    unit.textContent = text;
  };
  state.onChange(refresh);
  refresh();
  return h('div.colorbar', {}, h('div.choice', {}, select, unit), scaleBox);
}

// SPDX-License-Identifier: Apache-2.0
// Okabe and Ito's palette, which stays distinct under the common kinds of colour blindness.
import { Color } from 'three';

export const BODY_COLORS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#F0E442'];

/** Lines on white or dark grey: yellow is left out because it vanishes on white. */
export const LINE_COLORS = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9'];
const LINE_COLORS_DARK = ['#56B4E9', '#E69F00', '#2BC79A', '#E39AC4', '#F0E442', '#FF8A3D'];

export const AXIS_COLORS = ['#D55E00', '#009E73', '#0072B2'];

export const lineColor = (k: number, dark: boolean): string =>
  (dark ? LINE_COLORS_DARK : LINE_COLORS)[k % LINE_COLORS.length];
/** After one round of colours the lines are told apart by dashes. */
export const lineDash = (k: number): number[] => [[], [6, 4], [2, 3]][Math.floor(k / LINE_COLORS.length) % 3];

/** Colours of values with a sign, from 0 to 1 with zero in the middle: blue, light grey, red (after Moreland). */
const COOL_WARM = ['#3b4cc0', '#8db0fe', '#dddddd', '#f4987a', '#b40426'].map((c) => new Color(c));
export const diverging = (share: number, out: Color): Color => ramp(COOL_WARM, share, out);

/** Colours of values from 0 to 1: dark blue, teal, yellow, of steadily rising lightness (after viridis). */
const HEAT = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'].map((c) => new Color(c));
export const heat = (share: number, out: Color): Color => ramp(HEAT, share, out);

function ramp(colors: Color[], share: number, out: Color): Color {
  const x = 4 * Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  const k = Math.min(3, Math.floor(x));
  return out.lerpColors(colors[k], colors[k + 1], x - k);
}

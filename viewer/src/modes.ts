// SPDX-License-Identifier: Apache-2.0
// Panel of the modes: list of frequencies, and the animation of the chosen one.
import { formatNumber, h, iconButton } from './dom';
import { modeExtent, type Mode, type Modes } from './frequency';
import type { Model } from './model';
import type { Player } from './player';

const PERIOD = 1.6; // s of the animation, whatever the frequency: slow enough to look at
const USUAL = 0.07; // largest displacement, as a share of the model's size

export class ModePanel {
  readonly root: HTMLElement;
  chosen: Mode | null = null;
  angle = 0;
  running = true;
  private readonly rows: HTMLElement[];
  private readonly amplitude = h('input', {
    type: 'range',
    min: 0,
    max: 3,
    step: 0.01,
    value: 1,
    'aria-label': 'Amplitude',
  });
  private readonly banner = h('div.banner', { hidden: true });
  private lastTick = 0;

  constructor(
    private readonly modes: Modes,
    private readonly model: Model,
    private readonly player: Player,
    private readonly onChange: () => void,
    charts: HTMLElement[],
  ) {
    this.rows = modes.list.map((mode, k) => {
      const unstable = mode.damping < -1e-6;
      return h(
        'tr',
        {
          tabindex: 0,
          title: mode.name,
          onclick: () => this.choose(this.chosen === mode ? null : mode),
          onkeydown: (e: KeyboardEvent) => {
            if (e.key === 'Enter') this.choose(mode);
          },
        },
        h('td', {}, String(k + 1)),
        h('td.num', {}, formatNumber(mode.frequency, 5)),
        h(
          `td.num${unstable ? '.unstable' : ''}`,
          {},
          Number.isFinite(mode.damping) ? `${formatNumber(100 * mode.damping, 3)} %` : '–',
        ),
        h('td.name', {}, h('span', {}, mode.name), unstable && h('span.badge.bad', {}, 'grows')),
      );
    });
    this.amplitude.addEventListener('input', () => this.show());
    this.root = h(
      'div.modes',
      {},
      this.rows.length > 0 && h('label.amplitude', {}, 'Amplitude', this.amplitude),
      this.rows.length > 0 &&
        h(
          'div.modelist',
          {},
          h(
            'table',
            {},
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                h('th', {}, '#'),
                h('th', {}, 'Hz'),
                h('th', { title: 'share of critical damping' }, 'damping'),
                h('th', {}, 'moves most'),
              ),
            ),
            h('tbody', {}, ...this.rows),
          ),
        ),
      ...charts,
    );
    player.onChange((timeChanged) => {
      if (timeChanged && this.chosen) this.choose(null);
    });
  }

  get scene(): HTMLElement {
    return this.banner;
  }

  choose(mode: Mode | null): void {
    this.chosen = mode;
    this.angle = 0;
    this.lastTick = 0;
    this.running = true;
    this.rows.forEach((row, k) => row.classList.toggle('selected', this.modes.list[k] === mode));
    this.banner.hidden = mode === null;
    if (mode) {
      this.player.pause();
      this.banner.replaceChildren(
        h('b', {}, `Mode ${this.modes.list.indexOf(mode) + 1}`),
        ` ${formatNumber(mode.frequency, 4)} Hz`,
        Number.isFinite(mode.damping) ? ` · damping ${formatNumber(100 * mode.damping, 3)} %` : '',
        iconButton('close', 'Back to the run', () => this.choose(null)),
      );
      this.show();
    } else {
      this.model.setTime(this.player.time);
      this.onChange();
    }
  }

  /** Space stops and starts the mode that is shown. */
  toggle(): void {
    this.running = !this.running;
    this.lastTick = 0;
    this.onChange();
  }

  /** Scale that gives the slider's middle the usual displacement. */
  private scale(mode: Mode): number {
    const extent = modeExtent(mode, 0.15 * this.model.size);
    return extent > 0 ? (Number(this.amplitude.value) * USUAL * this.model.size) / extent : 0;
  }

  show(angle = this.angle): void {
    if (!this.chosen) return;
    this.angle = angle;
    this.model.setMode(this.chosen, this.scale(this.chosen), angle);
    this.onChange();
  }

  /** Advances with the wall clock (ms); returns whether a mode swings. */
  tick(now: number): boolean {
    if (!this.chosen || !this.running) return false;
    const elapsed = this.lastTick > 0 ? Math.min(0.25, (now - this.lastTick) / 1000) : 0;
    this.lastTick = now;
    this.show((this.angle + (2 * Math.PI * elapsed) / PERIOD) % (2 * Math.PI));
    return true;
  }
}

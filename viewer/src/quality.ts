// SPDX-License-Identifier: Apache-2.0
// How finely the scene is drawn: while it moves, as finely as 30 pictures per second allow; at rest, as finely as
// possible.

/** `fine`: with all facets and lines of several pixels; `plain`: without gloss, and the grid as mere lines. */
export interface Level {
  ratio: number;
  shadows: boolean;
  fine: boolean;
  plain: boolean;
}

const SLOW = 30;
const FAST = 18; // ms per picture: beyond, draw less; below, draw more
const REST_MS = 220;

export class Quality {
  private level: number;
  private average = 0;
  private count = 0;
  private patience = 90; // pictures that must be fast before more is tried
  private last = 0;
  private readonly levels: Level[];
  /** At rest without a graphics card: two pixels in each direction smooth the edges. */
  private readonly rest: Level;

  constructor(software: boolean) {
    const full = Math.min(2, devicePixelRatio);
    const one = Math.min(1, full);
    const level = (ratio: number, shadows: boolean, fine: boolean, plain = false): Level => ({
      ratio,
      shadows,
      fine,
      plain,
    });
    // Without a graphics card pixels are the smaller part of the work: corners, gloss and shadows are saved first.
    this.levels = software
      ? [level(one, true, false), level(one, false, false, true), level(0.7 * one, false, false, true)]
      : [
          level(full, true, true),
          level(one, true, true),
          level(0.8 * one, true, false),
          level(0.8 * one, false, false),
          level(0.6 * one, false, false, true),
        ];
    this.rest = level(software ? Math.max(2, full) : full, true, true);
    this.level = software ? 1 : 0;
  }

  get still(): Level {
    return this.rest;
  }
  get moving(): Level {
    return this.levels[this.level];
  }
  get restDelay(): number {
    return REST_MS;
  }

  /** Starts to measure anew, after a pause. */
  restart(): void {
    this.last = 0;
  }

  /** A picture begins at `now` (ms); returns whether the level has changed. */
  note(now: number): boolean {
    const gap = this.last > 0 ? Math.min(1000, now - this.last) : 0; // a hidden page draws nothing for long
    this.last = now;
    if (gap <= 0) return false;
    this.average = this.count++ === 0 ? gap : 0.8 * this.average + 0.2 * gap;
    if (this.count >= (this.average > 3 * SLOW ? 2 : 6) && this.average > SLOW && this.level < this.levels.length - 1)
      return this.go(1);
    if (this.count >= this.patience && this.average < FAST && this.level > 0) {
      this.patience = Math.min(2000, 3 * this.patience); // each new try must be better founded
      return this.go(-1);
    }
    return false;
  }

  private go(step: number): boolean {
    this.level += step;
    this.count = 0;
    return true;
  }
}

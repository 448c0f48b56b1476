// SPDX-License-Identifier: Apache-2.0
// The clock of the page: where in the run we are, and how fast it goes on.
import { locate } from './data';

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Player {
  time: number;
  playing = false;
  loop = true;
  speed = 1;
  readonly start: number;
  readonly end: number;
  private lastTick = 0;
  private readonly listeners: ((timeChanged: boolean) => void)[] = [];

  constructor(private readonly samples: Float32Array) {
    this.start = samples[0];
    this.end = samples[samples.length - 1];
    this.time = this.start;
  }

  onChange(listener: (timeChanged: boolean) => void): void {
    this.listeners.push(listener);
  }
  private changed(time: boolean): void {
    for (const listener of this.listeners) listener(time);
  }

  setTime(t: number): void {
    if (!Number.isFinite(t)) return;
    this.time = Math.min(this.end, Math.max(this.start, t));
    this.changed(true);
  }

  play(): void {
    if (this.playing || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.lastTick = 0;
    this.changed(true);
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.changed(false);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.changed(false);
  }

  setSpeed(speed: number): void {
    if (!(speed > 0)) return;
    this.speed = speed;
    this.changed(false);
  }

  faster(steps: number): void {
    const at = SPEEDS.findIndex((s) => s >= this.speed - 1e-9);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (at < 0 ? SPEEDS.length - 1 : at) + steps))]);
  }

  /** Goes to a neighbouring stored sample, so that exact results can be seen. */
  step(count: number): void {
    this.pause();
    const { row, fraction } = locate(this.samples, this.time);
    const from = count < 0 && fraction > 0 ? row + 1 : row;
    this.setTime(this.samples[Math.min(this.samples.length - 1, Math.max(0, from + count))]);
  }

  /** Advances with the wall clock (ms); returns whether the run goes on. */
  tick(now: number): boolean {
    if (!this.playing) return false;
    // After a pause of the page (hidden tab) go on from where we were instead of jumping.
    const elapsed = this.lastTick > 0 ? Math.min(0.25, Math.max(0, (now - this.lastTick) / 1000)) : 0;
    this.lastTick = now;
    let next = this.time + elapsed * this.speed;
    if (next >= this.end) {
      if (this.loop) next = this.start + ((next - this.start) % (this.end - this.start));
      else {
        next = this.end;
        this.playing = false;
      }
    }
    this.time = next;
    this.changed(true);
    return this.playing;
  }
}

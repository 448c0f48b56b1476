// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system says, unless the user has chosen.

export type Mode = 'auto' | 'light' | 'dark';
const KEY = 'bricard-theme';
const isMode = (v: unknown): v is Mode => v === 'auto' || v === 'light' || v === 'dark';

export class Theme {
  mode: Mode = 'auto';
  private readonly system = matchMedia('(prefers-color-scheme: dark)');
  private readonly listeners: (() => void)[] = [];

  constructor() {
    try {
      // pages opened from disk may have no storage
      const kept = localStorage.getItem(KEY);
      if (isMode(kept)) this.mode = kept;
    } catch {
      /* stay with auto */
    }
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.mode === 'dark' || (this.mode === 'auto' && this.system.matches);
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(mode: string | null, keep = true): void {
    if (!isMode(mode)) return;
    this.mode = mode;
    if (keep)
      try {
        localStorage.setItem(KEY, mode);
      } catch {
        /* not kept */
      }
    this.apply();
  }

  next(): void {
    this.set(({ auto: 'light', light: 'dark', dark: 'auto' } as const)[this.mode]);
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
    for (const listener of this.listeners) listener();
  }
}

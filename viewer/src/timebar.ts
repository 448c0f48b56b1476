// SPDX-License-Identifier: Apache-2.0
// Time bar: buttons, slider, clock and speed.
import { formatFixed, h, icon, iconButton } from './dom';
import { SPEEDS, type Player } from './player';

const speedText = (speed: number): string => `${speed}×`;

const MOST_MARKS = 200;
const KNOB = 16; // px, its width: the time is under its middle

/** When something happened in a run, in seconds. */
export function eventTimes(certificate: unknown): number[] {
  const events = (certificate as { events?: unknown } | null | undefined)?.events;
  if (!Array.isArray(events)) return [];
  return events.map((event: { time?: unknown }) => event?.time).filter((t): t is number => typeof t === 'number');
}

/** Thin lines behind the track of the slider, one for each event. */
function marks(times: number[], start: number, span: number): string {
  return times
    .filter((t) => t >= start && t <= start + span)
    .slice(0, MOST_MARKS)
    .map((t) => {
      const place = `calc(${KNOB / 2 - 1}px + ${((t - start) / span).toFixed(5)} * (100% - ${KNOB}px))`;
      return `linear-gradient(var(--accent), var(--accent)) ${place} 0 / 2px 100% no-repeat`;
    })
    .join(', ');
}

export function makeTimeBar(player: Player, events: number[] = []): HTMLElement {
  const playButton = iconButton('play', 'Play or pause (space)', () => player.toggle(), '.play');
  const loopButton = iconButton('loop', 'Loop (L)', () => player.setLoop(!player.loop));
  const slider = h('input', {
    type: 'range',
    min: player.start,
    max: player.end > player.start ? player.end : player.start + 1,
    step: 'any',
    'aria-label': 'Time',
  });
  const clock = h('span.now');
  const span = player.end - player.start || 1;
  if (events.length > 0) slider.style.background = marks(events, player.start, span);
  // Three digits after the point for seconds, more for short runs.
  const show = (t: number): string => formatFixed(t, span, span >= 100 ? 5 : 4);
  const speed = h('select', {
    title: 'Speed (+ and −)',
    'aria-label': 'Speed',
    onchange: () => player.setSpeed(Number(speed.value)),
  });
  for (const s of SPEEDS) speed.append(h('option', { value: s }, speedText(s)));

  slider.addEventListener('input', () => player.setTime(Number(slider.value)));
  // While the knob is held the clock must not run away under it.
  let wasPlaying = false;
  slider.addEventListener('pointerdown', () => {
    wasPlaying = player.playing;
    player.pause();
  });
  for (const end of ['pointerup', 'pointercancel'])
    slider.addEventListener(end, () => {
      if (wasPlaying) player.play();
      wasPlaying = false;
    });
  // Arrow keys belong to the page (steps), so the slider does not keep the focus.
  slider.addEventListener('change', () => slider.blur());

  let drawnPlaying: boolean | null = null;
  let written = 0;
  const refresh = (): void => {
    if (drawnPlaying !== player.playing) playButton.replaceChildren(icon(player.playing ? 'pause' : 'play'));
    drawnPlaying = player.playing;
    loopButton.classList.toggle('on', player.loop);
    loopButton.setAttribute('aria-pressed', String(player.loop));
    // While it plays, 11 times a second are enough for knob and clock.
    const now = performance.now();
    if (player.playing && now - written < 90) return;
    written = now;
    slider.value = String(player.time);
    slider.style.setProperty('--done', `${((100 * (player.time - player.start)) / span).toFixed(3)}%`);
    clock.textContent = show(player.time);
    if (SPEEDS.includes(player.speed)) speed.value = String(player.speed);
  };
  player.onChange(refresh);
  refresh();

  return h(
    'footer.timebar',
    {},
    h(
      'div.buttons',
      {},
      iconButton('first', 'To the start (Home)', () => player.setTime(player.start), '.wide'),
      iconButton('prev', 'One sample back (←)', () => player.step(-1)),
      playButton,
      iconButton('next', 'One sample on (→)', () => player.step(1)),
      iconButton('last', 'To the end (End)', () => player.setTime(player.end), '.wide'),
    ),
    slider,
    h('div.clock', {}, clock, h('span.total', {}, ` / ${show(player.end)} s`)),
    h('div.buttons', {}, loopButton, speed),
  );
}

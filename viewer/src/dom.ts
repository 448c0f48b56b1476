// SPDX-License-Identifier: Apache-2.0

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

type TagOf<S extends string> = S extends `${infer Name}.${string}` ? Name : S;
type ElementOf<S extends string> =
  TagOf<S> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<S>] : HTMLElement;

/** Creates an element: `h('button.icon', {title: 'Play', onclick: f}, 'Play')`. */
export function h<S extends string>(tag: S, attributes: Attributes = {}, ...children: Child[]): ElementOf<S> {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(key, '');
    else element.setAttribute(key, String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false && child !== '') element.append(child);
  return element as ElementOf<S>;
}

const ICONS: Record<string, string> = {
  play: '<path d="M7 4.5v15l12-7.5z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" fill="currentColor" stroke="none"/>',
  next: '<path d="M7 6l8 6-8 6zM17 6v12"/>',
  prev: '<path d="M17 6l-8 6 8 6zM7 6v12"/>',
  first: '<path d="M12 6l-6 6 6 6M19 6l-6 6 6 6"/>',
  last: '<path d="M12 6l6 6-6 6M5 6l6 6-6 6"/>',
  loop:
    '<path d="M5 11V9.5A2.5 2.5 0 0 1 7.5 7H18M15.5 4L18.5 7l-3 3"/>' +
    '<path d="M19 13v1.5a2.5 2.5 0 0 1-2.5 2.5H6M8.5 20L5.5 17l3-3"/>',
  eye:
    '<path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z"/>' +
    '<circle cx="12" cy="12" r="2.8"/>',
  eyeoff:
    '<path d="M4 4l16 16M9.5 5.9A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.9 3.5"/>' +
    '<path d="M6.2 7.5A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4-.9"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  search: '<circle cx="10.5" cy="10.5" r="6"/><path d="M15 15l5.5 5.5"/>',
  chevron: '<path d="M8 5l7 7-7 7"/>',
  grid: '<path d="M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16"/>',
  trace: '<path d="M3 17C7 3 11 21 15 11c1.3-3.2 2.5-4 5-4"/><circle cx="20" cy="7" r="1.5" fill="currentColor"/>',
  joint: '<circle cx="12" cy="12" r="3"/><path d="M14.5 10l5-5M9.5 14l-5 5"/>',
  xray: '<path d="M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8"/>',
  tag: '<path d="M4 4h8l8 8-8 8-8-8z"/><circle cx="8.5" cy="8.5" r="1.2" fill="currentColor"/>',
  follow:
    '<circle cx="12" cy="12" r="6.5"/><circle cx="12" cy="12" r="1.5" fill="currentColor"/>' +
    '<path d="M12 2v4M12 18v4M2 12h4M18 12h4"/>',
  fit: '<path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5"/>',
  sun:
    '<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2.5M12 19v2.5M2.5 12H5M19 12h2.5"/>' +
    '<path d="M5.3 5.3L7 7M17 17l1.7 1.7M18.7 5.3L17 7M7 17l-1.7 1.7"/>',
  moon: '<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/>',
  auto: '<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>',
  panel: '<path d="M3.5 5h17v14h-17zM15 5v14"/>',
  chart: '<path d="M3.5 5h17v14h-17zM3.5 14h17"/>',
  copy: '<path d="M9 9h11v11H9zM5 15H4V4h11v1"/>',
  image: '<path d="M3.5 5h17v14h-17zM4 17l5-5 4 4 3-3 4.5 4.5"/><circle cx="15.5" cy="9" r="1.6"/>',
  camera: '<path d="M4 7.5h4l1.5-2.5h5L16 7.5h4v11H4z"/><circle cx="12" cy="13" r="3.3"/>',
  arrow: '<path d="M4 20L18 6M10 5h9v9"/>',
  marker: '<path d="M6 18V5M6 18h13M6 18l7-6M4 7l2-2 2 2M17 16l2 2-2 2"/>',
  save: '<path d="M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14"/>',
};

/** An inline 24-unit line icon. */
export function icon(name: string): SVGSVGElement {
  const holder = document.createElement('div');
  holder.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${ICONS[name] ?? ''}</svg>`;
  return holder.firstElementChild as SVGSVGElement;
}

export function iconButton(name: string, title: string, onclick: () => void, extra = ''): HTMLButtonElement {
  return h(
    `button.iconbtn${extra}` as 'button.iconbtn',
    { type: 'button', title, 'aria-label': title.replace(/ \(.*\)$/, ''), onclick },
    icon(name),
  );
}

/** Up to `digits` significant digits, without trailing zeros; a true minus sign keeps columns even. */
export function formatNumber(value: number, digits = 5): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 1e6 || size < 1e-4
      ? value
          .toExponential(digits - 1)
          .replace(/\.?0+e/, 'e')
          .replace('e+', 'e')
      : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, '−');
}

/** Fixed number of decimals chosen from the magnitude of `scale`; does not jitter while playing. */
export function formatFixed(value: number, scale: number, digits = 4): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  if (scale >= 1e6 || (scale > 0 && scale < 1e-4))
    return value
      .toExponential(digits - 2)
      .replace('e+', 'e')
      .replace(/-/g, '−');
  const decimals = Math.max(0, Math.min(8, digits - 1 - Math.floor(Math.log10(scale || 1))));
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
}

// SPDX-License-Identifier: Apache-2.0
// Run certificate as a table. Its fields are not fixed, so nested objects are flattened by their keys.
import { formatNumber, h, icon } from './dom';

interface Line {
  key: string;
  value: unknown;
}

const isObject = (v: unknown): v is Record<string, unknown> => v !== null && typeof v === 'object' && !Array.isArray(v);
const readable = (key: string): string => key.replace(/_/g, ' ');

function flatten(value: unknown, key: string, lines: Line[]): void {
  if (isObject(value)) {
    for (const [name, inner] of Object.entries(value))
      flatten(inner, key ? `${key} › ${readable(name)}` : readable(name), lines);
  } else if (Array.isArray(value) && value.some((v) => v !== null && typeof v === 'object')) {
    value.forEach((inner, k) => {
      // A named entry is listed under its name instead of its number.
      const { name, ...rest } = isObject(inner) ? inner : { name: undefined };
      const title = typeof name === 'string' ? name : String(k + 1);
      flatten(typeof name === 'string' ? rest : inner, `${key} ${title}`.trim(), lines);
    });
  } else {
    lines.push({ key, value });
  }
}

const GOOD = /^(good|pass|passed|ok|yes|true|success|succeeded|converged|completed?|valid)$/i;
const DOUBTFUL = /^doubtful$/i;
const BAD = /^(fail|failed|no|false|error|diverged|invalid|aborted)$/i;

/** Sentences rather than words or numbers: they need the whole width, each a line of its own. */
const isLong = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > 26 : Array.isArray(value) && value.some(isLong);

function cell(value: unknown): Node | string {
  if (typeof value === 'boolean') return h(`span.badge.${value ? 'good' : 'bad'}`, {}, value ? 'yes' : 'no');
  if (typeof value === 'number') return formatNumber(value, 6);
  if (Array.isArray(value) && isLong(value)) return h('ul', {}, ...value.map((v) => h('li', {}, String(v))));
  if (Array.isArray(value)) {
    const shown = value
      .slice(0, 12)
      .map((v) => (typeof v === 'number' ? formatNumber(v, 5) : String(v)))
      .join(', ');
    return value.length > 12 ? `${shown}, … (${value.length})` : shown || '–';
  }
  const text = value === null || value === undefined ? '–' : String(value);
  if (GOOD.test(text)) return h('span.badge.good', {}, text);
  if (DOUBTFUL.test(text)) return h('span.badge.warn', {}, text);
  if (BAD.test(text)) return h('span.badge.bad', {}, text);
  return text;
}

function table(lines: Line[]): HTMLElement {
  return h(
    'table',
    {},
    h(
      'tbody',
      {},
      ...lines.map(({ key, value }) => {
        const numeric = typeof value === 'number';
        return h(
          `tr${isLong(value) ? '.long' : ''}`,
          {},
          h('th', { scope: 'row' }, key),
          h(`td${numeric ? '.num' : ''}`, numeric ? { title: String(value) } : {}, cell(value)),
        );
      }),
    ),
  );
}

const colourOf = (verdict: string): 'good' | 'warn' | 'bad' =>
  GOOD.test(verdict) ? 'good' : DOUBTFUL.test(verdict) ? 'warn' : 'bad';

/** What the run is worth, with the reasons against it: the first thing to read. */
function makeVerdict(verdict: string, doubts: unknown): HTMLElement {
  const reasons = Array.isArray(doubts) ? doubts.map((doubt) => h('li', {}, String(doubt))) : [];
  return h(
    `section.verdict.${colourOf(verdict)}`,
    {},
    h('b', {}, verdict),
    reasons.length > 0 && h('ul', {}, ...reasons),
  );
}

/** A mark in the colour of the verdict if it is not good, for places that are always in view. */
export function makeDoubtMark(certificate: unknown): HTMLElement | null {
  const { verdict } = isObject(certificate) ? certificate : { verdict: undefined };
  if (typeof verdict !== 'string' || GOOD.test(verdict)) return null;
  return h(`span.badge.${colourOf(verdict)}`, { title: `The run is ${verdict}: see its certificate` }, '!');
}

export function makeCertificate(certificate: unknown): HTMLElement {
  if (certificate === undefined) return h('div.certificate', {}, h('p.empty', {}, 'This run carries no certificate.'));
  const general: Line[] = [];
  const sections: HTMLElement[] = [];
  const { verdict, doubts, ...rest } = certificate as Record<string, unknown>;
  for (const [name, value] of Object.entries(rest)) {
    const nested =
      value !== null &&
      typeof value === 'object' &&
      !(Array.isArray(value) && value.every((v) => typeof v !== 'object'));
    const lines: Line[] = nested ? [] : general;
    flatten(value, nested ? '' : readable(name), lines);
    if (nested && lines.length > 0) sections.push(h('h3', {}, readable(name)), table(lines));
  }
  const copy = h(
    'button.text',
    {
      type: 'button',
      onclick: () => {
        navigator.clipboard?.writeText(JSON.stringify(certificate, null, 2)).then(
          () => {
            copy.lastChild!.textContent = 'Copied';
            setTimeout(() => {
              copy.lastChild!.textContent = 'Copy as JSON';
            }, 1500);
          },
          () => {
            /* the browser does not allow it */
          },
        );
      },
    },
    icon('copy'),
    'Copy as JSON',
  );
  return h(
    'div.certificate',
    {},
    typeof verdict === 'string' && makeVerdict(verdict, doubts),
    general.length > 0 && table(general),
    ...sections,
    copy,
  );
}

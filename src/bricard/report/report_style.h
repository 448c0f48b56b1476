// SPDX-License-Identifier: Apache-2.0
#pragma once

// The look of report pages. Fonts and colours are those of the viewer (viewer/src/style.css, palette.ts).
namespace bricard::io {

inline constexpr const char* kReportStyle = R"css(
:root {
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif;
  --page: #f4f6f9; --surface: #ffffff; --ink: #18212d; --muted: #5b6776; --rule: #e1e6ed; --hover: #eef2f7;
  --accent: #0072b2; --accent-soft: #dcedf8; --good: #00714f; --good-soft: #d8f1e8; --bad: #a84400; --bad-soft: #fde6d8;
  --shadow: 0 1px 2px #10182814, 0 4px 14px #1018281a;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9;
  color-scheme: light;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #10151c; --surface: #171d26; --ink: #e6ebf2; --muted: #97a4b5; --rule: #2a3441; --hover: #222c39;
    --accent: #56b4e9; --accent-soft: #1b3a50; --good: #4fd6ab; --good-soft: #123a2f; --bad: #ff9a5c; --bad-soft: #45230f;
    --shadow: 0 1px 2px #0006, 0 4px 16px #0006;
    --c0: #56b4e9; --c1: #e69f00; --c2: #2bc79a; --c3: #e39ac4; --c4: #f0e442; --c5: #ff8a3d;
    color-scheme: dark;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 var(--font); -webkit-text-size-adjust: 100%; }
.top { display: flex; align-items: center; gap: 12px; min-height: 44px; padding: 6px 16px; background: var(--surface);
  border-bottom: 1px solid var(--rule); font-size: 13px; }
.brand { display: flex; align-items: center; gap: 7px; font-weight: 650; color: var(--accent); padding-right: 12px;
  border-right: 1px solid var(--rule); }
.logo { width: 21px; height: 21px; fill: none; stroke: currentColor; stroke-width: 1.6; } .logo circle { fill: var(--surface); }
.top span:last-child { color: var(--muted); }
main { max-width: 1240px; margin: 0 auto; padding: 28px 20px 40px; }
h1 { margin: 0 0 4px; font-size: 27px; line-height: 1.2; font-weight: 680; letter-spacing: -.01em; overflow-wrap: anywhere; }
.lead { margin: 0 0 14px; color: var(--muted); font-size: 16px; max-width: 75ch; }
.sum { display: inline-flex; align-items: center; gap: 8px; margin: 0 0 6px; padding: 5px 13px 5px 10px; border-radius: 9px; font-weight: 640; }
.good { color: var(--good); background: var(--good-soft); } .bad { color: var(--bad); background: var(--bad-soft); }
.failed { margin: 4px 0 8px; padding-left: 1.4em; max-width: 90ch; }
.text { max-width: 80ch; } .text p { margin: 10px 0; white-space: pre-line; }
pre { margin: 10px 0; overflow-x: auto; font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
nav { margin: 12px 0 0; display: flex; flex-wrap: wrap; gap: 2px 18px; font-size: 14px; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 460px), 1fr)); gap: 18px; margin-top: 20px; }
.card { min-width: 0; padding: 16px 18px 14px; background: var(--surface); border: 1px solid var(--rule); border-radius: 12px; box-shadow: var(--shadow); }
.card.wide { grid-column: 1 / -1; }
h2 { margin: 0 0 8px; font-size: 16px; font-weight: 650; line-height: 1.3; }
.parts { display: flex; flex-wrap: wrap; gap: 6px 26px; align-items: flex-start; }
.part { flex: 1 1 370px; min-width: 0; max-width: 100%; } .wide .part.figure { max-width: 540px; }
figure { margin: 0; } figure > svg { display: block; width: 100%; height: auto; font: 12px var(--font); }
svg text { fill: var(--ink); } .numbers text { fill: var(--muted); font-variant-numeric: tabular-nums; } svg .label { font-weight: 600; }
.grid { stroke: var(--rule); fill: none; } .frame, .mark { stroke: var(--muted); fill: none; }
.curve { fill: none; stroke: currentColor; stroke-width: 1.9; stroke-linejoin: round; stroke-linecap: round; }
.d1 { stroke-dasharray: 7 5; } .d2 { stroke-dasharray: 1.5 4.5; }
.point { fill: currentColor; stroke: var(--surface); stroke-width: 1; } .point:hover { stroke: var(--ink); stroke-width: 1.6; }
.point.hollow { fill: var(--surface); stroke: currentColor; stroke-width: 1.8; }
.guide { stroke: var(--muted); stroke-width: 1.2; stroke-dasharray: 5 3; fill: none; }
.triangle { stroke: var(--muted); stroke-width: 1; fill: var(--muted); fill-opacity: .12; }
svg .slope { fill: var(--muted); font-size: 11px; paint-order: stroke; stroke: var(--surface); stroke-width: 4; stroke-linejoin: round; }
.nothing { fill: var(--rule); } rect:hover { stroke: var(--ink); }
.c0 { color: var(--c0); } .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); } .c5 { color: var(--c5); }
.legend { display: flex; flex-wrap: wrap; gap: 1px 16px; margin: 2px 0 6px; padding: 0; list-style: none; font-size: 13px; }
.legend li { display: flex; align-items: center; gap: 6px; } .swatch { width: 28px; height: 12px; flex: none; } small { color: var(--muted); font-size: 12px; white-space: nowrap; }
.note { margin: 2px 0 6px; color: var(--muted); font-size: 12px; }
.scroll { overflow-x: auto; margin: 0 -6px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; min-width: 60%; }
th, td { padding: 4px 10px 4px 6px; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { color: var(--muted); font-weight: 600; vertical-align: bottom; line-height: 1.25; } tbody tr:hover { background: var(--hover); }
.num { text-align: right; } td.num { white-space: nowrap; } .words { min-width: 11em; } td.word { white-space: nowrap; }
.badge { display: inline-block; padding: 0 8px; border-radius: 9px; font-weight: 620; font-size: 12px; white-space: nowrap; }
.verdict { margin: 10px 0 2px; padding: 1px 0 1px 11px; border-left: 3px solid var(--accent); max-width: 90ch; font-size: 14px; }
footer { max-width: 1240px; margin: 0 auto; padding: 0 20px 30px; color: var(--muted); font-size: 12px; }
@media (max-width: 600px) {
  main { padding: 18px 12px 28px; } h1 { font-size: 23px; } .card { padding: 12px 12px 10px; border-radius: 10px; } .top { padding: 6px 12px; }
  .cards { gap: 12px; } .part { flex-basis: 100% !important; } footer { padding: 0 12px 24px; }
}
@media print {
  @page { margin: 15mm; }
  body { background: none; font-size: 10pt; } .top { padding: 0 0 6px; } nav { display: none; } main, footer { max-width: none; padding: 10px 0; }
  .card { box-shadow: none; } .card:not(.wide), tr, figure { break-inside: avoid; } h2 { break-after: avoid; } .figure { flex-basis: 280px; }
  .cards { grid-template-columns: 1fr 1fr; } .scroll { overflow: visible; } table { font-size: 8.5pt; }
  .good, .bad { background: none; border: 1px solid currentColor; } * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

inline constexpr const char* kReportLogo =
    R"(<svg class="logo" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 3.5l7.4 4.2-3.6 4.3 3.6 4.3L12 20.5l-7.4-4.2L8.2 12 4.6 7.7z"/><circle cx="12" cy="3.5" r="2"/><circle cx="19.4" cy="7.7" r="2"/><circle cx="19.4" cy="16.3" r="2"/><circle cx="12" cy="20.5" r="2"/><circle cx="4.6" cy="16.3" r="2"/><circle cx="4.6" cy="7.7" r="2"/></svg>)";

}  // namespace bricard::io

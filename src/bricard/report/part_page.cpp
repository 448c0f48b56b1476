// SPDX-License-Identifier: Apache-2.0
#include "bricard/report/part_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bricard/report/report_writer.h"
#include "bricard/system/assertion.h"
#include "bricard/write/base64.h"

namespace bricard::io {
namespace {

/// Draws the surface from the back to the front, moved by one shape; colours are displacements.
constexpr const char* kScript = R"js(
(() => {
  const data = JSON.parse(document.getElementById("part-data").textContent);
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
  const points = new Float32Array(bytes(data.points)), faces = new Uint32Array(bytes(data.triangles));
  const lines = new Uint32Array(bytes(data.lines)), shapes = data.shapes.map(text => new Float32Array(bytes(text)));
  const canvas = document.getElementById("part"), list = document.getElementById("part-mode"), size = document.getElementById("part-size");
  const context = canvas.getContext("2d"), n = points.length / 3;
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; ++i) { low[i % 3] = Math.min(low[i % 3], points[i]); high[i % 3] = Math.max(high[i % 3], points[i]); }
  const middle = low.map((l, a) => (l + high[a]) / 2), length = Math.hypot(...low.map((l, a) => high[a] - l)) || 1;
  data.frequencies.forEach((f, i) => list.add(new Option((i + 1) + ": " + f.toPrecision(5) + " Hz", i)));
  let turn = -0.6, tilt = 0.45, zoom = 0.85, still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const moved = new Float32Array(points.length), screen = new Float32Array(3 * n), color = new Float32Array(n);
  const keys = new Float32Array(faces.length / 3), order = Array.from(keys, (_, i) => i);
  const largest = shapes.map(s => { let m = 0; for (let i = 0; i < n; ++i) m = Math.max(m, Math.hypot(s[3*i], s[3*i+1], s[3*i+2])); return m || 1; });
  function hue(c, light) { return "hsl(" + (220 - 200 * c) + " 70% " + light + "%)"; }
  function draw(time) {
    const mode = +list.value, shape = shapes[mode], phase = still ? 1 : Math.sin(time / 400);
    const scale = shape ? phase * +size.value / 100 * length / largest[mode] : 0;
    const w = canvas.width = canvas.clientWidth * devicePixelRatio, h = canvas.height = canvas.clientHeight * devicePixelRatio;
    const pixels = zoom * Math.min(w, h * 1.6) / length, ct = Math.cos(turn), st = Math.sin(turn), cl = Math.cos(tilt), sl = Math.sin(tilt);
    for (let i = 0; i < n; ++i) {
      let d = 0;
      for (let a = 0; a < 3; ++a) { const s = shape ? shape[3*i+a] : 0; d += s * s; moved[3*i+a] = points[3*i+a] + scale * s - middle[a]; }
      color[i] = shape ? Math.sqrt(d) / largest[mode] : 0;
      const x = moved[3*i], y = moved[3*i+1], z = moved[3*i+2], u = ct * x + st * y, v = ct * y - st * x;
      screen[3*i] = w / 2 + pixels * u; screen[3*i+1] = h / 2 - pixels * (cl * z + sl * v); screen[3*i+2] = cl * v - sl * z;
    }
    for (let f = 0; f < keys.length; ++f) keys[f] = screen[3*faces[3*f]+2] + screen[3*faces[3*f+1]+2] + screen[3*faces[3*f+2]+2];
    order.sort((a, b) => keys[b] - keys[a]);
    for (const f of order) {
      const [a, b, c] = [3*faces[3*f], 3*faces[3*f+1], 3*faces[3*f+2]];
      const area = (screen[b]-screen[a]) * (screen[c+1]-screen[a+1]) - (screen[c]-screen[a]) * (screen[b+1]-screen[a+1]);
      if (area >= 0) continue;
      const e = Math.hypot(screen[b]-screen[a], screen[b+1]-screen[a+1], pixels ? (screen[b+2]-screen[a+2]) * pixels : 0);
      const g = Math.hypot(screen[c]-screen[a], screen[c+1]-screen[a+1], (screen[c+2]-screen[a+2]) * pixels);
      context.fillStyle = hue((color[a/3] + color[b/3] + color[c/3]) / 3, 35 + 30 * Math.min(1, -area / (e * g || 1)));
      context.strokeStyle = context.fillStyle;
      context.beginPath(); context.moveTo(screen[a], screen[a+1]); context.lineTo(screen[b], screen[b+1]); context.lineTo(screen[c], screen[c+1]);
      context.closePath(); context.fill(); context.stroke();
    }
    context.lineWidth = 3;
    for (let l = 0; l < lines.length; l += 2) {
      const a = 3*lines[l], b = 3*lines[l+1];
      context.strokeStyle = hue((color[a/3] + color[b/3]) / 2, 50);
      context.beginPath(); context.moveTo(screen[a], screen[a+1]); context.lineTo(screen[b], screen[b+1]); context.stroke();
    }
    if (!faces.length && !lines.length) for (let i = 0; i < n; ++i) { context.fillStyle = hue(color[i], 50); context.fillRect(screen[3*i] - 2, screen[3*i+1] - 2, 4, 4); }
    if (!still) requestAnimationFrame(draw);
  }
  const again = () => { if (still) requestAnimationFrame(draw); };
  canvas.addEventListener("pointermove", e => { if (e.buttons) { turn += e.movementX / 150; tilt += e.movementY / 150; again(); } });
  canvas.addEventListener("wheel", e => { zoom *= Math.exp(-e.deltaY / 800); e.preventDefault(); again(); }, {passive: false});
  document.getElementById("part-still").addEventListener("click", () => { still = !still; requestAnimationFrame(draw); });
  list.addEventListener("change", again); size.addEventListener("input", again);
  requestAnimationFrame(draw);
})();
)js";

template <class Values>
std::string packed(const Values& values) {
  return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
}

nlohmann::json data_of(const ReducedPart& part) {
  constexpr Eigen::Index kMostShapes = 30;
  nlohmann::json data;
  const Eigen::VectorXf points = part.surface.points.reshaped().cast<float>();
  data["points"] = packed(std::vector<float>(points.begin(), points.end()));
  std::vector<std::uint32_t> triangles, lines;
  for (const auto& triangle : part.surface.triangles)
    triangles.insert(triangles.end(), triangle.begin(), triangle.end());
  for (const auto& line : part.surface.lines) lines.insert(lines.end(), line.begin(), line.end());
  data["triangles"] = packed(triangles);
  data["lines"] = packed(lines);
  data["shapes"] = nlohmann::json::array();
  data["frequencies"] = nlohmann::json::array();
  for (Eigen::Index i = 0; i < std::min<Eigen::Index>(kMostShapes, part.surface.shapes.cols()); ++i) {
    const Eigen::VectorXf shape = part.surface.shapes.col(i);
    data["shapes"].push_back(packed(std::vector<float>(shape.begin(), shape.end())));
    data["frequencies"].push_back(part.frequencies[static_cast<std::size_t>(i)] / (2 * std::numbers::pi));
  }
  return data;
}

}  // namespace

std::string part_page(const ReducedPart& part, const Report& report) {
  std::string page = report_page(report);
  const std::string card =
      fmt::format("<div class=\"card wide\"><h2>Modes of the free part</h2>\n"
                  "<p><label>mode <select id=\"part-mode\"></select></label> <label>size <input id=\"part-size\" "
                  "type=\"range\" min=\"0\" max=\"40\" "
                  "value=\"10\"></label> <button id=\"part-still\">stop, go</button></p>\n"
                  "<canvas id=\"part\" style=\"width:100%;height:460px;touch-action:none\"></canvas>\n"
                  "<script type=\"application/json\" id=\"part-data\">{}</script>\n<script>{}</script></div>\n",
                  data_of(part).dump(), kScript);
  const auto insert_behind = [&page](const std::string& place, const std::string& text) {
    const std::size_t at = page.find(place);
    BRICARD_ASSERT(at != std::string::npos);
    page.insert(at + place.size(), text);
  };
  insert_behind("<div class=\"cards\">\n", card);
  insert_behind("default-src 'none'; ", "script-src 'unsafe-inline'; ");  // reports have no scripts
  return page;
}

}  // namespace bricard::io

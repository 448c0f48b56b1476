// SPDX-License-Identifier: Apache-2.0
// Opens a produced page from disk in Chromium and checks that it works:
//   node test/page.mjs page.html [--png file] [--size 1280x800] [--dark] [--hash t=1&view=front]
// Exit code 0 if all is well, 1 otherwise. CHROMIUM names another browser program.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, newPage, openRun } from './browser.mjs';
import { floats, readData } from './data.mjs';

/** Sample k of body b. */
function storedPose(run, body, k) {
  return {
    time: run.time[k],
    position: body.position.slice(3 * k, 3 * k + 3),
    quaternion: body.quaternion_wxyz.slice(4 * k, 4 * k + 4),
  };
}

const distance = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));
/** q and -q are the same orientation. */
const turned = (a, b) =>
  Math.min(
    distance(a, b),
    distance(
      a,
      b.map((v) => -v),
    ),
  );

export async function checkPage(file, { png, size = [1280, 800], dark = false, hash = '' } = {}) {
  const problems = [];
  const fail = (text) => problems.push(text);
  const run = await readData(file);
  run.time = floats(run.time);
  for (const body of run.bodies) for (const key of ['position', 'quaternion_wxyz']) body[key] = floats(body[key]);
  const n = run.time.length;
  const browser = await launch();
  try {
    const page = await newPage(browser, problems, {
      viewport: { width: size[0], height: size[1] },
      colorScheme: dark ? 'dark' : 'light',
    });
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) fail(`asks the network for ${request.url()}`);
    });
    const began = Date.now();
    await openRun(page, file, hash);
    const loaded = Date.now() - began;

    // The whole page in its start state, before the checks move anything.
    await page.waitForTimeout(300);
    if (png) await page.screenshot({ path: png });

    // Bodies: the drawn poses are the stored samples, and something moves.
    let moved = 0;
    const first = run.bodies.map((body) => storedPose(run, body, 0));
    for (const k of [0, Math.floor(n / 3), Math.floor((2 * n) / 3), n - 1]) {
      const poses = run.bodies.map((body) => storedPose(run, body, k));
      const drawn = await page.evaluate(
        ([t, names]) => {
          window.bricard.pause();
          window.bricard.setTime(t);
          return names.map((name) => window.bricard.bodyPose(name));
        },
        [poses[0]?.time ?? 0, run.bodies.map((b) => b.name)],
      );
      poses.forEach((pose, b) => {
        const name = run.bodies[b].name;
        if (!drawn[b]) return fail(`no pose of ${name}`);
        const scale = 1 + Math.hypot(...pose.position);
        if (!(distance(drawn[b].position, pose.position) < 1e-5 * scale))
          fail(`${name} at sample ${k}: drawn at ${drawn[b].position}, stored ${pose.position}`);
        if (!(turned(drawn[b].quaternion_wxyz, pose.quaternion) < 1e-4))
          fail(`${name} at sample ${k}: wrong orientation`);
        moved = Math.max(
          moved,
          distance(drawn[b].position, first[b].position),
          turned(drawn[b].quaternion_wxyz, first[b].quaternion),
        );
      });
    }
    if (!(moved > 1e-9)) fail('no body moves');

    // Between two samples the pose lies between theirs.
    if (n > 1 && run.bodies.length > 0) {
      const body = run.bodies[0];
      const k = Math.floor(n / 2);
      const a = storedPose(run, body, k - 1);
      const b = storedPose(run, body, k);
      const middle = await page.evaluate(
        ([t, name]) => {
          window.bricard.setTime(t);
          return window.bricard.bodyPose(name).position;
        },
        [(a.time + b.time) / 2, body.name],
      );
      const expected = a.position.map((v, i) => (v + b.position[i]) / 2);
      if (!(distance(middle, expected) < 1e-4 * (1 + Math.hypot(...expected))))
        fail('poses between samples are not interpolated');
    }

    // Pixels: the scene is drawn, and drawn differently at another time.
    const scene = page.locator('.scene canvas');
    const shoot = async (t) => {
      await page.evaluate((at) => window.bricard.setTime(at), t);
      await page.waitForTimeout(200);
      return scene.screenshot();
    };
    if (run.bodies.length > 0 && moved > 1e-3) {
      const start = first[0].time;
      const end = storedPose(run, run.bodies[0], Math.floor(n / 3)).time;
      const before = await shoot(start);
      let after = await shoot(end);
      for (let k = 0; k < 20 && before.equals(after); ++k) after = await shoot(end);
      if (before.equals(after)) fail('the picture does not change with time');
    }

    // Plots: every one has samples, and ink in the area of the curves.
    const plots = await page.evaluate(() => window.bricard.plots());
    if (plots.length === 0) fail('no plot');
    for (const plot of plots) if (plot.signals.length === 0 || plot.samples === 0) fail('a plot has no data');
    const ink = await page.evaluate(() =>
      [...document.querySelectorAll('.uplot canvas')].map((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let count = 0; // strongly coloured pixels are curves; axes and rules are grey
        for (let i = 0; i < data.length; i += 4)
          if (
            data[i + 3] > 128 &&
            Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 60
          )
            ++count;
        return count;
      }),
    );
    ink.forEach((count, k) => {
      if (count < 50) fail(`plot ${k + 1} shows no curve`);
    });

    // Playing goes on by itself.
    if (n > 1) {
      const t0 = await page.evaluate(() => {
        window.bricard.setTime(-1e30);
        window.bricard.play();
        return window.bricard.time();
      });
      await page
        .waitForFunction((t) => window.bricard.time() > t, t0)
        .catch(() => fail('play does not advance the time'));
      await page.evaluate(() => window.bricard.pause());
    }

    // Nothing may stick out sideways.
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) fail(`the page is ${wide} px too wide`);
    return { problems, loaded, bodies: run.bodies.length, samples: n, plots: plots.length };
  } finally {
    await browser.close();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, ...rest] = process.argv.slice(2);
  const value = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
  if (!file) {
    console.error('usage: node test/page.mjs page.html [--png file] [--size 1280x800] [--dark] [--hash text]');
    process.exit(1);
  }
  const result = await checkPage(file, {
    png: value('--png'),
    size: (value('--size') ?? '1280x800').split('x').map(Number),
    dark: rest.includes('--dark'),
    hash: value('--hash') ?? '',
  }).catch((error) => ({ problems: [String(error)] }));
  for (const problem of result.problems) console.error(`FAIL ${path.basename(file)}: ${problem}`);
  if (result.problems.length === 0)
    console.log(
      `ok ${path.basename(file)}: ${result.bodies} bodies, ${result.samples} samples, ${result.plots} plots,`,
      `ready in ${result.loaded} ms`,
    );
  process.exit(result.problems.length === 0 ? 0 : 1);
}

// Prints the sizes of the modules, and times beside robots-parser in one process:
//
//   node bench.mjs [ROUNDS]
//
// Times are those of the processor, with the threads that collect garbage, so that other
// programs on the machine matter little. Each round measures every candidate once, in
// turn. Printed are the median, and the 10th and the 90th percentile.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { buildSync } from "esbuild";

import { Engine } from "@kosterhq/robotstxt";
import * as core from "@kosterhq/robotstxt/core";
import compatible from "@kosterhq/robotstxt/robots-parser";
import robotsParser from "robots-parser";
import { imports } from "./dist/wasi.js";

const rounds = Number(process.argv[2] ?? 15); // at least 3
const dist = new URL("./dist/", import.meta.url);

console.log("| module | raw | gzip -9 | brotli 11 |\n|---|---|---|---|");
for (const name of ["engine", "full"]) {
  const content = readFileSync(new URL(`${name}.wasm`, dist));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const sizes = [content.length, gzipSync(content, { level: 9 }).length, brotliCompressSync(content, { params }).length];
  console.log(`| ${name}.wasm | ${sizes.map((size) => `${Math.round(size / 1e3)} KB`).join(" | ")} |`);
}

for (const name of ["core", "client", "robots-parser"]) {
  const { outputFiles } = buildSync({ entryPoints: [`dist/${name}.js`], absWorkingDir: import.meta.dirname, bundle: true, minify: true, format: "esm", write: false });
  const { contents } = outputFiles[0];
  const sizes = [contents.length, gzipSync(contents, { level: 9 }).length, brotliCompressSync(contents).length];
  console.log(`| ${name}, minified | ${sizes.map((size) => `${(size / 1e3).toFixed(1)} KB`).join(" | ")} |`);
}

const module = await WebAssembly.compile(readFileSync(new URL("engine.wasm", dist)));
const engine = await Engine.start(module);

// A file with 40 groups of 75 rules, and one with a single group.
const words = ["teas", "cart", "search", "private", "images", "news", "api", "static", "preview", "account"];
const word = (i) => words[i % words.length];
const large = Array.from({ length: 40 }, (_, g) => `User-agent: Bot-${String.fromCharCode(97 + (g % 26))}${g > 25 ? "x" : ""}\n${Array.from({ length: 75 }, (_, r) =>
  `${r % 5 ? "Disallow" : "Allow"}: /${word(g + r)}/${r}/${word(r * 3)}${r % 10 ? "" : "/*.html$"}`).join("\n")}\n`).join("\n");
const small = `User-agent: *\n${words.map((w) => `Disallow: /${w}/`).join("\n")}\nAllow: /teas/green/\n`;
const urls = Array.from({ length: 1000 }, (_, i) => `https://shop.example/${word(i)}/${i % 75}/${word(i * 3)}/item-${i}.html?page=${i % 7}`);

/** Calls a function so many times and returns the time of one call in microseconds. */
function timed(times, call) {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) {
    call(i);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / times;
}

const site = "https://shop.example/robots.txt";
const state = Object.fromEntries(Object.entries({ small, large }).map(([name, body]) => [name, {
  rules: engine.parse(body).rules("Bot-c"), small: core.parse(body).rules("Bot-c"), entry: compatible(site, body), peer: robotsParser(site, body),
}]));

const candidates = {};
const add = (task, name, measure) => (candidates[`${task} | ${name}`] = { measure, times: [] });
const start = "start, until the first verdict, ms";
const called = (name) => `import r from ${JSON.stringify(name)}; r("http://a.example/robots.txt", "User-agent: *").isAllowed("http://a.example/")`;
add(start, "@kosterhq/robotstxt", () => startOf('import { load } from "@kosterhq/robotstxt"; (await load()).parse("User-agent: *").rules("a").allowed("/")'));
add(start, "core", () => startOf('import { parse } from "@kosterhq/robotstxt/core"; parse("User-agent: *").rules("a").allowed("/")'));
add(start, "@kosterhq/robotstxt/robots-parser", () => startOf(called("@kosterhq/robotstxt/robots-parser")));
add(start, "robots-parser", () => startOf(called("robots-parser")));
const bundled = buildSync({ stdin: { contents: 'export * from "@kosterhq/robotstxt/core"', resolveDir: import.meta.dirname }, bundle: true, minify: true, format: "iife", globalName: "core", write: false }).outputFiles[0].text;
add("start of a bundle in a page, until the first verdict, ms", "core", () => timed(1, () => new Function(`${bundled}; core.parse("User-agent: *").rules("a").allowed("/")`)()) / 1e3);
add("start of an instance of a compiled module, ms", "@kosterhq/robotstxt", () => timed(1, () => instantiate()) / 1e3);
for (const [file, body] of Object.entries({ small, large })) {
  const { rules, small, entry, peer } = state[file];
  const size = `${Math.ceil(body.length / 1e3)} KB`;
  add(`parse ${size}, µs`, "@kosterhq/robotstxt", () => timed(30, () => engine.parse(body).free()));
  add(`parse ${size}, µs`, "core", () => timed(30, () => core.parse(body)));
  add(`parse ${size}, µs`, "robots-parser", () => timed(30, () => robotsParser(site, body)));
  add(`one URL, file of ${size}, µs`, "@kosterhq/robotstxt", () => timed(10_000, (i) => rules.allowed(urls[i % urls.length])));
  add(`one URL, file of ${size}, µs`, "core", () => timed(10_000, (i) => small.allowed(urls[i % urls.length])));
  add(`one URL, file of ${size}, µs`, "@kosterhq/robotstxt, batch of 1,000", () => timed(10, () => rules.codes(urls)) / urls.length);
  add(`one URL, file of ${size}, µs`, "@kosterhq/robotstxt/robots-parser", () => timed(10_000, (i) => entry.isAllowed(urls[i % urls.length], "Bot-c")));
  add(`one URL, file of ${size}, µs`, "robots-parser", () => timed(10_000, (i) => peer.isAllowed(urls[i % urls.length], "Bot-c")));
}
const keystrokeTask = `a keystroke: parse ${Math.ceil(large.length / 1e3)} KB, 40 crawlers × 25 URLs`;
const agents = Array.from({ length: 40 }, (_, g) => `Bot-${String.fromCharCode(97 + (g % 26))}${g > 25 ? "x" : ""}`);
add(`${keystrokeTask}, ms`, "@kosterhq/robotstxt", () => timed(3, () => keystroke(engine)) / 1e3);
add(`${keystrokeTask}, ms`, "core", () => timed(3, () => keystroke(core)) / 1e3);
add(`${keystrokeTask}, ms`, "@kosterhq/robotstxt, check() in JSON", () =>
  timed(3, () => engine.check({ body: large, agents, urls: urls.slice(0, 25) })) / 1e3);
add(`${keystrokeTask}, ms`, "robots-parser", () => timed(3, () => {
  const peer = robotsParser(site, large);
  for (const agent of agents) {
    for (const url of urls.slice(0, 25)) {
      peer.isAllowed(url, agent);
    }
  }
}) / 1e3);

function keystroke(implementation) {
  const robots = implementation.parse(large);
  for (const agent of agents) {
    const rules = robots.rules(agent);
    rules.codes(urls.slice(0, 25));
    rules.free();
  }
  robots.free();
}

function instantiate() {
  let memory;
  const { exports } = new WebAssembly.Instance(module, imports(() => memory.buffer, () => {}));
  memory = exports.memory;
  exports._initialize();
}

/** Starts a process that runs a program. Returns its time less that of an empty one. */
function startOf(program) {
  const run = (code) => {
    const print = "; const { user, system } = process.cpuUsage(); console.log(user + system)";
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code + print], { cwd: new URL(".", import.meta.url), encoding: "utf8" });
    if (status !== 0) {
      throw new Error(stderr);
    }
    return Number(stdout) / 1e3;
  };
  return run(program) - run("");
}

for (let round = 0; round < rounds + 2; round++) {
  for (const candidate of Object.values(candidates)) {
    const time = candidate.measure();
    if (round >= 2) { // the first rounds warm up
      candidate.times.push(time);
    }
  }
}
console.log("\n| task | package | median | 10% | 90% |\n|---|---|---|---|---|");
for (const [name, { times }] of Object.entries(candidates)) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toPrecision(3);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.1)} | ${at(0.9)} |`);
}

// Measures what Vite, webpack and esbuild write for programs that import one entry of the
// package: node test/bundlers.mjs PROJECT, a folder in which the package is installed.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";

import { build } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";

const project = process.argv[2];
const programs = {
  core: 'import { parse } from "@kosterhq/robotstxt/core"; console.log(parse("").rules("a").allowed("/"));',
  client: 'import { RobotsClient } from "@kosterhq/robotstxt/client"; console.log(new RobotsClient({ userAgent: "a" }));',
  "robots-parser": 'import parser from "@kosterhq/robotstxt/robots-parser"; console.log(parser("", ""));',
  engine: 'import { load } from "@kosterhq/robotstxt"; load().then((engine) => console.log(engine.parse("").rules("a").allowed("/")));',
  linter: 'import { load } from "@kosterhq/robotstxt/lint"; load().then((linter) => console.log(linter.lint({ body: "" })));',
};
// How many modules a program needs, and which in their order.
const modules = { core: [], client: [], "robots-parser": [], engine: ["engine"], linter: ["full"] };

/** The files of a folder, with their sizes by extension. */
function sizes(folder) {
  const found = { ".js": 0, ".wasm": [] };
  for (const name of readdirSync(folder, { recursive: true })) {
    const size = statSync(join(folder, name)).size;
    if (extname(name) === ".wasm") found[".wasm"].push(size);
    else if (extname(name) === ".js") found[".js"] += size;
  }
  return found;
}

// Bounds in bytes. The core carries no words of headers; robots-parser reads headers, as the package of that name does.
const most = { core: 16_000, "robots-parser": 23_000 };

const bundlers = {
  async vite(entry, out) {
    await vite({ root: project, logLevel: "error", configFile: false, build: { outDir: out, emptyOutDir: true, target: "es2022", rollupOptions: { input: entry, output: { entryFileNames: "[name].js" } } } });
  },
  async webpack(entry, out) {
    const stats = await new Promise((resolve, reject) =>
      webpack({ mode: "production", target: "web", context: project, entry, output: { path: out, filename: "out.js" }, performance: { hints: false } }, (error, result) => (error ? reject(error) : resolve(result))));
    assert.deepEqual([...stats.compilation.errors, ...stats.compilation.warnings].map((problem) => problem.message), []);
  },
  async esbuild(entry, out) {
    await build({ entryPoints: [entry], outdir: out, bundle: true, minify: true, format: "esm", absWorkingDir: project, logLevel: "error" });
  },
};

const dist = join(project, "node_modules/@kosterhq/robotstxt/dist");
for (const [bundler, run] of Object.entries(bundlers)) {
  for (const [name, text] of Object.entries(programs)) {
    const entry = join(project, `${name}.bundled.mjs`);
    writeFileSync(entry, text);
    const out = join(project, "out", bundler, name);
    mkdirSync(out, { recursive: true });
    await run(entry, out);
    const found = sizes(out);
    // esbuild leaves addresses as they are, and copies no file.
    const want = bundler === "esbuild" ? [] : modules[name].map((module) => statSync(join(dist, `${module}.wasm`)).size);
    assert.deepEqual(found[".wasm"], want, `${bundler}, ${name}`);
    assert.ok(found[".js"] < (most[name] ?? 40_000), `${bundler}, ${name}: ${found[".js"]} bytes of JavaScript`);
    console.log(`${bundler}, ${name}: ${(found[".js"] / 1000).toFixed(1)} KB of JavaScript, modules of ${JSON.stringify(found[".wasm"].map((size) => `${(size / 1e6).toFixed(1)} MB`))}`);
  }
}

// The sizes in README.md, and what bundlers leave out. With ROBOTSTXT_WRITE=1, it writes them there, and
// compresses the modules with brotli, which takes a minute.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { buildSync, transformSync } from "esbuild";
import { rollup } from "rollup";

const readme = new URL("../README.md", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const programs = {
  'core: `import { parse }`, for tokens': 'import { parse } from "@kosterhq/robotstxt/core"; console.log(parse("").rules("a").allowed("/"));',
  "core with `tokenOf`, for headers": 'import { parse, tokenOf } from "@kosterhq/robotstxt/core"; console.log(parse("").rules(tokenOf("a")).allowed("/"));',
  "robots-parser, which includes both": 'import parser from "@kosterhq/robotstxt/robots-parser"; console.log(parser("", ""));',
  "client, which includes both": 'import { RobotsClient } from "@kosterhq/robotstxt/client"; console.log(new RobotsClient({ userAgent: "a" }));',
};

function byEsbuild(contents) {
  const { outputFiles, metafile } = buildSync({
    stdin: { contents, resolveDir: import.meta.dirname }, bundle: true, minify: true, format: "esm", write: false, metafile: true, outdir: "out",
  });
  assert.deepEqual(Object.keys(metafile.inputs).filter((name) => name.includes("node_modules") || name.includes("wasi")), []);
  return outputFiles[0].text;
}

async function byRollup(contents) {
  const files = {
    resolveId: (id) => (id === "program" ? id : id.startsWith(manifest.name) ? new URL(manifest.exports[`.${id.slice(manifest.name.length)}`].default, new URL("../", import.meta.url)).pathname : null),
    load: (id) => (id === "program" ? contents : null),
  };
  const bundle = await rollup({ input: "program", plugins: [files] });
  const { output } = await bundle.generate({ format: "esm" });
  return transformSync(output[0].code, { minify: true, format: "esm" }).code;
}

const brotli = (bytes) => brotliCompressSync(bytes).length;
const kilo = (size) => `${(size / 1000).toFixed(1)} KB`;
const mega = (size) => `${(size / 1e6).toFixed(1)} MB`;

test("a program that asks by token carries no words of headers", async (t) => {
  const [lean, whole] = Object.values(programs);
  for (const bundle of [byEsbuild, byRollup]) {
    const [a, b] = [await bundle(lean), await bundle(whole)];
    t.diagnostic(`${bundle.name}: ${brotli(a)} bytes of brotli, with tokenOf ${brotli(b)}`);
    assert.ok(brotli(a) <= 6250, `${bundle.name}: ${brotli(a)} bytes`);
    assert.ok(!a.includes("applewebkit") && b.includes("applewebkit"));
  }
});

test("README.md has the sizes", () => {
  const before = readFileSync(readme, "utf8");
  const rows = Object.entries(programs).map(([name, program]) => {
    const code = byEsbuild(program);
    return [name, kilo(code.length), kilo(gzipSync(code).length), kilo(brotli(code))];
  });
  const entries = { core: rows[0][3], client: rows[3][3], "robots-parser": rows[2][3] };
  for (const [name, file, entry] of [["engine.wasm", "engine.wasm", ""], ["full.wasm, with the linter", "full.wasm", "lint"]]) {
    const bytes = readFileSync(new URL(`../dist/${file}`, import.meta.url));
    const known = new RegExp(`^\\| ${name} \\|.*\\| ([\\d.]+ MB) \\|$`, "m").exec(before)?.[1];
    rows.push([name, mega(bytes.length), mega(gzipSync(bytes).length), process.env.ROBOTSTXT_WRITE || !known ? mega(brotli(bytes)) : known]);
    entries[entry] = rows.at(-1)[3];
  }
  const table = ["| bundled and minified | raw | gzip | brotli |", "|---|---|---|---|", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
  let text = before.replace(/^\| (?:file|bundled and minified) \| raw \|.*(?:\n\|.*)*/m, () => table);
  for (const [entry, size] of Object.entries(entries)) {
    const name = entry === "" ? manifest.name : `${manifest.name}/${entry}`;
    text = text.replace(new RegExp(`^(\\| \`${name}\` \\|.*\\| )[\\d.]+ [KM]B( \\| [^|]* \\|)$`, "m"), `$1${size}$2`);
  }
  if (process.env.ROBOTSTXT_WRITE) writeFileSync(readme, text);
  // A new version of Go or of a compressor changes a few bytes of each module.
  const numbers = (of) => [...of.matchAll(/([\d.]+) ([KM]B)(?= \|)/g)].map(([, n]) => Number(n));
  const [want, got] = [numbers(text), numbers(process.env.ROBOTSTXT_WRITE ? text : before)];
  assert.equal(got.length, want.length);
  assert.ok(want.length >= 23, `${want.length} sizes`);
  want.forEach((size, i) => assert.ok(Math.abs(got[i] - size) <= Math.max(0.1001, size * 0.02), `README.md has ${got[i]}, and it is ${size}: ROBOTSTXT_WRITE=1 node --test test/sizes.test.mjs`));
});

// Runs the package under workerd, the runtime of Cloudflare Workers: node test/workerd.mjs
// PROJECT, a folder in which the package and workerd are installed. The engine starts from a
// module that the runtime has compiled, as README.md shows.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { build } from "esbuild";

const project = process.argv[2];
const folder = join(project, "workerd");
mkdirSync(folder, { recursive: true });
writeFileSync(join(project, "worker.mjs"), `
import { Engine } from "@kosterhq/robotstxt";
import { RobotsClient } from "@kosterhq/robotstxt/client";
import { parse } from "@kosterhq/robotstxt/core";
import module from "@kosterhq/robotstxt/engine.wasm";

const body = "User-agent: *\\nDisallow: /cart\\n";
const robots = new RobotsClient({ userAgent: "FooBot/1.0 (+https://foobot.example)" });
let engine;

export default {
  async fetch(request) {
    engine ??= Engine.start(module); // at the first request: random numbers are not available before
    const url = new URL(request.url).searchParams.get("url");
    const verdicts = [await engine, { parse }].map((i) => i.parse(body).rules("GPTBot").verdict("/cart"));
    return Response.json({ verdicts, answer: await robots.check(url).then(({ verdict, site: { reason, hops } }) => ({ verdict, reason, hops: hops.length })) });
  },
};
`);
await build({ entryPoints: [join(project, "worker.mjs")], outfile: join(folder, "worker.js"), bundle: true, format: "esm", external: ["@kosterhq/robotstxt/engine.wasm"], logLevel: "error" });
copyFileSync(join(project, "node_modules/@kosterhq/robotstxt/dist/engine.wasm"), join(folder, "engine.wasm"));

const site = createServer((request, response) => {
  const isMoved = request.url === "/robots.txt";
  response.writeHead(isMoved ? 302 : 200, isMoved ? { location: "/moved" } : {});
  response.end(isMoved ? "" : "User-agent: *\nDisallow: /private\n");
});
await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
const port = 20_000 + (process.pid % 20_000);
writeFileSync(join(folder, "config.capnp"), `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "@kosterhq/robotstxt/engine.wasm", wasm = embed "engine.wasm")],
    compatibilityDate = "2025-01-01", globalOutbound = "net")),
    (name = "net", network = (allow = ["public", "private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
`);
const { default: binary } = createRequire(join(project, "package.json"))("workerd");
const runtime = spawn(binary, ["serve", join(folder, "config.capnp")], { stdio: ["ignore", "inherit", "inherit"] });
try {
  for (let n = 0; ; n++) {
    const response = await fetch(`http://127.0.0.1:${port}/?url=http://127.0.0.1:${site.address().port}/private`).catch((error) => error);
    if (response instanceof Response) {
      const text = await response.text();
      assert.equal(response.status, 200, text);
      assert.deepEqual(JSON.parse(text), { verdicts: [{ allowed: false, line: 2 }, { allowed: false, line: 2 }], answer: { verdict: "disallowed", reason: "file", hops: 1 } });
      break;
    }
    assert.ok(n < 200, "workerd does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
} finally {
  runtime.kill();
  site.close();
}
console.log("workerd: the engine, the core and the client answer");

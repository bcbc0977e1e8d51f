// Runs the package in a module worker of Chromium: node test/browser.mjs NODE_MODULES
//
// The page and the package are served from this machine, under a strict policy and without
// a bundler. The worker posts its answers to the page, which posts them to this server.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const folder = process.argv[2];
const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

const dist = "/@kosterhq/robotstxt/dist/";
const worker = `
import { load } from "${dist}index.js";
import { load as loadLinter } from "${dist}lint.js";
import robotsParser from "${dist}robots-parser.js";
const start = performance.now();
const linter = await loadLinter();
const started = performance.now() - start;
const engine = await load();
const rules = engine.parse("User-agent: *\\nDisallow: /cart").rules("GPTBot");
const crawlers = linter.crawlers().crawlers.length;
postMessage({
  window: typeof window,
  verdict: rules.verdict("https://shop.example/cart"),
  check: engine.check({ body: "User-agent: *\\nDisallow: /cart", urls: ["/cart"] }).answers[0].verdict,
  fixed: linter.lint({ body: "User-agent: *\\nDisalow: /cart\\n", fix: "all" }).body,
  parser: robotsParser("https://shop.example/robots.txt", "User-agent: *\\nDisallow: /cart").isAllowed("https://shop.example/cart"),
  crawlers: crawlers > 100,
  started,
});
`;
const page = `<!doctype html><title>worker</title><script type="module">
const answer = (value) => fetch("/answer", { method: "POST", body: JSON.stringify(value) });
const worker = new Worker("/worker.js", { type: "module" });
worker.onmessage = (event) => answer(event.data);
worker.onerror = (event) => answer({ error: event.message || "the worker could not be loaded" });
// The package works in the page itself, too, where large modules compile only asynchronously.
import("${dist}lint.js").then(async ({ load }) => {
  const linter = await load();
  await answer({ page: linter.parse("User-agent: *\\nDisallow: /cart").rules("Foo").allowed("/cart") });
}).catch((error) => answer({ error: String(error) }));
</script>`;

function reply(path) {
  if (path === "/") {
    return ["text/html", page];
  }
  if (path === "/worker.js") {
    return ["text/javascript", worker];
  }
  return [types[extname(path)], readFileSync(join(folder, normalize(path)))];
}

const answers = [];
let arrived;
const all = new Promise((resolve) => (arrived = resolve));
const server = createServer((request, response) => {
  if (request.method === "POST") {
    let text = "";
    request.on("data", (part) => (text += part));
    request.on("end", () => {
      answers.push(JSON.parse(text));
      response.end();
      if (answers.length === 2 || answers.some((a) => a.error)) {
        arrived();
      }
    });
    return;
  }
  try {
    const [type, content] = reply(new URL(request.url, "http://localhost").pathname);
    // A strict policy, as robots serve has it.
    response.writeHead(200, { "content-type": type, "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'unsafe-inline'; worker-src 'self'; connect-src 'self'" });
    response.end(content);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const profile = mkdtempSync(join(tmpdir(), "robots-chromium-"));
const browser = spawn(process.env.ROBOTSTXT_BROWSER ?? "chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", `--user-data-dir=${profile}`,
  "--remote-debugging-port=0", `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
browser.on("exit", () => arrived());
const late = setTimeout(arrived, 60_000);
await all;
clearTimeout(late);
const gone = new Promise((resolve) => browser.on("exit", resolve));
browser.kill();
await gone;
server.closeAllConnections();
server.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }); // its other processes end after it

const want = { window: "undefined", verdict: { allowed: false, line: 2 }, check: "disallowed", fixed: "User-agent: *\nDisallow: /cart\n", parser: false, crawlers: true };
const { started, ...got } = answers.find((a) => a.window) ?? {};
const inPage = answers.find((a) => "page" in a);
if (JSON.stringify(got) !== JSON.stringify(want) || inPage?.page !== false) {
  console.error("the browser answers", answers);
  process.exit(1);
}
console.log(`a module worker and a page of Chromium answer; the linter started in ${started.toFixed(0)} ms`);

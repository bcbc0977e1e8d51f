// Runs the examples beside a server on this machine: node test/examples.mjs FOLDER [NAME…]. The
// folder has a copy of examples and the packages that they import.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";

const [folder, ...names] = process.argv.slice(2);
const file = "User-agent: *\nDisallow: /private\n";
let requests = [];

/** Starts a site with an answer for its robots.txt. */
async function site(status, body, type = "text/plain") {
  const server = createServer((request, response) => {
    requests.push(request.url);
    const isFile = request.url === "/robots.txt";
    response.writeHead(isFile ? status : 200, { "content-type": isFile ? type : "text/plain" });
    response.end(isFile ? body : "a page");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

const good = await site(200, file);
const down = await site(503, "later");
const html = await site(200, "<!DOCTYPE html><p>hello", "text/html");
const urls = [`${good.url}/a`, `${good.url}/private`, `${good.url}/b`, `${down.url}/a`, `${html.url}/a`];
const wants = {
  fetch: [/a 200 6$/, /private: disallowed, file, line 2 of http.*robots\.txt$/, /b 200 6$/, /a: disallowed, status$/, /a 200 6$/],
  tool: [/"may_fetch":true/, /"may_fetch":false.*"line":2/, /"may_fetch":true/, /"may_fetch":false.*"reason":"status","status":503.*"try_again"/, /"may_fetch":true/],
  crawlee: [/a 6$/, /private disallowed, file$/, /b 6$/, /a disallowed, status$/, /a 6$/],
};
for (const name of names) {
  requests = [];
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, `${name}.mjs`), ...urls], { env: { ...process.env, CRAWLEE_LOG_LEVEL: "OFF", CRAWLEE_PERSIST_STORAGE: "0" } });
  const lines = stdout.trim().split("\n");
  assert.equal(lines.length, urls.length, stdout);
  wants[name].forEach((want, i) => {
    const line = name === "crawlee" ? lines.find((text) => text.startsWith(`${urls[i]} `)) : lines[i];
    assert.match(line ?? "", want, stdout);
  });
  assert.equal(requests.filter((url) => url === "/robots.txt").length, 3, `${requests}`);
  assert.ok(!requests.includes("/private"));
  console.log(`${name}: as it should be`);
}
process.exit();

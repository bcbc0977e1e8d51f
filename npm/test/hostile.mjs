// Compares the processor time of the core with that of the engine for bodies of 490 KB that
// are slow to read or to match: parsing and one verdict take at most five times as long on a
// quiet machine, which the list shows. What fails is fifty times: quadratic work, which takes
// hundreds or thousands, and no machine's mood. The time of each is the least of several
// runs, in turn, so that other programs matter little.

import { load } from "@kosterhq/robotstxt";
import { RobotsClient } from "@kosterhq/robotstxt/client";
import * as core from "@kosterhq/robotstxt/core";

import { lifetime } from "../dist/client/headers.js";

const engine = await load();
const aim = 5;
const bound = 50;
const size = 490_000;
const star = "User-agent: *\n";
const filled = (line, start = star) => start + line.repeat(Math.floor((size - start.length) / line.length));
const numbered = (line, start = star) => {
  let text = start;
  for (let i = 0; text.length < size; i++) text += line(i.toString(36));
  return text;
};
const path = (text) => `/${text}`.slice(0, 2000);
const as = path("a".repeat(2000));
const bodies = {
  "empty lines": [filled("\n"), "/"],
  "line ends CR": [filled("\r"), "/"],
  "one line": [filled("a"), "/"],
  "white space in a line": [filled(`${" ".repeat(16_000)}x\n`), "/"],
  "lines without a colon": [filled("Disallow x\n"), "/"],
  "user agent with blanks": [filled("user agent x\n"), "/"],
  "bare keys": [filled("Allow:\n"), "/"],
  "comments": [filled("#\n"), "/"],
  "NUL": [filled("\0"), "/"],
  "groups of a token": [filled("User-agent: a\nAllow:\n", ""), "/", "a"],
  "tokens of a group": [numbered((i) => `User-agent: a${i}\n`, ""), "/", "a"],
  "delays and agents": [filled("User-agent: a\nCrawl-delay: 1\n", ""), "/", "a"],
  "short rules": [numbered((i) => `Allow:/${i}\n`), as],
  "stars": [filled(`Disallow: ${"*".repeat(16_000)}$\n`), as],
  "stars and letters": [filled(`Disallow: ${"*a".repeat(8000)}b\n`), as],
  "pieces that nearly match": [filled(`Disallow: /*${"a".repeat(900)}b\n`), as],
  "periodic pieces": [filled(`Disallow: /*${"ab".repeat(300)}aa\n`), path("ab".repeat(1000))],
  "long pieces, all different": [numbered((i) => `Disallow: /*${"ab".repeat(400)}${parseInt(i, 36).toString(2).replace(/0/g, "ba").replace(/1/g, "aab")}\n`), path("abaab".repeat(400))],
  "pieces with a first letter of their own": [filled(`Disallow: /*b${"a".repeat(900)}\n`), as],
  "short pieces": [filled("Allow:*ab\n"), as],
  "short pieces, all different": [numbered((i) => `Allow:*a${i}\n`), as],
  "pieces of two letters": [numbered((i) => `Allow:*${parseInt(i, 36).toString(2).padStart(16, "0")}\n`), path(Array.from({ length: 2000 }, (_, i) => (i * i * 7919 >> 5) & 1).join(""))],
  "short pieces of a periodic path": [numbered((i) => `Allow:*ab*ba*${i}\n`), path("ab".repeat(1000))],
  "anchored pieces": [filled("Allow:/*a*a*b$\n"), as],
  "percent codes": [filled("Allow:/%aa%bb%cc\n"), path("%aa".repeat(600))],
  "codes of slashes": [filled("Allow:*a%2Fb*%2F\n"), path(`?${"a/".repeat(999)}`), "*", "rfc9309"],
  "bytes that are encoded": [filled("Allow:/é\n"), path("é".repeat(600)), "*", "rfc9309"],
  "index pages": [filled("Allow:/a/index.html\n"), "/a/"],
  "dot segments": [filled("Allow:/a\n"), `http://h${"/a/..".repeat(400)}`],
};

/** The least processor time of several runs in milliseconds. */
function timed(run) {
  const { user, system } = process.cpuUsage();
  run();
  const used = process.cpuUsage({ user, system });
  return (used.user + used.system) / 1e3;
}

let failed = false;
const grade = (ratio) => ratio > bound ? "TOO SLOW" : ratio > aim ? "ABOVE THE AIM" : "ok";
for (const [name, [body, url, agent = "*", dialect = "google"]] of Object.entries(bodies)) {
  const bytes = Buffer.from(body);
  const least = [Infinity, Infinity];
  for (let round = 0; round < 12 && (round < 4 || least[1] > aim * least[0]); round++) {
    for (const [i, implementation] of [engine, core].entries()) {
      least[i] = Math.min(least[i], timed(() => {
        const robots = implementation.parse(bytes, { dialect, limit: -1 });
        robots.rules(agent).verdict(url);
        robots.free();
      }));
    }
  }
  const ratio = least[1] / least[0];
  failed ||= ratio > bound;
  console.log(`${grade(ratio)} ${name}: engine ${least[0].toFixed(1)} ms, core ${least[1].toFixed(1)} ms, ${ratio.toFixed(2)}`);
}

// What a server or a caller can make long: a byte of 64 KB takes about as long as one of 1 KB, and 64 times as long where the work is quadratic.
const texts = {
  "blanks in Cache-Control": [(n) => `a=x${" ".repeat(n)}x`, cacheControl],
  "blanks in a quoted Cache-Control": [(n) => `a="${"\t".repeat(n)}x`, cacheControl],
  "escaped quotes in Cache-Control": [(n) => '"' + '\\"'.repeat(n / 2), cacheControl],
  "quotes in Cache-Control": [(n) => '",'.repeat(n / 2), cacheControl],
  "slashes in a crawler": [(n) => "/".repeat(n), crawler],
  "blanks in a crawler": [(n) => `${"\t".repeat(n)}"`, crawler],
  "letters in a User-Agent": [(n) => `${"!".repeat(n)}\n`, userAgent],
};
function cacheControl(text) {
  lifetime(new Map([["cache-control", text]]), 0);
}
function crawler(text) {
  for (const read of [core.tokenOf, (agent) => core.parse("").rules(agent)]) try { read(text); } catch {}
}
function userAgent(text) {
  try { new RobotsClient({ userAgent: text }); } catch {}
}
for (const [name, [text, read]] of Object.entries(texts)) {
  const [short, long] = [text(1 << 10), text(1 << 16)];
  let least = [Infinity, Infinity];
  for (let round = 0; round < 12 && (round < 4 || least[1] > aim * least[0]); round++) {
    least = [[short, 640], [long, 10]].map(([body, times], i) => Math.min(least[i], timed(() => { for (let n = 0; n < times; n++) read(body); })));
  }
  const ratio = least[1] / least[0];
  failed ||= ratio > 20;
  console.log(`${ratio > 20 ? "TOO SLOW" : "ok"} ${name}: ${ratio.toFixed(2)} times as long a byte`);
}
process.exitCode = failed ? 1 : 0;

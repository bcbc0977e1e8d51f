// All checks of the conformance kit, in all dialects, through the package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load } from "@kosterhq/robotstxt";
import * as core from "@kosterhq/robotstxt/core";
import { checks } from "./vectors.mjs";

const engine = await load();

/** A text of Latin-1 as bytes, which need not be UTF-8. */
const bytes = (latin1) => Buffer.from(latin1, "latin1");

/** A crawler in the notation of the package: every token in quotes. */
function agent(tokens) {
  return bytes(tokens.length === 0 ? "*" : tokens.map((token) => `"${token.replace(/[\\"]/g, "\\$&")}"`).join(":"));
}

/** A text of Latin-1 as a string, undefined if it is not UTF-8. */
function decoded(latin1) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes(latin1));
  } catch {
    return undefined;
  }
}

for (const [name, { parse }] of Object.entries({ engine: { parse: engine.parse.bind(engine) }, core })) test(`${name}: every check has its verdict and its line`, () => {
  let count = 0;
  const dialects = new Set();
  for (const check of checks()) {
    const robots = parse(check.body, { dialect: check.dialect, limit: -1 });
    const rules = robots.rules(agent(check.tokens), { exact: true, asSent: true });
    const got = rules.verdict(bytes(check.url));
    const place = `${check.vector}: ${check.dialect}, ${check.tokens}: ${check.line}`;
    assert.equal(got.allowed, check.allowed, place);
    if (check.number !== undefined) {
      assert.equal(got.line, check.number, place);
    }
    const url = decoded(check.url);
    if (url !== undefined) {
      assert.deepEqual([rules.verdict(url), ...rules.verdicts([url, url])], [got, got, got], place);
    }
    count++;
    dialects.add(check.dialect);
    rules.free();
    robots.free();
  }
  assert.deepEqual([...dialects].sort(), ["google", "koster1996", "rfc9309"]);
  assert.ok(count > 4000, `${count} checks`);
  console.log(`${count} checks`);
});

const delays = JSON.parse(readFileSync(new URL("../../conformance/delays.json", import.meta.url), "utf8"));

for (const [name, { parse }] of Object.entries({ engine: { parse: engine.parse.bind(engine) }, core })) test(`${name}: every crawler has its delay`, () => {
  assert.equal(delays.format, 1);
  let count = 0;
  for (const { name, note, dialects, robots: lines, checks } of delays.cases) {
    for (const dialect of dialects) {
      const robots = parse(bytes(lines.map((line) => `${line}\n`).join("")), { dialect });
      for (const { agents, seconds } of checks) {
        const rules = robots.rules(agent(agents), { exact: true });
        assert.equal(rules.crawlDelay ?? null, seconds, `${name}: ${note}: ${dialect}, ${agents}`);
        rules.free();
        count++;
      }
      robots.free();
    }
  }
  assert.ok(count > 100, `${count} checks`);
});

const urls = JSON.parse(readFileSync(new URL("../../conformance/urls.json", import.meta.url), "utf8"));

for (const [name, { parse }] of Object.entries({ engine: { parse: engine.parse.bind(engine) }, core })) test(`${name}: URLs as typed and as sent`, () => {
  assert.equal(urls.format, 1);
  for (const { note, rule, url, typed, as_sent } of urls.cases) {
    const robots = parse(`User-agent: *\nDisallow: ${rule}\n`, { dialect: "google" });
    for (const [asSent, want] of [[false, typed], [true, as_sent]]) {
      const rules = robots.rules("*", { asSent });
      assert.equal(rules.allowed(url) ? "allowed" : "disallowed", want, `${note}: ${url}, asSent ${asSent}`);
      rules.free();
    }
    robots.free();
  }
});

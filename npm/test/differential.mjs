// Compares the core, and the engine as WebAssembly, with decisions of the Go engine, which it reads as JSON, one file on each
// line; TestCores of internal/test/enginetest writes them. In their texts each character is a byte.

import assert from "node:assert/strict";
import { createInterface } from "node:readline";

import { load } from "@kosterhq/robotstxt";
import { parse } from "@kosterhq/robotstxt/core";

const engine = await load();

const bytes = (latin1) => Buffer.from(latin1, "latin1");
const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** Returns the text of octets as Go's JSON has it: U+FFFD for each octet that is not UTF-8. */
function text(latin1) {
  for (let from = 0, found = ""; ; ) {
    if (from >= latin1.length) return found;
    const character = [1, 2, 3, 4].map((length) => latin1.slice(from, from + length)).find(isCharacter);
    found += character ? decoder.decode(bytes(character)) : "\ufffd";
    from += character?.length ?? 1;
  }
}

function isCharacter(latin1) {
  try {
    return decoder.decode(bytes(latin1)) !== "";
  } catch {
    return false;
  }
}

const rule = (r) => r && { ...r, pattern: text(r.pattern) };

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const file = JSON.parse(line);
  for (const implementation of [parse, engine.parse.bind(engine)]) compare(implementation, file);
}

function compare(parse, file) {
  const robots = parse(bytes(file.body), { dialect: file.dialect, limit: -1 });
  const rules = [false, true].map((asSent) => robots.rules(bytes(file.agent || "*"), { exact: true, asSent }));
  const place = (url) => `${JSON.stringify(file.body)}\n${file.dialect}, ${file.agent}, ${JSON.stringify(url)}`;
  assert.deepEqual([robots.sitemaps, robots.hosts, rules[0].crawlDelay ?? -1], [file.sitemaps.map(text), file.hosts.map(text), file.delay], place());
  for (const { url, as_sent, decision: d } of file.urls) {
    const want = { ...d, agent: text(d.agent), path: text(d.path), rule: rule(d.rule), tie: rule(d.tie), others: d.others.map(rule) };
    const asked = rules[as_sent ? 1 : 0];
    assert.deepEqual(asked.explain(bytes(url)), want, place(url));
    assert.deepEqual(asked.verdict(bytes(url)), { allowed: d.allowed, line: d.line }, place(url));
    count++;
  }
  for (const used of [...rules, robots]) used.free();
}
console.log(`${count / 2} questions: the core and the engine answer each as Go does`);

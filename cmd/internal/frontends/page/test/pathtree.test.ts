import assert from "node:assert/strict";
import { test } from "node:test";

import { pathTree, stepsOf, verdictOf } from "../src/pathtree";
import type { Answer, Verdict } from "../src/wire";

function answer(url: string, verdict: Verdict, agent = "A"): Answer {
  return { url, verdict, agent } as Answer;
}

test("the steps of a URL joined are the URL", () => {
  const steps: [string, string[]][] = [
    ["https://shop.example", ["https://shop.example"]],
    ["https://shop.example/", ["https://shop.example", "/"]],
    ["https://shop.example/a/b.html?c=/d/#e", ["https://shop.example", "/", "a/", "b.html?c=/d/#e"]],
    ["https://shop.example?x=/", ["https://shop.example", "?x=/"]],
    ["/a//b", ["/", "a/", "/", "b"]],
    ["a", ["a"]],
    ["", [""]],
    ["//host/a", ["/", "/", "host/", "a"]],
  ];
  for (const [url, want] of steps) assert.deepEqual(stepsOf(url), want, url);
  const deep = "https://shop.example/" + "a/".repeat(9_000);
  assert.equal(stepsOf(deep).join(""), deep);
  assert.ok(stepsOf(deep).length < 30);
});

test("folders with one child are one node, and counts add up", () => {
  const [site, ...others] = pathTree([
    answer("https://shop.example/a/b/c", "allowed"),
    answer("https://shop.example/a/b/c", "disallowed", "B"),
    answer("https://shop.example/a/b/d?x", "disallowed"),
    answer("https://shop.example/a/b/", "unknown"),
  ]);
  assert.deepEqual(others, []);
  assert.equal(site?.name, "https://shop.example/a/b/");
  assert.deepEqual(site?.counts, { allowed: 1, disallowed: 2, unknown: 1 });
  assert.equal(site?.answers.length, 1);
  assert.deepEqual(site?.children.map((c) => [c.name, c.prefix, verdictOf(c), c.answers.length]), [
    ["c", "https://shop.example/a/b/c", "mixed", 2],
    ["d?x", "https://shop.example/a/b/d?x", "disallowed", 1],
  ]);
});

test("sites keep their order, and names that objects have are plain names", () => {
  const sites = pathTree([answer("https://b.example/__proto__/constructor", "allowed"), answer("https://a.example/", "allowed"), answer("/x", "allowed")]);
  assert.deepEqual(sites.map((s) => s.name), ["https://b.example/__proto__/constructor", "https://a.example/", "/x"]);
  assert.deepEqual(pathTree([]), []);
});

test("the encoded URL places an answer", () => {
  const [node] = pathTree([{ ...answer("/caf\u00e9/", "allowed"), compared_url: "/caf%C3%A9/" }]);
  assert.equal(node?.name, "/caf%C3%A9/");
});

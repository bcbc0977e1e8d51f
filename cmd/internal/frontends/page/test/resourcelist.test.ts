import assert from "node:assert/strict";
import { test } from "node:test";

import { byResource, splitByOrigin } from "../src/resourcelist";
import type { Answer, Verdict } from "../src/wire";

const page = "https://shop.example:443/a/page.html";
const files = ["https://shop.example/a.css", "http://shop.example/b.css", "https://cdn.example/c.js", "https://shop.example:8443/d.js", "https://SHOP.example/e.js"].map((url) => ({ url, kind: "style" }));

test("only files of the page's origin are its own", () => {
  const { own, foreign } = splitByOrigin(files, page);
  assert.deepEqual(own.map((r) => r.url), ["https://shop.example/a.css", "https://SHOP.example/e.js"]);
  assert.equal(foreign.length, 3);
  assert.equal(splitByOrigin(files, "").own.length, 0);
});

test("without an answer nothing is known, and what is blocked comes first", () => {
  const answer = (url: string, verdict: Verdict, agent = "A"): Answer => ({ url, verdict, agent }) as Answer;
  const rows = byResource(files.slice(0, 4), [
    answer("https://shop.example/a.css", "allowed"), answer("https://shop.example/a.css", "allowed", "B"),
    answer("http://shop.example/b.css", "allowed"), answer("http://shop.example/b.css", "disallowed", "B"),
    answer("https://cdn.example/c.js", "unknown"), answer("https://cdn.example/c.js", "allowed", "B"),
  ]);
  assert.deepEqual(rows.map((r) => [r.resource.url, r.allowed.length, r.disallowed.length, r.unknown]), [
    ["http://shop.example/b.css", 1, 1, false],
    ["https://cdn.example/c.js", 1, 0, true],
    ["https://shop.example:8443/d.js", 0, 0, true],
    ["https://shop.example/a.css", 2, 0, false],
  ]);
});

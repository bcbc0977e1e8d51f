import assert from "node:assert/strict";
import { test } from "node:test";

import { changesCSV } from "../src/commands";
import { hasCredentials, masked } from "../src/credentials";
import { commonBeginning, countsOf, everything, rowsOf } from "../src/gridrows";
import { clippedAt } from "../src/text";
import { addURLs, withScheme } from "../src/urlsource";
import type { Answers } from "../src/state";
import type { Answer } from "../src/wire";

test("a user name and password are masked, wherever they are", () => {
  for (const [typed, want] of [
    ["https://me:secret@staging.example/a", "https://***@staging.example/a"],
    ["me:secret@staging.example", "***@staging.example"],
    ["//me@staging.example/", "//***@staging.example/"],
    ["HTTPS:\\\\me:secret@staging.example", "HTTPS:\\\\***@staging.example"],
    ["https://me:se/cret@staging.example/", "https://***@staging.example/"],
    ["https://me:secret@x@staging.example/", "https://***@staging.example/"],
  ] as const) {
    assert.equal(masked(typed), want);
    assert.ok(hasCredentials(typed), typed);
    assert.ok(!want.includes("secret"));
  }
  for (const plain of ["https://shop.example/@me", "/@me", "shop.example", "https://shop.example/?q=a@b", "", "https://shop.example/#@"]) {
    assert.equal(masked(plain), plain);
    assert.ok(!hasCredentials(plain), plain);
  }
  assert.deepEqual(addURLs([], ["https://me:secret@a.example/"]).urls, ["https://***@a.example/"]);
});

test("a path gets the site, and no host", () => {
  assert.deepEqual(["/a/1", "//b.example/1", "c.example"].map((url) => withScheme(url, "http://a.example:8080")), ["http://a.example:8080/a/1", "http://b.example/1", "http://c.example"]);
  assert.equal(withScheme("/a/1"), "/a/1");
});

test("URLs that are cut show where they differ", () => {
  const [a, b] = ["https://shop.example/a/very/long/path/tea-green/and/so/on/and/on/index.html", "https://shop.example/a/very/long/path/tea-black/and/so/on/and/on/index.html"];
  const at = commonBeginning(a, b, undefined);
  assert.equal(at, a.indexOf("green"));
  for (const most of [20, 30, 40, 60]) {
    const [x, y] = [clippedAt(a, most, at), clippedAt(b, most, at)];
    assert.ok(x.length <= most && x !== y && x.includes("gr"), x);
  }
  assert.equal(clippedAt("/short", 20, 3), "/short");
});

const list = ["/1", "/2"].flatMap((url, u) => ["A", "B"].map((agent, a) => ({ agent, url, verdict: u <= a ? "disallowed" : "allowed", line: u <= a ? 2 : 0, rule: u <= a ? "Disallow: /" : "" }) as Answer));
const answers = { agents: ["A", "B"], urls: ["/1", "/2"], list } as unknown as Answers;

test("each crawler has a count of its own, which filters", () => {
  assert.deepEqual(countsOf(answers).agents, [1, 2]);
  assert.deepEqual(rowsOf(answers, { ...everything, agent: 0 }), [0]);
  assert.deepEqual(rowsOf(answers, { ...everything, agent: 1 }), [0, 1]);
});

test("the changes of the URLs are rows as those of robots diff", () => {
  const after = list.map((answer) => ({ ...answer, verdict: "allowed", line: 0, rule: "" }) as Answer);
  assert.equal(
    changesCSV(list, after),
    "agent,effect,url,old_line,old_rule,new_line,new_rule\r\nA,opens,/1,2,Disallow: /,,\r\nB,opens,/1,2,Disallow: /,,\r\nB,opens,/2,2,Disallow: /,,\r\n",
  );
});

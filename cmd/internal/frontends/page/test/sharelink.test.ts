import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { limits, linkTo, makeFragment, readFragment, type Shared, ShareError } from "../src/sharelink";

const state: Shared = {
  text: "User-agent: *\nDisallow: /caf\u00e9 # \u202e <script>\n",
  lineEnd: "\r\n",
  encoding: "utf-8",
  before: { text: "User-agent: *\n", lineEnd: "\n", encoding: "utf-8", name: "https://shop.example/robots.txt" },
  source: { name: "https://shop.example/robots.txt" },
  agents: ["Googlebot", "Googlebot-News:Googlebot"],
  purposes: ["ai-training"],
  urls: ["https://shop.example/a?b=c#d", "/\ud83d\ude00"],
  dialect: "rfc9309",
  view: "changes",
};

function fragmentOf(json: string | Uint8Array): string {
  return "s1." + deflateRawSync(json).toString("base64url");
}

async function problemOf(fragment: string): Promise<string> {
  try {
    await readFragment(fragment);
  } catch (error) {
    assert.ok(error instanceof ShareError);
    return error.problem;
  }
  return "none";
}

test("a state returns from its link", async () => {
  const latin1 = { ...state, text: "Disallow: /m\u00fcller/\n", encoding: "windows-1252" } as const;
  const bytes = { ...state, text: "Disallow: /m\udcfcller\u00fc/\udc0a\n", before: { text: latin1.text, lineEnd: "\r", encoding: latin1.encoding, name: "" }, source: null } as const;
  const staging = { ...state, source: { name: "https://staging.example/robots.txt" } };
  for (const shared of [state, latin1, bytes, staging, { ...state, source: null }, { ...staging, before: null }, { ...state, before: null, source: null, text: "", agents: [], purposes: [], urls: [] }]) {
    const fragment = await makeFragment(shared);
    assert.match(fragment, /^s1\.[A-Za-z0-9_-]+$/);
    assert.deepEqual(await readFragment("#" + fragment), shared);
  }
  const earlier = await makeFragment({ ...state, view: "tree" as never }); // a view that the page had
  assert.equal((await readFragment(`#${earlier}`))?.view, "grid");
});

test("other fragments are none of a shared state", async () => {
  for (const fragment of ["", "#", "#answers", "s1", "#s1a.b", "#S1.abc"]) {
    assert.equal(await readFragment(fragment), undefined, fragment);
  }
});

test("links of other versions are refused", async () => {
  assert.equal(await problemOf("#s2.abc"), "version");
  assert.equal(await problemOf("#s10.abc"), "version");
});

test("damaged links are refused", async () => {
  const good = await makeFragment(state);
  for (const bad of ["s1.", "s1.%%%", "s1.AAAA", "s1.a", good.slice(0, -8), good.replace(/^s1\..{6}/, "s1.______")]) {
    assert.equal(await problemOf(bad), "damaged", bad);
  }
  for (let i = 0; i < good.length; i += 7) {
    const changed = good.slice(0, i) + (good[i] === "A" ? "B" : "A") + good.slice(i + 1);
    // Any outcome but another error.
    await problemOf(changed).catch((error: unknown) => assert.fail(`${i}: ${String(error)}`));
  }
});

test("fields are checked", async () => {
  const object = { t: "", e: 0, a: [], p: [], u: [], d: "google", v: "grid" };
  assert.equal(await problemOf(fragmentOf(JSON.stringify(object))), "none");
  const wrong: object[] = [
    { t: 1 }, { t: null }, { t: "x".repeat(limits.text + 1) }, { e: 3 }, { e: "length" }, { a: "Googlebot" }, { a: [1] }, { a: {} },
    { a: ["x".repeat(limits.agent + 1)] }, { a: Array(limits.agents + 1).fill("A") }, { u: Array(limits.urls + 1).fill("/") }, { u: [["/"]] }, { u: ["/a\n/b"] }, { a: ["A\r"] },
    { p: null }, { d: "bing" }, { d: "constructor" }, { v: "__proto__" }, { v: "<b>" }, { b: "text" }, { b: 1, n: "name" }, { b: "", n: {} }, { x: 4 }, { x: "utf-8" }, { x: 1, t: "\u65e5" }, { b: "", n: "", bx: 9 },
  ];
  for (const change of wrong) {
    assert.equal(await problemOf(fragmentOf(JSON.stringify({ ...object, ...change }))), "damaged", JSON.stringify(change).slice(0, 60));
  }
  for (const json of ["", "null", "[]", "1", '"text"', "{", '{"__proto__":{"t":"","e":0,"a":[],"p":[],"u":[],"d":"google","v":"grid"}}', "\ufeff{}"]) {
    assert.equal(await problemOf(fragmentOf(json)), "damaged", json);
  }
  assert.equal(await problemOf(fragmentOf(new Uint8Array([0x22, 0xff, 0x22]))), "damaged");
});

test("lines of a file end with LF", async () => {
  const json = '{"t":"a\\r\\nb\\rc\\n","b":"\\r","n":"","e":1,"a":[],"p":[],"u":[],"d":"google","v":"grid"}';
  const shared = await readFragment(fragmentOf(json));
  assert.deepEqual([shared?.text, shared?.before?.text, shared?.lineEnd], ["a\nb\nc\n", "\n", "\r\n"]);
});

test("unknown fields are ignored", async () => {
  const json = '{"t":"","e":0,"a":[],"p":[],"u":[],"d":"google","v":"grid","__proto__":{"x":1},"answers":[1],"selected":{"x":2}}';
  assert.deepEqual(await readFragment(fragmentOf(json)), {
    text: "", lineEnd: "\n", encoding: "utf-8", before: null, source: null, agents: [], purposes: [], urls: [], dialect: "google", view: "grid",
  });
});

test("a small link that expands without end is refused", async () => {
  const bomb = fragmentOf(new Uint8Array(256 << 20));
  assert.ok(bomb.length < limits.fragment);
  assert.equal(await problemOf(bomb), "too-large");
});

test("what is too large is refused before it is sent", async () => {
  await assert.rejects(makeFragment({ ...state, text: "x".repeat(limits.text + 1) }), { problem: "too-large" });
  await assert.rejects(makeFragment({ ...state, urls: Array.from({ length: limits.urls + 1 }, (_, i) => `/${i}`) }), { problem: "too-large" });
  let noise = "";
  for (let seed = 1; noise.length < limits.text; seed = (seed * 48271) % 2147483647) noise += seed.toString(36);
  await assert.rejects(makeFragment({ ...state, text: noise.slice(0, limits.text) }), { problem: "too-large" });
  assert.equal(await problemOf("s1." + "A".repeat(limits.fragment)), "too-large");
});

test("a link replaces the fragment of the page", () => {
  assert.equal(linkTo("http://127.0.0.1:1/?x=1#old", "s1.a"), "http://127.0.0.1:1/?x=1#s1.a");
  assert.equal(linkTo("http://127.0.0.1:1/", "s1.a"), "http://127.0.0.1:1/#s1.a");
});

// User-Agent headers, with the product tokens that the engine finds in them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { RobotsClient } from "@kosterhq/robotstxt/client";
import { parse, RobotsError, tokenOf } from "@kosterhq/robotstxt/core";

const headers = readFileSync(new URL("../../internal/test/surfaces/headers.tsv", import.meta.url), "utf8").split("\n").slice(1, -1).map((line) => {
  const at = line.lastIndexOf("\t");
  return [line.slice(0, at).replaceAll("\\t", "\t"), line.slice(at + 1)];
});
const names = JSON.parse(readFileSync(new URL("../../conformance/names.json", import.meta.url), "utf8"));
assert.equal(names.format, 1);
headers.push(...names.cases.flatMap(({ texts }) => texts.map(({ text, declared }) => [text, declared ?? "-"])));
const isBlocked = (token) => parse(`User-agent: *\nDisallow:\n\nUser-agent: ${token}\nDisallow: /`);

test("the core reads headers as the engine does", () => {
  for (const [header, token] of headers.filter(([header]) => header.trim() !== "" && header !== "*")) {
    if (token === "-") {
      assert.throws(() => tokenOf(header), (error) => error instanceof RobotsError && error.code === "invalid-field" && error.message.endsWith("names no crawler"), header);
      assert.throws(() => parse("").rules(header), (error) => error instanceof RobotsError && error.code === "invalid-field" && error.hint.includes("tokenOf"), header);
    } else {
      assert.equal(tokenOf(header).replace(/^"(.*)"$/, "$1").toLowerCase(), token.toLowerCase(), header);
      if (token.includes(" ")) continue; // no line can name it
      assert.equal(isBlocked(token).rules(tokenOf(header), { exact: true }).verdict("/").line, 5, header);
      // Without the words, one product is read alike, and a longer text not at all.
      try {
        assert.equal(isBlocked(token).rules(header, { exact: true }).verdict("/").line, 5, header);
        assert.match(header.trim(), /^[^ ()]+$/);
      } catch (error) {
        assert(error instanceof RobotsError && error.hint.includes("tokenOf"), `${header}: ${error}`);
        assert.match(header.trim(), /[ \t;()<"'+]|^\d/, header);
      }
    }
  }
});

test("a token in a header is for rules", () => {
  assert.equal(tokenOf("a:b/1.0 (+https://x.example)"), '"a:b"');
  assert.equal(tokenOf(new TextEncoder().encode("F\u00f6\u00f6/1.0 x")), "F\u00f6\u00f6");
  assert.throws(() => tokenOf(undefined), RobotsError);
});

test("a client obeys the token in its header, and no browser", async () => {
  for (const [userAgent, token] of headers.filter(([header, token]) => /^[^\0-\x1f]*\S[^\0-\x1f]*$/.test(header) && !token.includes(" "))) {
    const fetch = async () => new Response(`User-agent: *\nDisallow:\n\nUser-agent: ${token}\nDisallow: /`);
    if (token === "-") {
      assert.throws(() => new RobotsClient({ userAgent, fetch }), (error) => error instanceof RobotsError && error.field === "agent" && error.message.includes("names no crawler"), userAgent);
      assert.equal(await new RobotsClient({ userAgent, fetch, agent: "FooBot" }).allowed("https://shop.example/"), true);
    } else {
      assert.equal(await new RobotsClient({ userAgent, fetch }).allowed("https://shop.example/"), false, userAgent);
    }
  }
});

test("blanks around an agent do not count, and an address is no name", () => {
  for (const agent of [" ", "FooBot: ", "Yahoo! Slurp/2@b.example"]) {
    assert.throws(() => parse("").rules(agent), RobotsError, agent);
  }
  for (const agent of [" Foo\t", "\nFoo/1 ", ' "Foo" ', ' Bar: "Foo"']) {
    assert.equal(parse("User-agent: Foo\nDisallow: /").rules(agent).verdict("/").line, 2, agent);
  }
});

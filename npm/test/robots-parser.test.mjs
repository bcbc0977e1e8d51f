// The compatible entry beside the package that it replaces.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import ours from "@kosterhq/robotstxt/robots-parser";
import theirs from "robots-parser";

const site = "http://www.example.com/robots.txt";
const file = [
  "User-agent: *",
  "Disallow: /dir/",
  "Disallow: /test.html",
  "Allow: /dir/test.html",
  "Allow: /test.html",
  "Crawl-delay: 1",
  "Sitemap: http://example.com/sitemap.xml",
  "Host: Example.com",
  "",
  "User-agent: Slow-Bot # comment",
  "User-agent: other",
  "Crawl-delay: 2.5",
  "Disallow: /*.php$",
  "Disallow: /caf%c3%a9",
  "Allow: /a*b*c",
  "Disallow: /a",
].join("\n");

const urls = [
  "/", "", "/dir/", "/dir/test.html", "/dir/x?y#z", "/test.html", "/TEST.html", "/a", "/abc", "/axbxc/", "/x.php", "/x.php?a", "/café", "/caf%C3%A9",
  "/dir/../a", "?q", "/%7Ejoe", "/a b",
].flatMap((path) => [`http://www.example.com${path}`, `https://www.example.com${path}`, path])
  .concat("http://www.example.com:80/dir/", "http://www.example.com:8080/dir/", "HTTP://WWW.EXAMPLE.COM/dir/", "mailto:x@y", "http://[", "ftp://www.example.com/dir/");
const agents = [undefined, "", "*", "Slow-Bot", "slow-bot/1.0", "OTHER", "Sams-Bot/1.0", "Unknown Bot"];

test("the answers are equal on ordinary files", () => {
  const [a, b] = [ours(site, file), theirs(site, file)];
  for (const url of urls) {
    for (const agent of agents) {
      for (const call of ["isAllowed", "isDisallowed", "getMatchingLineNumber"]) {
        assert.equal(a[call](url, agent), b[call](url, agent), `${call}(${url}, ${agent})`);
      }
    }
  }
  for (const agent of agents) {
    assert.equal(a.getCrawlDelay(agent), b.getCrawlDelay(agent), `${agent}`);
  }
  assert.deepEqual(a.getSitemaps(), b.getSitemaps());
  assert.equal(a.getPreferredHost(), b.getPreferredHost());
});

test("crawlers whose names have digits and dots", () => {
  const body = "User-agent: MJ12bot\nUser-agent: archive.org_bot\nDisallow: /\nUser-agent: *\nDisallow: /x";
  const [a, b] = [ours(site, body), theirs(site, body)];
  for (const agent of ["MJ12bot", "MJ12bot/1.4", "archive.org_bot", "FooBot"]) {
    for (const url of ["http://www.example.com/", "http://www.example.com/x"]) {
      assert.equal(a.isAllowed(url, agent), b.isAllowed(url, agent), `${url}, ${agent}`);
    }
  }
});

test("files without lines", () => {
  for (const body of ["", undefined, "nothing"]) {
    const [a, b] = [ours(site, body), theirs(site, body)];
    assert.equal(a.isAllowed("http://www.example.com/x"), b.isAllowed("http://www.example.com/x"));
    for (const agent of ["", " ", null, undefined]) {
      assert.equal(a.isAllowed("http://www.example.com/x", agent), b.isAllowed("http://www.example.com/x", agent));
    }
    assert.deepEqual([a.getSitemaps(), a.getPreferredHost(), a.getCrawlDelay("x")], [b.getSitemaps(), b.getPreferredHost(), b.getCrawlDelay("x")]);
  }
});

test("relative URLs", () => {
  const [a, b] = [ours("/robots.txt", file), theirs("/robots.txt", file)];
  for (const url of urls) {
    assert.equal(a.isAllowed(url), b.isAllowed(url), url);
  }
});

// README.md lists these differences. Each is the verdict of Google's parser.
test("the differences", () => {
  const differences = [
    ["a colon is missing", "User-agent: Foo\nDisallow /x", "/x", "Foo", false, true],
    ["a misspelt key", "User-agent: Foo\nDisalow: /x", "/x", "Foo", false, true],
    ["text after the token", "User-agent: Foo Bar\nDisallow: /x", "/x", "Foo", false, true],
    ["two groups of *, one with a suffix", "User-agent: * all\nDisallow: /x", "/x", "Foo", false, true],
    ["an index page allows its folder", "User-agent: *\nAllow: /x/index.html\nDisallow: /x/", "/x/", "Foo", true, false],
    ["Crawl-delay does not end a group", "User-agent: Foo\nCrawl-delay: 1\nUser-agent: Bar\nDisallow: /x", "/x", "Foo", false, true],
    ["a token that cannot be named", "User-agent: Sogou web spider\nDisallow: /x", "/x", "Sogou web spider", true, false],
    ["the groups of * apply to it", "User-agent: Sogou web spider\nAllow: /\nUser-agent: *\nDisallow: /x", "/x", "Sogou web spider", false, true],
    ["a key that begins with a known one", "User-agent: Foo\nDisallowed: /x", "/x", "Foo", false, true],
    ["a digit ends a token", "User-agent: Foo2\nDisallow: /x", "/x", "Foo", false, true],
    ["a whole header", "User-agent: FooBot\nDisallow: /x", "/x", "Mozilla/5.0 (compatible; FooBot/1.0)", false, true],
    ["a blank in a rule", "User-agent: *\nDisallow: /a b", "/a%20b", "Foo", true, false],
    ["a lone surrogate", "User-agent: *\nDisallow: /\ud800", "/\ud800", "Foo", false, true],
    ["a NUL ends a line", "User-agent: *\nDisallow: /x\0y", "/x", "Foo", false, true],
    ["a long line", `User-agent: *\nDisallow: /${"*".repeat(17_000)}x`, "/", "Foo", false, true],
    ["bytes that are not ASCII end a token", "User-agent: Fooé\nDisallow: /x", "/x", "Foo", false, true],
  ];
  for (const [name, body, path, agent, ourAnswer, theirAnswer] of differences) {
    assert.equal(ours(site, body).isAllowed(`http://www.example.com${path}`, agent), ourAnswer, `${name}: ours`);
    assert.equal(theirs(site, body).isAllowed(`http://www.example.com${path}`, agent), theirAnswer, `${name}: theirs`);
  }
  const empty = "User-agent: *\nDisallow:";
  assert.deepEqual([ours, theirs].map((parser) => parser(site, empty).getMatchingLineNumber("http://www.example.com/")), [2, -1]);
});

test("delays that are no decimal numbers, and several", () => {
  for (const [lines, our, their] of [["1e3", undefined, 1000], ["-1", undefined, -1], ["2\nCrawl-delay: 1", 2, 1]]) {
    const body = `User-agent: Foo\nCrawl-delay: ${lines}`;
    assert.deepEqual([ours, theirs].map((parser) => parser(site, body).getCrawlDelay("Foo")), [our, their]);
  }
});

test("what is disallowed explicitly", () => {
  const robots = ours(site, "User-agent: *\nDisallow: /\nUser-agent: Foo\nDisallow: /x");
  const url = (path) => `http://www.example.com${path}`;
  assert.deepEqual(["Foo", "Foo/1.0", "Bar"].map((agent) => robots.isExplicitlyDisallowed(url("/x"), agent)), [true, true, false]);
  assert.deepEqual([robots.isExplicitlyDisallowed(url("/y"), "Foo"), robots.isExplicitlyDisallowed(url("/y")), robots.isExplicitlyDisallowed("http://other.example/", "Bar")], [false, true, true]);
});

test("require returns the function", () => {
  const required = createRequire(import.meta.url)("@kosterhq/robotstxt/robots-parser");
  assert.equal(required(site, "User-agent: *\nDisallow: /x").isAllowed("http://www.example.com/x"), false);
});

test("an empty query is part of a URL", () => {
  const parser = ours(site, "User-agent: *\nDisallow: /search?\nDisallow: /x?\nDisallow: /y/?$\n");
  const open = ["/search", "/search#?", "/x", "/y/", "/y/?a"];
  for (const path of ["/search?", "/search?#", "/search?q", "/x?", "/a/../x?", "/y/?", ...open]) {
    assert.equal(parser.isAllowed(`http://www.example.com${path}`), open.includes(path), path);
    assert.equal(ours("/robots.txt", "User-agent: *\nDisallow: /search?\nDisallow: /x?\nDisallow: /y/?$\n").isAllowed(path), open.includes(path), path);
  }
  const relative = ours("/robots.txt", "User-agent: *\nDisallow: /a/b?\nDisallow: /?");
  assert.deepEqual(["a/b?", "a/b", "?", "", "./a/b?", "//x"].map((url) => relative.isAllowed(url)), [false, true, false, true, false, undefined]);
});

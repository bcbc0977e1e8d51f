// The core beside the engine: the same names, results and errors. Its verdicts are compared
// with the engine in Go by differential.mjs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "@kosterhq/robotstxt";
import * as core from "@kosterhq/robotstxt/core";

const engine = await load();

/** The core takes a token. The one in a header is for tokenOf. */
function rulesOfCore(robots, agent, options) {
  try {
    return robots.rules(agent, options);
  } catch (error) {
    if (!error.hint?.includes("tokenOf")) throw error;
    return robots.rules(core.tokenOf(agent), options);
  }
}

/** What a function returns, or its error. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    assert.ok(error instanceof core.RobotsError, error.stack);
    return { error: error.code };
  }
}

const body = `\ufeffUser-agent: *
Crawl-delay: 3
Disallow: /a
Allow: /index.html

User-agent: Googlebot
User-agent: MJ12bot
User-agent: Amazonbot
Crawl-delay: 1.5
User-agent: Foo Bar
Request-rate: 1/2
User-agent: *
Disallow: /b*c
Disallow: /b?c$
Allow: /b%2fc
Allow: /ü
Disallow:
Sitemap: https://shop.example/ü.xml
Host: Shop.example
Site-map: /x
`;

const crawlers = [
  "*", "Foo", "googlebot", "Googlebot-Image", "Googlebot-Image:Foo", "AdsBot-Google", "AdsBot-Google-Mobile-Apps", "MJ12bot", "Amazonbot", "YandexBot",
  "Sogou web spider", '"Sogou web spider"', '"a,b"', "a,b", "a;b", "", '""', '"', '"a\\"b"', '"a\\\\b"', '"a\\x41"', "a:", ":a", "a::b", " Foo : Bar ", "a b", "a#b", 'a"b', '"a" b',
  "FooBot/2.1", "Googlebot/2.1 (+http://www.google.com/bot.html)", "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)", "/", "(", "((", "/ x", "foo/1 bar/2",
  "Mozilla/5.0 (X11; Linux) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17 Safari/605.1.15 (FooBot/0.1; +https://foo.example)", "Mozilla/5.0 (Windows NT 10.0)",
  "Mozilla/5.0 (X11; Linux) Safari/605.1.15 (Foo/0.1; +https://foo.example)", "Mozilla/5.0 (Foo; Bar/1 a@b.example)", "Mozilla/5.0 (compatible; Foo)", "Mozilla/5.0 (MJ12bot/1 Foo/1 a@b.example)",
  "Mozilla/5.0 (compatible; +https://foo.example; me@foo.example) FooBot/1", "Mozilla/5.0 (compatible ;FooBot/1", "Mozilla/5.0 (a; (compatible; (x) FooBot/1) y)", "+http://foo.example/a,b+c(Foo/1)",
  "www.foo.example/x Bar/1", "+foo.example Bar/1 (x)", "mozilla/5.0 () (Foo/1) (Bar/1 a@b)", "ü", "\ud800", "*:Foo", "**",
];
const urls = [
  "/", "/a", "/b/c", "/bxc", "/b?c", "/b%2Fc", "/b%2fc?/", "/ü", "/%c3%bc", "/\ud800", "https://shop.example/a", "/robots.txt", "", "//", "http://", "HTTP:\\\\shop.example\\a",
  "http://a b/../a", "http://shop.example:0/../a", "http://user@/../a", "http://shop.example/x/../a", "/x/../a", "x/%2E%2e/a", "http://bücher.example/../a", "http://[::1]:80/./a", " /a ", "/\ta", "/#a", "?a",
  `http://${"a".repeat(64)}.example/x/../a`, `http://${"a.".repeat(127)}a/x/../a`, `http://a:${"0".repeat(4092)}80/x/../a`, `http://a:${"0".repeat(4093)}80/x/../a`, "http://a;b/x/../a", "http://a../x/../a", "http://1.2.3.4./x/../a", "http://256.1/x/../a", "/;a", "a:b@c;d/a", "/\x0f\x10\x11", "/?\x0f\x10", "?a b", "\\x\\y",
];

test("the core has the results and errors of the engine", () => {
  let count = 0;
  for (const dialect of [undefined, "google", "rfc9309", "koster1996", "other"]) {
    const files = [engine, core].map((implementation) => outcome(() => implementation.parse(body, dialect && { dialect })));
    if (files[0].error) {
      assert.deepEqual(files[0], files[1]);
      continue;
    }
    for (const property of ["sitemaps", "hosts", "truncated"]) {
      assert.deepEqual(files[0][property], files[1][property], property);
    }
    for (const agent of crawlers) {
      for (const options of [undefined, { exact: true }, { asSent: true }]) {
        const [a, b] = [outcome(() => files[0].rules(agent, options)), outcome(() => rulesOfCore(files[1], agent, options))];
        const place = `${dialect}, ${agent}, ${JSON.stringify(options)}`;
        assert.equal(a.error, b.error, place);
        if (a.error) {
          continue;
        }
        assert.deepEqual([a.crawlDelay, a.matchedBy], [b.crawlDelay, b.matchedBy], place);
        assert.deepEqual(a.codes(urls), b.codes(urls), place);
        for (const url of urls) {
          assert.deepEqual(a.explain(url), b.explain(url), `${place}: ${url}`);
          count++;
        }
      }
    }
  }
  assert.ok(count > 10_000, `${count} decisions`);
});

test("an octet that is not UTF-8 is one U+FFFD, as in the engine", () => {
  for (const octets of ["\xe9\xab", "\xf0\x9f\x98", "\xc3\xa9\xa9", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82\xac\xff", "\xef\xbb\xbfa"]) {
    const body = Buffer.from(`User-agent: *\nDisallow: /${octets}`, "latin1");
    const [small, whole] = [core, engine].map((implementation) => implementation.parse(body).rules("*").explain(Buffer.from(`/${octets}`, "latin1")));
    assert.deepEqual(small, whole);
  }
});

test("the limit of a body drops the line that it cuts", () => {
  const lines = "User-agent: *\r\nDisallow: /\rDisallow: /private\n\nDisallow: /x";
  for (let limit = -1; limit <= lines.length + 1; limit++) {
    const [a, b] = [engine, core].map((implementation) => {
      const robots = implementation.parse(lines, { limit });
      return [robots.truncated, ...robots.rules("*").verdicts(["/", "/private", "/x"])];
    });
    assert.deepEqual(a, b, `${limit}`);
  }
  const long = `${"#".repeat(511_990)}\nUser-agent: *\nDisallow: /`;
  assert.deepEqual([engine, core].map((i) => i.parse(long).rules("*").allowed("/")), [true, true]);
  assert.deepEqual([engine, core].map((i) => i.parse(long, { limit: -1 }).rules("*").allowed("/")), [false, false]);
});

test("a comment after the bytes of a line that count", () => {
  for (const blanks of [16_662, 16_663, 16_664]) {
    const file = `User-agent: *\n${" ".repeat(blanks)}#\nDisallow: /x`;
    const [a, b] = [engine, core].map((i) => i.parse(file, { dialect: "koster1996" }).rules("*").verdict("/x"));
    assert.deepEqual(a, b, `${blanks}`);
  }
});

test("a colon after the bytes of a line that count", () => {
  for (const letters of [16_654, 16_655, 16_656]) {
    const file = `User-agent: *\nDisallow${"x".repeat(letters)}:/a`;
    const [a, b] = [engine, core].map((i) => i.parse(file).rules("*").verdict("/a"));
    assert.deepEqual(a, b, `${letters}`);
  }
});

test("long paths, for which searches are avoided", () => {
  for (const [path, pattern] of [["12ab".repeat(100), "*ab*2ab$"], ["1".repeat(300), "*1*11*2"], ["a%2Fb?a/b".repeat(60), "*a%2Fb*b?a%2Fb$"], ["x".repeat(300) + "yz", "*yz"], ["ab".repeat(200), `*${"ba".repeat(40)}*ab$`], [`${"aab".repeat(99)}${"ab".repeat(40)}`, `*${"ab".repeat(33)}`], [`${"a".repeat(300)}b`, `*${"a".repeat(40)}b`]]) {
    for (const dialect of ["google", "rfc9309"]) {
      const [a, b] = [engine, core].map((i) => i.parse(`User-agent: *\nDisallow: /${pattern}\nDisallow: /*3${pattern}`, { dialect }).rules("*").verdict(`/${path}`));
      assert.deepEqual(a, b, `${dialect} ${pattern}`);
    }
  }
});

test("values that are no text are errors", () => {
  const rules = core.parse("").rules("*");
  for (const [field, call] of Object.entries({
    body: () => core.parse(new URL("http://a.example/")),
    agent: () => core.parse("").rules(7),
    url: () => rules.allowed(new URL("http://a.example/")),
    urls: () => rules.verdicts("/"),
  })) {
    assert.throws(call, (error) => error.code === "invalid-field" && error.field === field, field);
  }
  assert.throws(() => rules.codes(["/", null]), (error) => error.field === "urls/1");
});

test("a known crawler that a browser's header only mentions", () => {
  const header = "Mozilla/5.0 (Windows NT 6.3; WOW64; Trident/7.0; rv:11.0; BingPreview/1.0b) like Gecko";
  const file = "User-agent: *\nAllow: /\n\nUser-agent: BingPreview\nDisallow: /";
  assert.equal(engine.parse(file).rules(header).allowed("/"), false);
  assert.throws(() => core.parse(file).rules(header), core.RobotsError); // the core lacks the name
});

test("Crawl-delay lines share the list of agents that they belong to", () => {
  const body = "user-agent: a\n".repeat(12_000) + "user-agent: FooBot\n" + "crawl-delay: 3\n".repeat(16_000);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const rules = core.parse(body).rules("FooBot");
  assert.equal(rules.crawlDelay, 3);
  assert.ok(process.memoryUsage().heapUsed - before < 200 << 20, "the lists take too much memory"); // 1.5 GB if each line has its own
});

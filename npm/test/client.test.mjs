// The client with a fetch, a clock and a store of the tests. TestJavaScriptClient in Go compares
// it with the Go client at sites with faults.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { test } from "node:test";

import { RobotsClient, RobotsError } from "@kosterhq/robotstxt/client";

import { redirectTarget } from "../dist/client/location.js";
import { lifetime } from "../dist/client/headers.js";

const userAgent = "FooBot/1.0 (+https://foo.example)";
const file = "User-agent: *\nDisallow: /private\n";
const hour = 3_600_000;
const day = 24 * hour;

/** A client of a site whose answers are the results of a function, with what it did. */
function setUp(answer, options = {}) {
  const seen = { requests: [], time: Date.UTC(2026, 0, 1) };
  const fetch = async (url, init) => {
    seen.requests.push({ url, ...init });
    const result = await answer(url, seen.requests.length);
    if (result instanceof Error) throw result;
    return result;
  };
  return { seen, client: new RobotsClient({ userAgent, fetch, now: () => seen.time, ...options }) };
}

const url = "https://shop.example/private";

test("a file is fetched once for all callers, and again when it has expired", async () => {
  const { seen, client } = setUp(() => new Response(file));
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => client.check(`https://SHOP.example.:443/private/${i}`)));
  assert.deepEqual([...new Set(answers.map(({ verdict, line, matchedBy }) => `${verdict} ${line} ${matchedBy}`))], ["disallowed 2 star"]);
  assert.equal(seen.requests.length, 1);
  const [{ url: asked, redirect, headers }] = seen.requests;
  assert.deepEqual([asked, redirect, headers["user-agent"]], ["https://shop.example/robots.txt", "manual", userAgent]);
  seen.time += day - 1;
  const site = await client.site(url);
  assert.deepEqual([site.source, site.reason, site.body, site.freshUntil - seen.time], ["memory", "file", "text", 1]);
  seen.time += 1;
  assert.equal((await client.site(new URL(url))).source, "network");
  assert.equal(await client.allowed("https://shop.example/x"), true);
  assert.equal(await client.allowed("http://shop.example/x"), true); // another origin
  assert.equal(seen.requests.length, 3);
});

test("a caller may leave, and the fetch goes on for the others", async () => {
  let respond;
  const { seen, client } = setUp(() => new Promise((resolve) => (respond = () => resolve(new Response(file)))));
  const controller = new AbortController();
  const left = client.check(url, { signal: controller.signal });
  const stayed = client.check(url);
  controller.abort(new Error("left"));
  await assert.rejects(left, /left/);
  await assert.rejects(client.check(url, { signal: controller.signal }), /left/);
  respond();
  assert.equal((await stayed).verdict, "disallowed");
  assert.equal(seen.requests.length, 1);
});

test("an abort by what a call asks ends the call", { timeout: 60_000 }, async () => {
  let controller;
  const leave = () => {
    controller.abort(new Error("left"));
    return new Promise(() => {});
  };
  for (const store of [undefined, { get: leave, set: () => {} }]) {
    controller = new AbortController();
    const { client } = setUp(leave, { ...(store && { store }), timeout: 200, storeTimeout: 200 });
    await assert.rejects(client.check(url, { signal: controller.signal }), /left/);
  }
});

const careful = { policy: "careful" };

test("what statuses and bodies mean", async () => {
  const cases = [
    [() => new Response(file), "disallowed rules network file text"],
    [() => new Response(""), "allowed rules network empty-file empty"],
    [() => new Response(null, { status: 204 }), "allowed rules network empty-file empty"],
    [() => new Response("\ufeff \n<!DOCTYPE html><p>hello"), "allowed rules network file html"],
    [() => new Response("\0\x01\x02"), "allowed rules network file binary"],
    [() => new Response("no", { status: 404 }), "allowed allow-all network missing "],
    [() => new Response("no", { status: 403 }), "allowed allow-all network forbidden "],
    [() => new Response("no", { status: 403 }), "disallowed disallow-all network forbidden ", { policy: "koster" }],
    [() => new Response("no", { status: 302 }), "allowed allow-all network redirects "],
    [() => new Response("no", { status: 429 }), "disallowed disallow-all assumed status "],
    [() => new Response("no", { status: 503 }), "disallowed disallow-all assumed status "],
    [() => new Response("Page not found", { status: 500 }), "allowed allow-all network not-found-page ", { notFoundPage: (status, head) => status === 500 && head.includes("not found") }],
    [() => new Response(`<!-- shop -->\n${file}`), "disallowed rules network file text"],
    [() => new Response(file), "disallowed rules network file text", careful],
    [() => new Response(""), "allowed rules network empty-file empty", careful],
    [() => new Response("no", { status: 410 }), "allowed allow-all network missing ", careful],
    [() => new Response("<title>Just a moment"), "disallowed disallow-all assumed status ", careful],
    [() => new Response(`\n${" ".repeat(2000)}<title>Just a moment`), "disallowed disallow-all assumed status ", careful],
    [() => new Response(`<title>Just a moment${" ".repeat(600_000)}`), "disallowed disallow-all assumed status ", careful],
    [() => new Response("\x1f\x8b\x08"), "disallowed disallow-all assumed status ", careful],
    [() => new Response("no", { status: 403 }), "disallowed disallow-all assumed status ", careful],
    [() => new Response("no", { status: 405 }), "disallowed disallow-all assumed status ", careful],
    [() => new Response("no", { status: 302 }), "disallowed disallow-all assumed status ", careful],
    [() => new Response("Page not found", { status: 500 }), "disallowed disallow-all assumed status ", { ...careful, notFoundPage: () => true }],
    [() => new TypeError("fetch failed"), "unknown disallow-all assumed network "],
    [() => new Response(file, { headers: { "content-encoding": "br" } }), "unknown disallow-all assumed network "],
  ];
  for (const [answer, want, options] of cases) {
    const { client } = setUp(answer, options);
    const { verdict, site } = await client.check(url);
    assert.equal(`${verdict} ${site.outcome} ${site.source} ${site.reason} ${site.body ?? ""}`, want);
  }
});

test("an outage: back-off, the copy, and 30 days", async () => {
  let up = true;
  const { seen, client } = setUp(() => (up ? new Response(file) : new Response("", { status: 500 })));
  assert.equal(await client.allowed("https://shop.example/x"), true);
  up = false;
  seen.time += day;
  const began = seen.time;
  let { verdict, site } = await client.check("https://shop.example/x");
  assert.deepEqual([verdict, site.source, site.reason, site.failingSince], ["disallowed", "assumed", "status", began]);
  const wait = site.nextTry - began;
  assert.ok(wait >= 24_000 && wait <= 36_000, `${wait} ms`);
  seen.time = site.nextTry - 1;
  await client.check(url);
  assert.equal(seen.requests.length, 2);
  for (; seen.time - began <= 30 * day; seen.time += 20 * hour) {
    ({ site } = await client.check(url));
    assert.equal(site.failingSince, began);
  }
  ({ verdict, site } = await client.check("https://shop.example/x"));
  assert.deepEqual([verdict, site.source, site.reason], ["allowed", "stale", "stale-copy"]);
  seen.time += 60 * day;
  assert.equal((await client.site(url)).failingSince, seen.time); // nothing is known about the time between
  up = true;
  seen.time += day;
  assert.deepEqual([(await client.site(url)).source, (await client.site(url)).failingSince], ["network", undefined]);
});

test("the careful policy uses a copy for a day after its fetch", async () => {
  let up = true;
  const { seen, client } = setUp(() => (up ? new Response(file, { headers: { "cache-control": "max-age=600" } }) : new Response("<title>Checking your browser", { status: 403 })), careful);
  assert.equal(await client.allowed("https://shop.example/x"), true);
  up = false;
  seen.time += day - 1;
  assert.deepEqual([await client.allowed("https://shop.example/x"), (await client.site(url)).source], [true, "stale"]);
  seen.time += 1;
  assert.deepEqual([await client.allowed("https://shop.example/x"), (await client.site(url)).source], [false, "assumed"]);
});

test("with the store of a client on other terms the answer is that of a client alone", async () => {
  const page = "<!DOCTYPE html><title>Checking your browser</title>";
  const long = "# a comment\n".repeat(50_000);
  const world = (redirects, via, status, body, location) => (asked) => {
    const n = Number(/\/(\d+)\.txt$/.exec(asked)?.[1] ?? (asked.endsWith("/robots.txt") ? 0 : NaN));
    if (Number.isNaN(n)) return new Response(file);
    if (n < redirects) return new Response("", { status: via, headers: { location: `/${n + 1}.txt` } });
    return new Response(status === 204 ? null : body, { status, headers: location ? { location } : {} });
  };
  const worlds = [[0, 0, 200, page], [0, 0, 200, ""], [0, 0, 200, `${long}${file}`], [0, 0, 200, "\0"]].map((w) => [w, world(...w)]);
  for (const redirects of [0, 1, 4, 5, 6, 7, 8, 9, 10, 19, 20, 21]) { // around the limits below, and of the policies: 5 and 20
    for (const [via, status, body, location] of [[302, 200, file], [302, 204], [302, 404, ""], [302, 403, ""], [302, 503, ""], [302, 300, ""], [302, 300, "", "/moved"], [302, 302, ""], [302, 200, page], [300, 200, file], [302, 305, ""]]) {
      worlds.push([[redirects, via, status, body, location], world(redirects, via, status, body, location)]);
    }
  }
  const terms = ["google", "rfc9309", "google-ladder", "koster", "careful"].map((policy) => ({ policy }));
  terms.push({ maxRedirects: 9 }, { policy: "koster", maxRedirects: 7 }, { maxBody: 1_024_000 }, { policy: "careful", maxBody: 2_048_000 });
  const answerIn = async (answer, options, store) => {
    const { client } = setUp(answer, { ...options, store });
    const { verdict, site } = await client.check("https://shop.example/private");
    return JSON.stringify([verdict, site.outcome, site.status, site.url, site.hops, site.truncated, site.body]);
  };
  let pairs = 0;
  for (const [name, answer] of worlds) {
    const filled = terms.map(() => new Map());
    const alone = [];
    for (const [i, options] of terms.entries()) alone.push(await answerIn(answer, options, filled[i]));
    for (const [a, options] of terms.entries()) {
      for (const [b, other] of filled.entries()) {
        assert.equal(await answerIn(answer, options, new Map(other)), alone[a], `${JSON.stringify([name.slice(0, 5), options, terms[b]]).slice(0, 300)}`);
        pairs++;
      }
    }
  }
  assert.equal(pairs, worlds.length * 81);
});

test("headers about freshness and the next attempt", async () => {
  const fresh = async (headers, status = 200) => {
    const { seen, client } = setUp(() => new Response(file, { headers, status }));
    const site = await client.site(url);
    return ((site.freshUntil ?? site.nextTry) - seen.time) / 1000;
  };
  assert.equal(await fresh({ "cache-control": "max-age=7200" }), 7200);
  assert.equal(await fresh({ "cache-control": "max-age=7200, s-maxage=\"9000\", x=\"a,no-store\"", age: "1000" }), 8000);
  assert.equal(await fresh({ "cache-control": "max-age=1" }), 300);
  assert.equal(await fresh({ "cache-control": "no-store" }), 300);
  assert.equal(await fresh({ "cache-control": "max-age=99999999" }), 7 * 86_400);
  assert.equal(await fresh({ "cache-control": "max-age=99999999" }, 404), 86_400);
  assert.equal(await fresh({ expires: "0" }), 300);
  assert.equal(await fresh({ expires: "Thu, 01 Jan 2026 02:00:00 GMT", date: "Thu, 01 Jan 2026 00:00:00 GMT" }), 7200);
  assert.equal(await fresh({ "retry-after": "7200" }, 503), 7200);
  assert.equal(await fresh({ "retry-after": "9999999" }, 429), 86_400);
});

test("headers state the lifetime that the Go client reads", async () => {
  const tests = JSON.parse(await readFile(new URL("../../fetch/testdata/lifetimes.json", import.meta.url), "utf8"));
  for (const { name, headers, seconds } of tests) {
    const of = new Headers();
    for (let i = 0; i < headers.length; i += 2) of.append(headers[i], headers[i + 1]);
    const found = lifetime(of, Date.UTC(2026, 10, 1, 12));
    assert.equal(found === undefined ? null : found / 1000, seconds, name);
  }
});

const locations = JSON.parse(await readFile(new URL("../../conformance/locations.json", import.meta.url), "utf8"));

test("a Location leads where the Go client goes", () => {
  assert.equal(locations.format, 1);
  assert.equal(redirectTarget(locations.from, "/caf\xe9?\xe9"), "http://shop.example/caf%E9?%E9"); // no UTF-8
  for (const { location, target } of locations.cases) {
    const octets = Buffer.from(location).toString("latin1"); // fetch returns them as characters
    assert.equal(redirectTarget(locations.from, octets) ?? null, target, location);
  }
});

test("a redirect is requested as the server wrote it", async () => {
  const from = new URL(locations.from);
  const cases = locations.cases.filter(({ location, target }) => !/^\s|[\t\n]|\s$/.test(location) && target?.startsWith(from.origin));
  assert(cases.length > 40, `${cases.length} cases`);
  let asked = [];
  let location;
  const server = createServer((socket) => {
    socket.once("data", (data) => {
      const target = data.toString("latin1").split(" ", 2)[1];
      asked.push(target);
      const redirect = ["/robots.txt", from.pathname + from.search].indexOf(target);
      const next = [locations.from.slice(from.origin.length), location][redirect];
      socket.end(asked.length > 2 ? "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nUser-agent: *\nDisallow: /" : Buffer.from(`HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: ${next}\r\n\r\n`));
    });
    socket.on("error", () => {});
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const origin = `http://127.0.0.1:${server.address().port}`;
    for (const of of cases) {
      asked = [];
      location = of.location.replaceAll(from.host, new URL(origin).host);
      assert.equal((await new RobotsClient({ userAgent }).check(`${origin}/x`)).line, 2, of.location);
      assert.equal(asked.at(-1), of.target.slice(from.origin.length), of.location);
    }
  } finally {
    server.close();
  }
});

test("redirects are followed, the last one decides", async () => {
  const to = (location, status = 302) => new Response("", { status, headers: { location } });
  const { seen, client } = setUp((asked) => (asked.endsWith("/robots.txt") ? to("https://user:pw@www.shop.example/r#x", 301) : new Response(file)));
  const site = await client.site(url);
  assert.deepEqual([site.url, site.hops, site.origin], ["https://www.shop.example/r", [{ url: "https://shop.example/robots.txt", status: 301 }], "https://shop.example"]);
  assert.deepEqual(seen.requests.map((request) => request.url), ["https://shop.example/robots.txt", "https://www.shop.example/r"]);
  const endless = setUp((asked) => to(`${asked}x`));
  assert.deepEqual([(await endless.client.site(url)).reason, endless.seen.requests.length], ["redirects", 6]);
});

/** Rows that are nearly those of a client: each changes one with an answer or a fault, or says that it is not for it. */
const each = (field, values) => Object.fromEntries(values.map((value) => [`${field} ${JSON.stringify(value)}`, (row) => {
  const [part, name] = field.split(".");
  return row[part] === undefined || name === undefined ? (name ? undefined : { ...row, [part]: value }) : { ...row, [part]: { ...row[part], [name]: value } };
}]));
const spoilers = {
  ...each("checkedAt", [null, "x", {}, []]),
  ...each("answer", [null, [], "x", {}, { of: "file" }]),
  ...each("fault", [null, [], 1, { since: "x" }, {}]),
  ...each("answer.of", ["constructor", "__proto__", "toString", "redirect", "unreachable", "", null, 1]),
  ...each("answer.status", ["200", null, 1.5, -1]),
  ...each("answer.url", [1, null]),
  ...each("answer.hops", [null, {}, "x", [1], [null], [{ url: "x" }], [{ url: "x", status: "301" }], [{ url: "x", status: 301, more: 1 }]]),
  ...each("answer.at", ["x", null]),
  ...each("answer.lifetime", ["x", null, -1]),
  ...each("answer.truncated", [0, "true", null]),
  ...each("answer.body", [1, null, "*", {}]),
  ...each("answer.more", [1]),
  ...each("fault.kind", ["constructor", "", null, "dns"]),
  ...each("fault.since", ["x", null, {}]),
  ...each("fault.tries", [0, -1, 1.5, "1", null]),
  ...each("fault.nextTry", ["x", null]),
  ...each("more", [1]),
  "a prototype": (row) => JSON.stringify(row).replace("{", '{"__proto__":{"answer":1},'),
  "a prototype of the answer": (row) => row.answer && JSON.stringify(row).replace('"answer":{', '"answer":{"__proto__":{},'),
  "a constructor": (row) => JSON.stringify(row).replace("{", '{"constructor":1,'),
  "a list": (row) => [row],
};

test("a store keeps what a client knows for others", async () => {
  const texts = new Map();
  const store = { get: async (key) => texts.get(key), set: async (key, value) => void texts.set(key, value) };
  const body = new Uint8Array([...Buffer.from(file), 0xff, 0]);
  const first = setUp(() => new Response(body), { store });
  await first.client.site(url);
  const answered = texts.get("https://shop.example");
  const second = setUp(() => new Error("unreachable"), { store });
  let answer = await second.client.check(url);
  assert.deepEqual([answer.verdict, answer.site.source, answer.site.body], ["disallowed", "store", "text"]);
  second.seen.time += 2 * day;
  answer = await second.client.check(url);
  assert.deepEqual([answer.site.source, second.seen.requests.length], ["assumed", 1]);
  const third = setUp(() => new Response(file), { store });
  third.seen.time = second.seen.time;
  assert.equal((await third.client.site(url)).reason, "network"); // the wait after a fault is shared
  const failed = texts.get("https://shop.example");
  const older = texts.get("https://shop.example").replace("robotstxt 2", "robotstxt 1");
  for (const text of ["", "garbage", "robotstxt 2 {", 'robotstxt 2 {"checkedAt":1}', 'robotstxt 2 {"checkedAt":1,"answer":{"of":"x"}}', "robotstxt 2 null", older]) {
    const other = setUp(() => new Response(file), { store: { get: () => text, set: () => { throw new Error("full"); } } });
    assert.equal((await other.client.site(url)).source, "network", text);
  }
  for (const [name, spoil] of Object.entries(spoilers)) {
    for (const kept of [answered, failed]) {
      const text = JSON.parse(kept.slice(12));
      const spoiled = spoil(text);
      if (spoiled === undefined) continue;
      const other = setUp(() => new Response("User-agent: *\nDisallow: /other"), { store: { get: () => `robotstxt 2 ${typeof spoiled === "string" ? spoiled : JSON.stringify(spoiled)}`, set: () => {} } });
      const found = await other.client.check(url);
      assert.deepEqual([found.verdict, found.site.source], ["allowed", "network"], name);
    }
  }
  const slow = setUp(() => new Response(file), { store: { get: () => new Promise(() => {}), set: () => new Promise(() => {}) }, storeTimeout: 5 });
  assert.equal((await slow.client.site(url)).source, "network");
});

test("limits: bytes, memory, time", async () => {
  const { client } = setUp(() => new Response(`${"#".repeat(511_980)}\n${file}Disallow: /`));
  const site = await client.site(url);
  assert.deepEqual([site.truncated, site.robots.rules("x").allowed("/")], [true, true]);
  const small = setUp(() => new Response(file), { maxMemory: 5000 });
  for (let i = 0; i < 10; i++) await small.client.site(`https://h${i}.example/`);
  await small.client.site("https://h9.example/");
  await small.client.site("https://h0.example/");
  assert.equal(small.seen.requests.length, 11);
  const silent = setUp((_, n) => new Promise(() => {}), { firstByteTimeout: 5, fetch: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))) });
  assert.deepEqual((await silent.client.site(url)).fault.kind, "timeout");
});

test("no wait for a site outlasts the timeout, whatever heeds no signal", { timeout: 60_000 }, async () => {
  const never = new Promise(() => {});
  const redirect = (cancel) => ({ status: 302, headers: new Headers({ location: "/next.txt" }), body: { cancel } });
  const read = (steps, headers) => {
    let step = 0;
    const reader = { read: () => steps[step++]?.() ?? never, cancel: () => never };
    return { status: 200, headers: new Headers(headers), body: { getReader: () => reader } };
  };
  const chunk = async () => ({ done: false, value: Buffer.from(file) });
  const end = async () => ({ done: true });
  const late = "disallowed assumed timeout";
  const cases = [
    ["fetch", () => never, late],
    ["a reader", () => read([]), late],
    ["a reader after some bytes", () => read([chunk]), late],
    ["a reader of a body that is too long", () => read([async () => ({ done: false, value: new Uint8Array(600_000) })]), "allowed network "],
    ["the cancel of a reader", () => read([chunk, end]), "disallowed network "],
    ["the cancel of a redirect", (_, n) => (n === 1 ? redirect(() => never) : new Response(file)), "disallowed network "],
    ["a cancel that fails", (_, n) => (n === 1 ? redirect(async () => { throw new Error("no"); }) : new Response(file)), "disallowed network "],
    ["fetch after a redirect", (_, n) => (n === 1 ? redirect(async () => {}) : never), late],
    ["a reader of an error page", () => ({ ...read([]), status: 500 }), "disallowed assumed status", { notFoundPage: () => true }],
    ["a reader that fails", () => read([async () => { throw new Error("no"); }]), "disallowed assumed network"],
  ];
  for (const [name, answer, want, options] of cases) {
    for (const limit of [{ timeout: 60, firstByteTimeout: 50 }, { timeout: 40 }]) {
      const { client } = setUp(answer, { ...limit, ...options });
      const [first, second] = await Promise.all([client.check(url), client.check(url)]);
      const { verdict, allowed, site } = first;
      assert.equal(`${allowed ? "allowed" : "disallowed"} ${site.source} ${site.fault?.kind ?? ""}`, want, name);
      assert.deepEqual(second.verdict, verdict, name);
      assert.equal((await client.check(url)).verdict, verdict, name); // and a later call
    }
  }
});

test("what arrives after the timeout changes no answer, and is followed by no request", { timeout: 60_000 }, async () => {
  let respond;
  const { seen, client } = setUp(() => new Promise((resolve) => (respond = resolve)), { timeout: 30 });
  const { site } = await client.check(url);
  assert.deepEqual([site.fault.kind, site.status, site.hops], ["timeout", 0, []]);
  respond(new Response(null, { status: 302, headers: { location: "/next.txt" } }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(seen.requests.length, 1);
  const again = await client.site(url);
  assert.deepEqual([again.fault.kind, again.status, again.hops, again.url], ["timeout", 0, [], "https://shop.example/robots.txt"]);
});

test("a body that is called gzip and is plain text, in two segments, from a real server", { timeout: 60_000 }, async () => {
  const sockets = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${file.length}\r\n\r\n`);
      setTimeout(() => socket.write(file), 20);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const client = new RobotsClient({ userAgent, timeout: 500 });
    const at = `http://127.0.0.1:${server.address().port}/private`;
    for (const answer of await Promise.all([client.check(at), client.check(at)])) {
      assert.equal(answer.verdict, "unknown");
      assert.match(answer.site.fault.kind, /timeout|network/);
    }
    assert.equal((await client.check(at)).verdict, "unknown");
  } finally {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  }
});

test("settings and URLs that are wrong", async () => {
  for (const [field, options] of Object.entries({
    userAgent: { userAgent: "" }, policy: { policy: "x" }, timeout: { timeout: 0 }, maxBody: { maxBody: 1 }, maxRedirects: { maxRedirects: 4 }, dialect: { dialect: "x" },
    agent: { agent: '"Sogou web spider"' },
  })) {
    assert.throws(() => new RobotsClient({ userAgent, ...options }), (error) => error instanceof RobotsError && error.field === field, field);
  }
  const { client } = setUp(() => new Response(file));
  for (const wrong of ["/private", "shop.example", "ftp://shop.example/", "mailto:a@b", "http://"]) {
    await assert.rejects(client.allowed(wrong), (error) => error instanceof RobotsError && error.field === "url", wrong);
  }
});

test("hints about the header", () => {
  const hintsOf = (options) => {
    const hints = [];
    new RobotsClient({ ...options, warn: (hint) => hints.push(hint.replace(/:.*/, "")) });
    return hints;
  };
  const contact = "userAgent contains no contact";
  const token = "userAgent contains no token of agent";
  assert.deepEqual(hintsOf({ userAgent: "FooBot/1.0 (+https://foobot.example)" }), []);
  assert.deepEqual(hintsOf({ userAgent: "FooBot/1.0 foobot@foobot.example", agent: "foobot" }), []);
  assert.deepEqual(hintsOf({ userAgent: "FooBot/1.0" }), [contact]);
  assert.deepEqual(hintsOf({ userAgent: "FooBot/1.0 (+https://x.example)", agent: "BarBot:foobot" }), []);
  assert.deepEqual(hintsOf({ userAgent: "Mozilla/5.0 (X11) Firefox/128.0", agent: "FooBot" }), [contact, token]);
});

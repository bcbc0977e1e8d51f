// What an instance does with wrong calls, hostile input, released objects and too little
// memory.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { load, RobotsError } from "@kosterhq/robotstxt";

const engine = await load();
const file = "User-agent: *\nDisallow: /cart\nCrawl-delay: 1.5\nSitemap: /a\nHost: shop.example";

/** The error of a function. */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof RobotsError, `${error}`);
    return error;
  }
  assert.fail("there is no error");
}

test("load returns one instance", async () => assert.equal(await load(), engine));

test("errors have a code, a hint and a field", () => {
  const wrong = errorOf(() => engine.check({ body: file, urls: ["/"], agents: ["a,"] }));
  assert.deepEqual([wrong.code, wrong.field, wrong.hint.length > 0, wrong.name], ["invalid-field", "agents", true, "RobotsError"]);
  assert.equal(errorOf(() => engine.check({ body: file, url: ["/"] })).code, "malformed-request");
  assert.equal(errorOf(() => engine.call("nothing", {})).code, "unknown-call");
  assert.equal(errorOf(() => engine.parse(file, { dialect: "bing" })).field, "dialect");
  assert.equal(errorOf(() => engine.parse(file).rules("a,b")).field, "agent");
});

test("values that are no text are errors, never verdicts", () => {
  const rules = engine.parse(file).rules("Foo");
  const url = new URL("https://shop.example/cart");
  assert.equal(errorOf(() => rules.allowed(url)).hint, "use its href");
  for (const [field, call] of [
    ["url", () => rules.verdict(undefined)],
    ["urls", () => rules.verdicts("/cart")],
    ["urls/1", () => rules.codes(["/cart", url])],
    ["agent", () => engine.parse(file).rules()],
    ["body", () => engine.parse(42)],
    ["body", () => engine.parse(null)],
    ["urls", () => engine.check()],
  ]) {
    const wrong = errorOf(call);
    assert.deepEqual([wrong.code, wrong.field], ["invalid-field", field]);
  }
  assert.equal(rules.allowed(url.href), false);
});

test("a file and its rules", () => {
  const robots = engine.parse(file, { limit: 30 });
  assert.deepEqual([robots.truncated, robots.sitemaps], [true, []]);
  const whole = engine.parse(new TextEncoder().encode(file));
  assert.deepEqual([whole.truncated, whole.sitemaps, whole.hosts], [false, ["/a"], ["shop.example"]]);
  const rules = whole.rules("Foo");
  assert.equal(rules.crawlDelay, 1.5);
  assert.equal(engine.parse("").rules("Foo").crawlDelay, undefined);
  assert.deepEqual(rules.verdicts([]), []);
  assert.deepEqual(rules.verdicts(["/cart", "/a\n/cart", ""]).map((v) => v.line), [2, 0, 0]);
  assert.deepEqual([...rules.codes(["/cart", "/x"])], [4, 1]);
});

test("what was freed is an error, and freeing twice is none", () => {
  const robots = engine.parse(file);
  const rules = robots.rules("Foo");
  robots.free();
  robots.free();
  assert.equal(rules.allowed("/cart"), false);
  assert.equal(errorOf(() => robots.rules("Foo")).field, "handle");
  rules.free();
  rules.free();
  for (const call of [() => rules.allowed("/"), () => rules.codes(["/"])]) {
    assert.equal(errorOf(call).field, "handle");
  }
});

test("texts of JavaScript that are not Unicode, and long ones", () => {
  const rules = engine.parse("User-agent: *\nDisallow: /x\ud800\nDisallow: /long").rules("Foo");
  assert.equal(rules.allowed("/x\ud800y"), false);
  assert.equal(rules.allowed(`/long${"é".repeat(1 << 20)}`), false);
  assert.equal(rules.allowed("/short"), true);
  assert.equal(rules.allowed(`${"/".repeat(127)}é`), true);
});

test("memory is reused", () => {
  const body = `User-agent: *\n${Array.from({ length: 20_000 }, (_, i) => `Disallow: /${i}`).join("\n")}`;
  const round = () => {
    for (let i = 0; i < 20; i++) {
      const robots = engine.parse(body, { limit: -1 });
      const rules = robots.rules("Foo");
      assert.equal(rules.allowed("/77"), false);
      rules.free();
      robots.free();
    }
  };
  // Go's heap grows in steps of up to 23 MB until its collector keeps up, later on a busy machine.
  // The texts of ten rounds are 66 MB: if they were kept, ten rounds would never pass without a step.
  let unchanged = 0;
  for (let size = 0, i = 0; i < 200 && unchanged < 10; i++) {
    round();
    unchanged = engine.memorySize > size ? 0 : unchanged + 1;
    size = engine.memorySize;
  }
  assert.equal(unchanged, 10, `${engine.memorySize} bytes, and growing`);
});

test("an input that is too large", () => {
  assert.equal(errorOf(() => engine.parse(new Uint8Array(300 << 20), { limit: -1 })).code, "limit-exceeded");
  assert.equal(engine.parse(file).rules("Foo").allowed("/cart"), false); // the instance goes on
});

test("hostile files", () => {
  const star = `User-agent: *\nDisallow: /${"*a".repeat(8000)}b`;
  assert.equal(engine.parse(star).rules("Foo").allowed(`/${"a".repeat(60_000)}`), true);
  const diff = engine.diff({ before: star, after: `${star}\nDisallow: /${"a*".repeat(4000)}c`, budget: 10_000 });
  assert.equal(diff.equal, false);
  assert.equal(engine.parse("<".repeat(500_000)).rules("Foo").allowed("/"), true);
  assert.equal(engine.parse("\0\r\n:".repeat(100_000)).rules("Foo").allowed("/"), true);
});

// The runtime of the module ends if it gets no more memory. Node limits it here to 64 MiB.
test("an instance that has ended is replaced", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--wasm-max-mem-pages=1024", new URL("outofmemory.mjs", import.meta.url).pathname], { encoding: "utf8" });
  assert.equal(stdout, "out-of-memory instance-lost instance-lost false\n", stderr);
});

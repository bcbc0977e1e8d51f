// The JSON of the package is valid by the schema of the tool, and equal to what the tool
// prints. ROBOTS is the tool, which .ci/npm builds.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { load } from "@kosterhq/robotstxt";
import { load as loadLinter } from "@kosterhq/robotstxt/lint";
import { Ajv2020 } from "ajv/dist/2020.js";

const tool = process.env.ROBOTS;
assert.ok(tool, "set ROBOTS to the tool: go build -o /tmp/robots ./cmd/robots");

const schema = JSON.parse(readFileSync(new URL("../../cmd/internal/inout/wire/schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ allErrors: true, validateFormats: false, strict: false });
ajv.addSchema(schema, "robots");

function validate(name, value) {
  assert.ok(ajv.validate(`robots#/$defs/${name}`, value), `${name}: ${ajv.errorsText()}\n${JSON.stringify(value).slice(0, 500)}`);
}

const engine = await load();
const linter = await loadLinter();

const folder = mkdtempSync(join(tmpdir(), "robots-npm-"));
after(() => rmSync(folder, { recursive: true }));

/** What the tool prints, an object a line, without the names of files. */
function robots(...args) {
  const { stdout, stderr, error } = spawnSync(tool, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) {
    throw error;
  }
  assert.ok(stdout, `${args}: ${stderr}`);
  return stdout.trimEnd().split("\n").map((line) => {
    const { robots_file, ...object } = JSON.parse(line);
    return object;
  });
}

const shop = readFileSync(new URL("../../cmd/robots/testdata/shop.robots.txt", import.meta.url));
const files = {
  shop,
  empty: Buffer.from(""),
  html: Buffer.from("<!doctype html>\n<title>404</title>"),
  bytes: Buffer.from("User-agent: *\r\nDisallow: /caf\xe9\xff\r\nAllow: /\x00x\r\n\r\nUser-agent: GPTBot\r\nDisalow: /ü\r\nSitemap: \xff", "latin1"),
  edited: Buffer.from(shop.toString().replace("Disallow: /", "Disallow: /x")),
};
const agents = ["Googlebot-Image", "GPTBot", "Googlebot-News:Googlebot", "AdsBot-Google", "Foo", "*"];
const urls = ["/", "/cart", "https://shop.example/teas?sort=price", "/café", "/a b\"<>", "/preview/", "https://münchen.example/ü", "/robots.txt"];
for (const [name, body] of Object.entries(files)) {
  writeFileSync(join(folder, name), body);
}

for (const [name, content] of Object.entries(files)) {
  const body = { body_base64: content.toString("base64") };

  for (const dialect of ["google", "rfc9309", "koster1996"]) {
    test(`check and explain: ${name}, ${dialect}`, () => {
      const result = engine.check({ ...body, agents, urls, dialect });
      validate("Answers", result);
      assert.deepEqual(result.answers, robots("check", "--file", name, "--dialect", dialect, "--json", ...agents.flatMap((a) => ["--agent", a]), ...urls));
      const explained = agents.flatMap((agent) => urls.map((url) => engine.explain({ ...body, agents: [agent], urls: [url], dialect })));
      const printed = agents.flatMap((agent) => robots("explain", "--file", name, "--dialect", dialect, "--json", "--agent", agent, ...urls));
      for (const [i, value] of explained.entries()) {
        validate("Explanation", value);
        const { governed_by, ...alone } = printed[i]; // the package is asked about one URL, so no other site has a URL
        assert.deepEqual(value, alone);
      }
      assert.deepEqual(linter.check({ ...body, agents, urls, dialect }), result);
    });
  }

  test(`the fast path: ${name}`, () => {
    for (const answer of engine.check({ ...body, agents, urls }).answers) {
      const rules = engine.parse(content).rules(answer.agent);
      assert.deepEqual(rules.verdict(answer.url), { allowed: answer.allowed, line: answer.line }, `${answer.agent} ${answer.url}`);
    }
  });

  test(`lint, ai and outline: ${name}`, () => {
    const found = linter.lint({ ...body, file: name });
    validate("Findings", found);
    assert.deepEqual(found, robots("lint", "--no-config", "--format", "json", name)[0]);
    const view = linter.ai({ ...body, name });
    validate("AIView", view);
    assert.deepEqual(view, robots("ai", "--json", name)[0]);
    validate("FileOutline", engine.outline(body));
    for (const [call, type] of [["diagnostics", "Diagnostics"], ["tokens", "Tokens"], ["symbols", "Symbols"]]) {
      validate(type, linter.call(call, body));
    }
    for (const call of ["hover", "complete"]) {
      validate({ hover: "Hover", complete: "Completions" }[call], linter.call(call, { ...body, line: 1, character: 4 }));
    }
  });

  test(`fixes and layout: ${name}`, () => {
    const fixed = linter.lint({ ...body, file: name, fix: "plain" });
    validate("Findings", fixed);
    const formatted = linter.format(body);
    validate("Formatted", formatted);
    for (const [result, args] of [[fixed, ["lint", "--no-config", "--fix", "-"]], [formatted, ["fmt", "--no-config", "-"]]]) {
      const { stdout } = spawnSync(tool, args, { cwd: folder, input: content });
      const raw = result.raw?.["/body"];
      assert.deepEqual(raw ? Buffer.from(raw, "base64") : Buffer.from(result.body), stdout, args.join(" "));
    }
  });

  test(`intentions: ${name}`, { skip: ["html", "bytes"].includes(name) && "such files are refused" }, () => {
    const generated = linter.generate({ ...body, no: ["ai-training", "ai-fetch=/members/"], yes: ["search"], signals: ["content-usage"] });
    validate("Generated", generated);
    const flags = ["--no", "ai-training", "--no", "ai-fetch=/members/", "--yes", "search", "--signals", "content-usage"];
    const { stdout } = spawnSync(tool, ["generate", ...flags, "--json", "--into", "-"], { cwd: folder, encoding: "utf8", input: content });
    assert.deepEqual(generated, JSON.parse(stdout));
  });

  test(`diff: shop and ${name}`, () => {
    const request = { before_base64: shop.toString("base64"), after_base64: content.toString("base64") };
    const list = join(folder, "urls");
    writeFileSync(list, urls.join("\n"));
    const narrowed = [...agents.flatMap((agent) => ["--agent", agent]), "--urls", list];
    for (const [more, flags] of [[{}, []], [{ agents, urls }, narrowed]]) {
      const result = engine.diff({ ...request, ...more });
      validate("Comparison", result);
      const [printed] = robots("diff", "--json", ...flags, "shop", name);
      assert.deepEqual({ ...result, old: "", new: "" }, { ...printed, old: "", new: "" });
    }
  });
}

const cases = (name) => readFileSync(new URL(`../../permission/testdata/use/${name}.jsonl`, import.meta.url), "utf8").trim().split("\n").map(JSON.parse);

/** A case as a request, and as flags of the tool. */
function permitted({ file, url = "https://shop.example/", headers = [], html = "", crawler, purpose }) {
  const metas = [...html.matchAll(/<meta name="(.*?)" content="(.*?)">/g)].map(({ 1: name, 2: content, index: offset }) => ({ name, content, offset, line: 1 }));
  const header = headers.map((line) => /^(.*?): (.*)$/.exec(line)).map(([, name, value]) => ({ name: name.toLowerCase(), value }));
  for (const [name, text] of Object.entries({ file, html, tdm: "[]" })) {
    writeFileSync(join(folder, name), text);
  }
  return {
    request: { body: file, url, crawlers: [crawler], purposes: [purpose], header, page: { metas }, tdmrep: "[]" },
    flags: [
      "--file", "file", "--crawler", crawler, "--purpose", purpose, "--html", "html", "--tdmrep", "tdm", ...headers.flatMap((line) => ["--response-header", line]),
      ...(headers.length === 0 ? ["--response-header", "Server: x"] : []), url,
    ],
  };
}

test("permit: the cases, as the tool answers them", () => {
  let count = 0;
  for (const c of cases("permit")) {
    const { request, flags } = permitted(c);
    const result = linter.permit(request);
    validate("Permit", result);
    const [{ verdict, kind, token, reasons }] = result.answers;
    const line = verdict === "unknown" ? undefined : reasons[0].place.line;
    assert.deepEqual({ verdict, kind, token, line }, { verdict: c.verdict, kind: c.kind, token: c.token, line: c.line }, c.id);
    if (count++ % 5 === 0) {
      const [printed] = robots("permit", "--json", ...flags);
      assert.deepEqual({ ...result, asked_at: "" }, { ...printed, asked_at: "" }, c.id);
    }
  }
  for (const c of cases("extent")) {
    const { extent, except, group } = linter.permit(permitted(c).request).answers[0];
    assert.deepEqual({ extent, lines: except.map(({ line }) => line), group }, { extent: c.extent, lines: c.except_lines, group: c.group }, c.id);
    count++;
  }
  console.log(`${count} checks`);
});

test("permit: a letter, a license, and known crawlers that differ", () => {
  const body = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /\nLicense: https://shop.example/l.xml\n";
  writeFileSync(join(folder, "letter"), body);
  const ask = { body, url: "https://shop.example/tea" };
  const { markdown } = linter.permit({ ...ask, operator: "openai", markdown: true });
  const { stdout } = spawnSync(tool, ["permit", "--format", "markdown", "--operator", "openai", "--file", "letter", ask.url], { cwd: folder, encoding: "utf8" });
  const dateless = (text) => text.replace(/^Asked on [^,]*, \d\d:\d\d UTC\. robots\.txt read\s+from\s+(?:a\s+text|\S+)\s+\(/m, "").replace(/\s+/g, " ");
  assert.match(markdown, /^# OpenAI and https:\/\/shop\.example\/tea\n/);
  assert.equal(dateless(markdown), dateless(stdout));

  const whole = linter.permit(ask);
  assert.deepEqual({ ...whole, asked_at: "" }, { ...robots("permit", "--json", "--file", "letter", ask.url)[0], asked_at: "" });
  assert.ok(whole.differing.some(({ crawler, verdict }) => crawler === "GPTBot" && verdict === "disallowed"));
  assert.ok(whole.answers[1].missing.includes("license https://shop.example/l.xml: not given"));
  const rsl = '<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">search</prohibits></license></content></rsl>';
  const [search] = linter.permit({ ...ask, purposes: ["search"], documents: { "https://shop.example/l.xml": rsl } }).answers;
  assert.deepEqual([search.verdict, search.kind, search.reasons[0].source], ["disallowed", "signal", "rsl"]);
  for (const [request, field] of [[{ body }, "url"], [{ url: "/" }, "body"], [{ ...ask, purposes: ["ai"] }, "purposes"], [{ ...ask, crawlers: ["OpenAI"] }, "crawlers"]]) {
    assert.throws(() => linter.permit(request), { field }, JSON.stringify(request));
  }
});

test("crawlers and resources", () => {
  const list = linter.crawlers();
  validate("CrawlerList", list);
  const printed = robots("crawlers", "--json").map(({ schema, ...crawler }) => crawler);
  assert.deepEqual(list.crawlers, printed);
  validate("Resources", linter.resources({ html: "<img src=a.png>", url: "https://shop.example/" }));
});

// Whatever robots-parser's calls and the client answer is the core's answer to the same question: about
// the files of the conformance kit, and real ones if ROBOTSTXT_CORPUS is a folder of them. 20,000
// questions, or as many as ROBOTSTXT_DROPINS says.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { RobotsClient } from "@kosterhq/robotstxt/client";
import { parse, RobotsError, tokenOf } from "@kosterhq/robotstxt/core";
import robotsParser from "@kosterhq/robotstxt/robots-parser";

import { checks } from "./vectors.mjs";

const most = Number(process.env.ROBOTSTXT_DROPINS || 20_000);
const site = "https://shop.example";

/** Returns the bodies, each once. */
function bodies() {
  const corpus = process.env.ROBOTSTXT_CORPUS;
  const real = corpus ? readdirSync(corpus).filter((name) => name.endsWith(".txt")).sort().map((name) => readFileSync(`${corpus}/${name}`)) : [];
  const kit = new Map([...checks()].map(({ body }) => [body.toString("latin1"), body]));
  return [...real, ...kit.values()];
}

/** Yields the questions of a file: URLs that its rules match and some that a browser changes, for crawlers that it names and others. */
function* questions(body, turn) {
  const text = body.toString("utf8");
  const values = (key) => [...text.matchAll(new RegExp(`^[ \\t]*${key}[ \\t]*:[ \\t]*([^#\\r\\n]*)`, "gim"))].map((match) => match[1].trim());
  const some = (list, most) => list.filter((_, i) => i % Math.ceil(list.length / most) === turn % Math.ceil(list.length / most));
  const named = some(values("user-agent"), 3);
  const agents = [...named, ...named.flatMap((name) => [`${name}/1.0`, `Mozilla/5.0 (compatible; ${name}/2.1; +https://x.example)`]).slice(turn % 2, 2),
    ["*", "GPTBot", "Googlebot-Image", "Lynx/2.8.9", "bot/1.0 (+https://me.example)", "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0", "Foo:Bar", "a, b", "", "Sogou web spider"][turn % 10]];
  const paths = some([...values("allow"), ...values("disallow")], 8).flatMap((pattern) => {
    const path = (/^[/*]/.test(pattern) ? pattern : `/${pattern}`).replace(/\$$/, "").replace(/^\*/, "/").replaceAll("*", "x");
    return [path, `${path}?`, `${path}/../`, `${path}x?a=/b#c`, path.replace(/%../g, (code) => code.toLowerCase())];
  });
  const odd = ["/", "", "/robots.txt", "/a/../b", "/%7Ejoe?", "/a b?", "/caf\u00e9", "//x", "/x?y?", "/\\a"].slice(turn % 5, (turn % 5) + 3);
  for (const path of [...paths, ...odd]) {
    for (const agent of agents) yield { agent, url: site + path };
  }
}

/** Returns what the core answers for a crawler: for the token in a header, for "*" if no line can name it. */
function rulesOf(robots, agent, options) {
  for (const name of [() => agent, () => tokenOf(agent), () => "*"]) {
    try {
      return robots.rules(name(), options);
    } catch (error) {
      assert(error instanceof RobotsError && /^(?:agent|userAgent)$/.test(error.field), error);
    }
  }
  throw new Error("unreachable");
}

/** Calls a function for each file with some of its questions, such that most are asked. */
async function ask(each) {
  let asked = 0;
  const files = bodies();
  const turns = files.map((_, i) => (i * 7919) % files.length); // in no order of names
  for (const [turn, at] of turns.entries()) {
    if (asked >= most) break;
    const of = [...questions(files[at], turn)];
    await each(files[at], of);
    asked += of.length;
  }
  assert(asked >= 20_000, `${asked} questions`);
  return asked;
}

test("robots-parser's calls answer like the core", async (t) => {
  const asked = await ask((body, of) => {
    const text = body.toString("utf8");
    const core = parse(text, { limit: -1 });
    const parser = robotsParser(`${site}/robots.txt`, text);
    for (const { agent, url } of of) {
      // A list or chain is one name, which no line can have.
      const isNotation = /[,:;"]/.test(agent) && !/\(|:\/\//.test(agent);
      const name = isNotation ? JSON.stringify(agent.split("/", 1)[0].trim()) : agent || "*";
      const rules = rulesOf(core, name, { exact: true });
      const { allowed, line } = rules.verdict(url);
      const place = `${JSON.stringify(text)}\n${agent} ${url}`;
      assert.deepEqual([parser.isAllowed(url, agent), parser.isDisallowed(url, agent), parser.getMatchingLineNumber(url, agent)], [allowed, !allowed, line || -1], place);
      assert.equal(parser.isExplicitlyDisallowed(url, agent), !allowed && rules.matchedBy === (/^\*?$/.test(agent) ? "star" : "name"), place);
      assert.equal(parser.getCrawlDelay(agent), rules.crawlDelay, place);
    }
    assert.deepEqual(parser.getSitemaps(), core.sitemaps);
  });
  t.diagnostic(`${asked} questions`);
});

test("the client answers like the core", async (t) => {
  const asked = await ask(async (body, of) => {
    const core = parse(body);
    const clients = new Map();
    for (const { agent, url } of of) {
      if (!clients.has(agent)) {
        let client;
        try {
          client = new RobotsClient({ userAgent: "FooBot/1.0 (+https://foo.example)", agent, fetch: async () => new Response(body) });
        } catch (error) {
          assert(error instanceof RobotsError, error);
          assert.throws(() => core.rules(agent), RobotsError, agent);
        }
        clients.set(agent, client);
      }
      const client = clients.get(agent);
      if (client === undefined) continue;
      const rules = core.rules(agent);
      const answer = await client.check(url);
      assert.deepEqual([answer.allowed, answer.line, answer.matchedBy, answer.site.truncated], [...Object.values(rules.verdict(url)), rules.matchedBy, core.truncated], `${body}\n${agent} ${url}`);
    }
  });
  t.diagnostic(`${asked} questions`);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { agentOf, purposesOf, searchCrawlers, splitAgents } from "../src/crawlersearch";
import { addURLs, withScheme } from "../src/urlsource";
import type { KnownCrawler } from "../src/wire";

function crawler(token: string, operator: string, purposes: string[], more: Partial<KnownCrawler> = {}): KnownCrawler {
  return { token, operator, purposes, aliases: [], obeys: "all", control: false, fallbacks: [], status: "active", replacements: [], verified: ["obeys"], ...more };
}

const known = [
  crawler("anthropic-ai", "Anthropic", ["ai-training"], { status: "retired" }),
  crawler("Bingbot", "Microsoft", ["search"]),
  crawler("ClaudeBot", "Anthropic", ["ai-training"], { aliases: ["Claude"] }),
  crawler("GPTBot", "OpenAI", ["ai-training"]),
  crawler("Googlebot", "Google", ["search"]),
  crawler("YandexBot", "Yandex", ["search", "feed"]),
];

test("the best names come first, retired ones last", () => {
  const tokens = (text: string, most = 9) => searchCrawlers(known, text, most).map((c) => c.token);
  assert.deepEqual(tokens(" BOT "), ["GPTBot", "Bingbot", "ClaudeBot", "Googlebot", "YandexBot"]);
  assert.deepEqual(tokens("gpt"), ["GPTBot"]);
  assert.deepEqual(tokens("anthropic"), ["ClaudeBot", "anthropic-ai"]);
  assert.deepEqual(tokens("claude"), ["ClaudeBot"]);
  assert.deepEqual(tokens("ai-tr"), ["GPTBot", "ClaudeBot", "anthropic-ai"]);
  assert.deepEqual(tokens("", 2), ["GPTBot", "Bingbot"]);
  const more = [crawler("Google-Test", "Google", ["other"], { verified: [] }), crawler("Googlebot-Image", "Google", ["search"]), ...known];
  assert.deepEqual(searchCrawlers(more, "goog", 9).map((c) => c.token), ["Googlebot", "Googlebot-Image", "Google-Test"]);
  assert.deepEqual(tokens("("), []);
});

test("purposes count the crawlers in use", () => {
  assert.deepEqual(purposesOf(known), [
    { purpose: "search", crawlers: 3 }, { purpose: "ai-training", crawlers: 2 }, { purpose: "feed", crawlers: 1 },
  ]);
});

test("typed crawlers are split at separators outside of quotes", () => {
  assert.deepEqual(splitAgents("Googlebot, GPTBot,,A:B\nC, Googlebot"), ["Googlebot", "GPTBot", "A:B", "C"]);
  assert.deepEqual(splitAgents('"Tea,Bot", "a\\",b":C'), ['"Tea,Bot"', '"a\\",b":C']);
  assert.deepEqual(splitAgents("Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/a,b)"), ["Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/a,b)"]);
  assert.deepEqual(splitAgents(' \n , "'), ['"']);
  assert.equal(agentOf("Googlebot"), "Googlebot");
  assert.equal(agentOf("Tea;Bot"), '"Tea;Bot"');
});

test("URLs are added once, up to the limit", () => {
  assert.deepEqual(addURLs(["/a"], ["/b", "/a", "/b", "/c", "/d"], 3), { urls: ["/a", "/b", "/c"], added: 2, repeated: 2, dropped: 1 });
});

test("a typed URL has a scheme", () => {
  assert.deepEqual([" shop.example/a ", "http://shop.example", "", " "].map((url) => withScheme(url)), ["https://shop.example/a", "http://shop.example", "", ""]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { answersCSV, expectations } from "../src/commands";
import { gridCSV, gridMarkdown } from "../src/sheet";
import { missingOf, rowRemark, siteOf, sitesOf, withSource } from "../src/sites";
import { type Before, initialState } from "../src/state";
import type { Answer, Fetched } from "../src/wire";

const contents = { text: "User-agent: *\n", lineEnd: "\n", encoding: "utf-8" } as const;
const fetched = (origin: string): Fetched => ({ schema: 1, site: { origin, robots_url: `${origin}/robots.txt` }, body: "x" }) as unknown as Fetched;
const source = (origin: string): Before => ({ ...contents, name: `${origin}/robots.txt`, site: fetched(origin).site });

test("a fetched file belongs to its site, a pasted or opened one to none", () => {
  assert.equal(siteOf({ source: source("https://a.example") }), "https://a.example");
  assert.equal(siteOf({ source: { ...contents, name: "https://a.example:8443/robots.txt" } }), "https://a.example:8443"); // of a link
  assert.equal(siteOf({ source: { ...contents, name: "robots.txt" } }), undefined);
  assert.equal(siteOf({ source: null }), undefined);
});

test("the files of other sites are sent with the one in the editor, and stay when another is fetched", () => {
  const state = { ...initialState, source: source("https://a.example"), sites: [fetched("https://a.example"), fetched("https://b.example")] };
  assert.deepEqual(sitesOf(state), { site: "https://a.example", files: [fetched("https://b.example")] });
  assert.deepEqual(sitesOf(initialState), {});
  assert.deepEqual(withSource(state, "https://b.example").map(({ site, body }) => [site.origin, body]), [["https://a.example", contents.text]]);
  assert.deepEqual(withSource(state, "https://a.example").map(({ site }) => site.origin), ["https://b.example"]);
});

const answer = (url: string, more: Partial<Answer>): Answer => ({ url, agent: "A", verdict: "allowed", line: 0, dialect: "google", reason: "no-match", ...more }) as Answer;
const own = answer("https://a.example/", {});
const unknown = answer("https://b.example/", { verdict: "unknown", reason: "other-site", governed_by: "https://b.example/robots.txt" });
const compared = answer("https://c.example/", { governed_by: "https://c.example/robots.txt" });
const other = answer("https://d.example/", { robots_url: "https://d.example/robots.txt", line: 2 });
const down = answer("https://e.example/", { verdict: "unknown", reason: "no-file", robots_url: "https://e.example/robots.txt", fetch_reason: "timeout" });
const list = [own, unknown, compared, other, down];

test("what is missing is counted by site", () => {
  assert.deepEqual([...missingOf(list, 1)], [["https://b.example", { urls: 1, known: true }], ["https://c.example", { urls: 1, known: false }]]);
});

test("each export has the notes about shared groups and a robots.txt that is fetched anyway", () => {
  const list = [answer("/robots.txt", { verdict: "disallowed", line: 4, joined_line: 3, fetched_anyway: true }), answer("/robots.txt", { agent: "B", verdict: "disallowed", line: 4, fetched_anyway: true })];
  const answers = { agents: ["A", "B"], urls: ["/robots.txt"], list, text: "", encoding: "utf-8", truncated: false } as const;
  const note = "the group of line 3 is for A too: no rule separates that line from the user-agent lines above it; crawlers fetch robots.txt itself anyway";
  assert.equal(gridCSV(answers).split("\r\n")[1], `/robots.txt,disallowed,disallowed,google,${note}`);
  assert.ok(gridMarkdown(answers).endsWith(`\n1 URL: ${note}\n`));
  assert.deepEqual(answersCSV(list).split("\r\n").map((row) => row.split(",").slice(-2)).slice(0, 3), [["joined_line", "fetched_anyway"], ["3", "true"], ["", "true"]]);
  const open = answer("https://e.example/", { reason: "no-file", robots_url: "https://e.example/robots.txt", status: 500, fetch_reason: 'HTTP status 500, with a "not found" page' });
  assert.equal(rowRemark([open]), 'https://e.example/robots.txt: HTTP status 500, with a "not found" page');
  assert.equal(rowRemark([{ ...open, verdict: "disallowed" }]), rowRemark([open]));
});

test("no export has the verdict of one site for a URL of another without saying so", () => {
  const answers = { agents: ["A"], urls: list.map(({ url }) => url), list, text: "", encoding: "utf-8", truncated: false } as const;
  assert.deepEqual(gridCSV(answers).split("\r\n").slice(1, 6), [
    "https://a.example/,allowed,google,",
    "https://b.example/,unknown,google,another site's file decides: https://b.example/robots.txt",
    "https://c.example/,allowed,google,https://c.example/robots.txt governs it",
    "https://d.example/,allowed,google,",
    "https://e.example/,unknown,google,https://e.example/robots.txt: timeout",
  ]);
  assert.match(gridMarkdown(answers), /\n\n1 URL: another site's file decides: https:\/\/b.example\/robots.txt\n1 URL: https:\/\/c.example\/robots.txt governs it\n1 URL: .*timeout\n$/);
  assert.equal(
    expectations(list, "robots.txt", "note", ""),
    "# note\nrobots: robots.txt\n\nagents: A\nallow: https://a.example/\n# https://c.example/robots.txt governs it:\nallow: https://c.example/\n",
  );
});

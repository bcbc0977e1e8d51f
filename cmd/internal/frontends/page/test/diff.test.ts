import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { agentList } from "../src/agentlist";
import { doubtsOf, summaryOf } from "../src/diff";
import type { Comparison } from "../src/wire";

const equal: Comparison = { agents: ["*"], equal: true, undecided: false, undecided_agents: [], complete: true, sizes: [], sites: [], changes: [], other: [], urls: 0, flips: [] };
const opens = { agents: ["GPTBot", "*"], effect: "opens" as const, old_line: 2, new_line: 0, witness: "/a" };

test("the summary says what is proved, and what is not", () => {
  assert.equal(summaryOf(equal), "No verdict changes for any crawler that is named or follows the group for *. This is proved for all URLs.");
  const part = (pattern: string, ...without: string[]) => ({ pattern, without });
  const sized = (agents: string[], effect: "opens" | "closes", ...patterns: string[]) => ({ agents, effect, size: "some" as const, patterns, but: [], partial: [] });
  const differs: Comparison = {
    ...equal, equal: false,
    changes: [opens],
    sizes: [sized(["GPTBot", "*"], "closes", "/b\u202e"), sized(["GPTBot", "*"], "opens"), sized(["A", "B", "C", "D"], "opens", "/1", "/2", "/3", "/4")],
  };
  assert.equal(summaryOf(differs), "Closes /b⟨U+202E⟩ for GPTBot and any crawler that follows the group for *. Opens paths such as /a for GPTBot and any crawler that follows the group for *. Opens /1, /2 and 2 more for A, B, C and 1 more.");
  const site = { agents: ["*"], effect: "closes" as const, size: "all" as const, but: [], partial: [], by: [], before: "open" as const, except: [], otherwise: "allowed" as const };
  const whole = { ...sized(["*"], "closes", "/"), size: "all" as const };
  assert.equal(summaryOf({ ...differs, sizes: [whole, sized(["*"], "opens", "/x", "/y", "/z")], sites: [site] }), "Closes the whole site for any crawler that follows the group for *; it was open. Opens /x, /y and /z for any crawler that follows the group for *.");
  const most = { ...site, size: "most" as const };
  assert.match(summaryOf({ ...differs, sites: [{ ...most, but: ["/help/", "/$"], partial: [part("/$")], before: "partly", except: [{ line: 2, pattern: "/cart", part: false }] }] }), /^Closes all but \/help\/ and \/\$ \(in part\) for any crawler that follows the group for \*; it was open except \/cart\. Closes .* “\(in part\)” means some of the URLs that match the pattern, perhaps not all\. “\$” at the end of a pattern means that the URL ends there/);
  assert.match(summaryOf({ ...differs, sites: [{ ...most, by: ["/a", "/b", "/c", "/d"], before: "undecided" }] }), /^Closes nearly the whole site for any crawler that follows the group for \*, by \/a, \/b and 2 more; it is undecided how much was open before\./);
  const hyphens = { ...sized(["*"], "opens", "/*-"), size: "most" as const };
  const opened = { ...most, effect: "opens" as const, by: ["/*-"], before: "closed" as const };
  assert.equal(summaryOf({ ...equal, equal: false, sizes: [hyphens], sites: [opened] }), "Opens /*- for any crawler that follows the group for *; it was closed.");
  assert.equal(summaryOf({ ...equal, equal: false, sizes: [{ ...sized(["A"], "closes", "/a", "/b"), partial: [part("/b")] }] }), "Closes /a and /b (in part) for A. “(in part)” means some of the URLs that match the pattern, perhaps not all.");
  assert.equal(summaryOf({ ...equal, equal: false, sizes: [{ ...sized(["A"], "closes", "/a", "/b"), partial: [part("/a", "/a/x", "/*?")] }] }), "Closes /a (except /a/x and /*?) and /b for A.");
  assert.equal(summaryOf({ ...equal, equal: false, sizes: [{ ...sized(["A"], "closes", "/"), but: ["/*/$", "/$"], partial: [part("/*/$", "/tmp/")] }] }), "Closes all but /*/$ (except /tmp/) and /$ for A. “$” at the end of a pattern means that the URL ends there.");
  const fewer = { ...most, but: ["/a"], before: "partly" as const, otherwise: "disallowed" as const, except: [{ line: 2, pattern: "/*-", part: false }, { line: 3, pattern: "/a", part: false }] };
  assert.equal(summaryOf({ ...equal, equal: false, sizes: [{ ...sized(["*"], "closes", "/*-"), size: "most" }], sites: [fewer] }), "Closes /*- for any crawler that follows the group for *; it was closed except /*- and /a.");
  const many = sized(["A"], "closes", "/1", "/2", "/3", "/4");
  assert.equal(summaryOf({ ...equal, equal: false, complete: false, sizes: [many] }), "Closes /1, /2 and at least 2 more for A.");
  assert.equal(summaryOf({ ...equal, equal: false, complete: false, sizes: [sized(["A"], "closes", "/1")] }), "Closes /1 and perhaps others for A.");
  const undecided: Comparison = { ...equal, equal: false, undecided: true, undecided_agents: ["*", "A"], complete: false };
  assert.equal(summaryOf(undecided), "Undecided for 2 crawlers.");
  assert.match(summaryOf({ ...undecided, changes: [opens], sizes: [sized(["GPTBot"], "opens", "/a")] }), /^Opens .*\. Undecided for 2 crawlers\.$/);
  assert.doesNotMatch(summaryOf({ ...equal, equal: false, complete: false }), /proved|^$/);
});

test("the summary has the words of the tool", () => {
  const said = JSON.parse(readFileSync("../../many/watch/testdata/comparisons.json", "utf8")) as { comparison: Comparison; words: string[] }[];
  assert.ok(said.length >= 30);
  for (const { comparison, words } of said) {
    const summary = summaryOf(comparison).toLowerCase();
    for (const part of words) {
      assert.ok(summary.includes(part.replace(/ that begin with .*/, "").toLowerCase()), `${part} is not in ${summary}`);
    }
  }
});

test("crawlers that no line can name are unknown, and not undecided", () => {
  const unread: Comparison = { ...equal, equal: false, undecided: true, undecided_agents: ["Sogou web spider"], unread_agents: ["Sogou web spider"] };
  assert.deepEqual(doubtsOf(unread), ["Unknown for Sogou web spider: no user-agent line can name a crawler with this token."]);
  assert.deepEqual(doubtsOf({ ...unread, undecided_agents: ["Sogou web spider", "A"], tried: "steps" }).at(-1), "Undecided, neither equal nor different, for A (steps).");
  assert.equal(doubtsOf(equal).length, 0);
  assert.equal(doubtsOf({ ...equal, complete: false }).length, 1);
});

test("lists of crawlers are short", () => {
  assert.equal(agentList(["A", "*", "B"], 2), "A, any crawler that follows the group for * and 1 more");
  assert.equal(agentList(["A", "B", "C"], 3), "A, B and C");
  assert.equal(agentList(["A", "B", "C"], 2, 96), "A, B and 97 more");
  assert.equal(agentList(["A"], 2), "A");
  assert.equal(agentList([], 2), "");
});

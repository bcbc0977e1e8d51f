import assert from "node:assert/strict";
import { test } from "node:test";

import { agentList } from "../src/agentlist";
import { doubtsOf, summaryOf } from "../src/diff";
import type { Comparison } from "../src/wire";

const equal: Comparison = { agents: ["*"], equal: true, undecided: false, undecided_agents: [], complete: true, sites: [], changes: [], other: [], urls: 0, flips: [] };
const opens = { agents: ["GPTBot", "*"], effect: "opens" as const, old_line: 2, new_line: 0, witness: "/a" };

test("the summary says what is proved, and what is not", () => {
  assert.equal(summaryOf(equal), "No verdict changes for any crawler. This is proved for all URLs.");
  const differs: Comparison = {
    ...equal, equal: false,
    changes: [opens, { ...opens, effect: "closes", witness: "/b\u202e" }, { ...opens, agents: ["A", "B", "C", "GPTBot"] }],
  };
  assert.equal(summaryOf(differs), "Opens paths for GPTBot, any crawler not named in the file, A and 2 more, such as /a. And 1 more pair of lines. Closes paths for GPTBot and any crawler not named in the file, such as /b⟨U+202E⟩.");
  const site = { agents: ["*"], effect: "closes" as const, whole: true, but: [], before: "open" as const, except: [], otherwise: "allowed" as const };
  assert.equal(summaryOf({ ...differs, sites: [site] }), "Closes the whole site for any crawler not named in the file; it was open. Opens paths for GPTBot, any crawler not named in the file, A and 2 more, such as /a. And 1 more pair of lines. Closes paths for GPTBot, such as /b⟨U+202E⟩.");
  assert.match(summaryOf({ ...differs, sites: [{ ...site, whole: false, but: ["/help/"] }] }), /^Closes all but \/help\/ for any crawler not named in the file; it was open\./);
  const undecided: Comparison = { ...equal, equal: false, undecided: true, undecided_agents: ["*", "A"], complete: false };
  assert.equal(summaryOf(undecided), "Undecided for 2 crawlers.");
  assert.match(summaryOf({ ...undecided, changes: [opens] }), /^Opens .*\. Undecided for 2 crawlers\.$/);
  assert.doesNotMatch(summaryOf({ ...equal, equal: false, complete: false }), /proved|^$/);
});

test("crawlers that no line can name are unknown, and not undecided", () => {
  const unread: Comparison = { ...equal, equal: false, undecided: true, undecided_agents: ["Sogou web spider"], unread_agents: ["Sogou web spider"] };
  assert.deepEqual(doubtsOf(unread), ["Unknown for Sogou web spider: no user-agent line can name a crawler with this token."]);
  assert.deepEqual(doubtsOf({ ...unread, undecided_agents: ["Sogou web spider", "A"], tried: "steps" }).at(-1), "Undecided, neither equal nor different, for A (steps).");
  assert.equal(doubtsOf(equal).length, 0);
  assert.equal(doubtsOf({ ...equal, complete: false }).length, 1);
});

test("lists of crawlers are short", () => {
  assert.equal(agentList(["A", "*", "B"], 2), "A, any crawler not named in the file and 1 more");
  assert.equal(agentList(["A", "B", "C"], 3), "A, B and C");
  assert.equal(agentList(["A"], 2), "A");
  assert.equal(agentList([], 2), "");
});

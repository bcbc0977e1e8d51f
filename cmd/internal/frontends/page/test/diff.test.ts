import assert from "node:assert/strict";
import { test } from "node:test";

import { agentList } from "../src/agentlist";
import { doubtsOf, summaryOf } from "../src/diff";
import type { Comparison } from "../src/wire";

const equal: Comparison = { agents: ["*"], equal: true, undecided: false, undecided_agents: [], complete: true, sizes: [], sites: [], changes: [], other: [], urls: 0, flips: [] };

test("the summary says what is proved, and what is not", () => {
  assert.equal(summaryOf(equal), "No verdict changes for any crawler that is named or follows the group for *. This is proved for all URLs.");
  const differs: Comparison = { ...equal, equal: false, sentences: ["Closes /b\u202e for A.", "Opens /c for B."] };
  assert.equal(summaryOf(differs), "Closes /b⟨U+202E⟩ for A.\nOpens /c for B.");
  const undecided: Comparison = { ...equal, equal: false, undecided: true, undecided_agents: ["*", "A"], complete: false };
  assert.equal(summaryOf(undecided), "Undecided for 2 crawlers.");
  assert.equal(summaryOf({ ...undecided, sentences: ["Opens /a for A."] }), "Opens /a for A.\nUndecided for 2 crawlers.");
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
  assert.equal(agentList(["A", "*", "B"], 2), "A, any crawler that follows the group for * and 1 more");
  assert.equal(agentList(["A", "B", "C"], 3), "A, B and C");
  assert.equal(agentList(["A", "B", "C"], 2, 96), "A, B and 97 more");
  assert.equal(agentList(["A"], 2), "A");
  assert.equal(agentList([], 2), "");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { byPurpose } from "../src/ai";
import type { AIView } from "../src/wire";

test("the crawlers of several groups have one order", () => {
  const row = (agents: string[]): AIView["purposes"][number] => ({ purpose: "x", agents }) as AIView["purposes"][number];
  const ranks = new Map([["GPTBot", 1], ["CCBot", 2], ["aiHitBot", 9], ["AI2Bot", 9]]);
  assert.deepEqual([...byPurpose([row(["CCBot", "aiHitBot", "Other"]), row(["GPTBot", "AI2Bot"])], ranks).values()], [["GPTBot", "CCBot", "AI2Bot", "aiHitBot", "Other"]]);
});

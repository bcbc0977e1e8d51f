import assert from "node:assert/strict";
import { test } from "node:test";

import { countsOf, everything, rowAt, rowsOf, sectionsOf, topsOf } from "../src/gridrows";
import type { Answers } from "../src/state";
import type { Answer, Verdict } from "../src/wire";

const answer = (verdict: Verdict, line: number): Answer => ({ verdict, line }) as Answer;

const answers: Answers = {
  agents: ["A", "B"],
  urls: ["/b", "/A", "/c", "/d"],
  list: [
    answer("allowed", 0), answer("allowed", 0),
    answer("disallowed", 7), answer("allowed", 3),
    answer("disallowed", 3), answer("disallowed", 3),
    answer("unknown", 0), answer("unknown", 0),
  ],
  text: "", encoding: "utf-8", robots: "https://a.example/robots.txt", truncated: false,
};

test("answers are counted, and URLs by kind and by the lines that decide", () => {
  assert.deepEqual(countsOf(answers), {
    verdicts: { allowed: 3, disallowed: 3, unknown: 2 },
    kinds: { all: 4, disallowed: 2, differs: 1, unknown: 1 },
    lines: new Map([["", new Map([[0, 2]])], ["https://a.example/robots.txt", new Map([[7, 1], [3, 2]])]]),
    agents: [2, 1],
  });
});

test("a filter shows the URLs that its count says, in its order", () => {
  for (const [filter, want] of [
    [{}, [0, 1, 2, 3]],
    [{ kind: "disallowed" }, [1, 2]],
    [{ kind: "differs" }, [1]],
    [{ kind: "unknown" }, [3]],
    [{ line: { robots: answers.robots, line: 3 } }, [1, 2]],
    [{ line: { robots: "https://b.example/robots.txt", line: 3 } }, []],
    [{ line: { robots: "", line: 0 } }, [0, 3]],
    [{ line: { robots: answers.robots, line: 3 }, kind: "differs" }, [1]],
    [{ text: "/a" }, [1]],
    [{ text: "/C" }, [2]],
    [{ order: "url" }, [1, 0, 2, 3]],
    [{ order: "disallowed" }, [2, 1, 0, 3]],
    [{ order: "line" }, [1, 2, 0, 3]],
  ] as const) {
    assert.deepEqual(rowsOf(answers, { ...everything, ...filter }), want, JSON.stringify(filter));
  }
});

test("URLs are in sections by scheme and host, unless most hosts have one URL", () => {
  const [a, b] = ["https://a.example", "https://b.example"];
  assert.deepEqual(sectionsOf([`${a}/`, `${a}/x?y`]), [a, a]);
  assert.deepEqual(sectionsOf([`${a}/x`]), [a]);
  assert.deepEqual(sectionsOf([`${a}/`, `${b}/`, "/x", `${a}/2`, `${b}/2`, "/y"]), [a, b, "", a, b, ""]);
  for (const urls of [[`${a}/`, `${b}/`], [`${a}/`, "/x"], ["/", "/x"], [a, `${a}/x`]]) {
    assert.deepEqual(sectionsOf(urls), urls.map(() => ""));
  }
  assert.deepEqual(rowsOf(answers, everything, [a, b, a, b]), [0, 2, 1, 3]);
  assert.deepEqual(rowsOf(answers, { ...everything, order: "disallowed" }, [a, b, a, b]), [2, 0, 1, 3]);
});

test("rows of different heights are found by their place", () => {
  const tops = topsOf([10, 30, 10]);
  assert.deepEqual(tops, [0, 10, 40, 50]);
  assert.deepEqual([-5, 0, 9, 10, 39, 40, 49, 50, 99].map((y) => rowAt(tops, y)), [0, 0, 0, 1, 1, 2, 2, 2, 2]);
  assert.equal(rowAt([0], 5), 0);
});

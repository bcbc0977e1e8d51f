import assert from "node:assert/strict";
import { test } from "node:test";

import { readLines, written } from "../src/files";

test("line ends are kept when a file is saved", () => {
  for (const [text, lineEnd] of [
    ["a\nb\n", "\n"],
    ["a\r\nb\r\n", "\r\n"],
    ["a\rb\r", "\r"],
    ["", "\n"],
    ["a", "\n"],
  ] as const) {
    const read = readLines(text);
    assert.equal(read.lineEnd, lineEnd);
    assert.ok(!read.text.includes("\r"));
    assert.equal(written(read), text);
  }
});

test("of several kinds of line ends, the most frequent one is used", () => {
  assert.deepEqual(readLines("a\r\nb\r\nc\nd\re"), { text: "a\nb\nc\nd\ne", lineEnd: "\r\n" });
  assert.equal(readLines("a\nb\nc\r\n").lineEnd, "\n");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { bodyOf, bytesOfResult, type Contents, countWrongBytes, decode, encode, encodings, inUTF8, missingCharacter, readLines } from "../src/encoding";

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (c) => c.charCodeAt(0)); // a character for a byte

test("every sequence of bytes survives, in each encoding", () => {
  const parts = [
    "User-agent: *", "Disallow: /m\xfcller/", "\n", "\r\n", "\r", "\0", "\xff\xfe", "\xfe\xff", "\xef\xbb\xbf", "\xc3\xbc", "\xe2\x82", "\xed\xa0\x80", "\xed\xb0\x8d", "\xf0\x9f\x90\x8a",
    "\xf4\x90\x80\x80", "\xc0\x80", "a\0b\0\n\0", "\0a\0\n", "\x0a\xdc", "\x81", "\xfe",
  ];
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let i = 0; i < 5_000; i++) {
    const bytes = bytesOf(Array.from({ length: random(8) }, () => parts[random(parts.length)]).join(""));
    for (const encoding of [undefined, ...encodings]) {
      const contents = decode(bytes, encoding);
      assert.deepEqual(encode(contents), bytes, `${encoding} of ${Buffer.from(bytes).toString("hex")}`);
      assert.ok(!contents.text.includes("\r"));
      assert.deepEqual(bytesOfRequest(contents), bytes);
    }
  }
});

/** Returns the bytes that the engine gets. */
function bytesOfRequest(contents: Contents): Uint8Array {
  const sent = JSON.parse(JSON.stringify(bodyOf(contents))) as { body?: string; body_base64?: string };
  return sent.body === undefined ? Uint8Array.from(Buffer.from(sent.body_base64 ?? "", "base64")) : new TextEncoder().encode(sent.body);
}

test("encodings are recognised", () => {
  for (const [bytes, encoding, text, wrong] of [
    ["Disallow: /m\xfcller/", "windows-1252", "Disallow: /müller/", 0],
    ["# \x80 5", "windows-1252", "# € 5", 0],
    ["Disallow: /m\xc3\xbcller/", "utf-8", "Disallow: /müller/", 0],
    ["/\xc3\xbc/\xfc", "utf-8", "/ü/\udcfc", 1],
    ["\xef\xbb\xbfa", "utf-8", "\ufeffa", 0],
    ["\xff\xfea\0", "utf-16le", "\ufeffa", 0],
    ["\xfe\xff\0a", "utf-16be", "\ufeffa", 0],
    ["a\0b\0", "utf-16le", "ab", 0],
    ["\0a\0b", "utf-16be", "ab", 0],
    ["\xff\xfea\0b", "utf-8", "\udcff\udcfea\0b", 2], // half a character is left
    ["\xff\xfe\0\0a\0\0\0", "utf-8", "\udcff\udcfe\0\0a\0\0\0", 2], // UTF-32
    ["", "utf-8", "", 0],
  ] as const) {
    const contents = decode(bytesOf(bytes));
    assert.deepEqual([contents.encoding, contents.text, countWrongBytes(contents)], [encoding, text, wrong]);
  }
});

test("an edit keeps all other bytes", () => {
  for (const [bytes, from, to, want] of [
    ["/m\xfcller\r\n/b\n/c\r\n", "b", "ö", "/m\xfcller\r\n/\xf6\n/c\r\n"],
    ["\xff\xfea\0\n\0b\0", "b", "ü", "\xff\xfea\0\n\0\xfc\0"],
    ["\xc3\xbc\xfc\rb\rc\n", "b", "ü", "\xc3\xbc\xfc\r\xc3\xbc\rc\n"],
    ["a\r\nb\r\nc\n", "\udc0a\n", "", "a\r\nb\r\nc"], // the line end goes with its mark
    ["a\r\nb\r\nc\nd", "c\udc0a\nd", "cd\udc0ae", "a\r\nb\r\ncde"], // a mark within a line is none
  ] as const) {
    const contents = decode(bytesOf(bytes));
    assert.ok(contents.text.includes(from), JSON.stringify(contents.text));
    assert.deepEqual(encode({ ...contents, text: contents.text.replace(from, to) }), bytesOf(want));
  }
});

test("the most frequent line end is that of new lines; the others are marked", () => {
  assert.deepEqual(readLines("a\r\nb\r\nc\nd\re"), { text: "a\nb\nc\udc0a\nd\udc0e\ne", lineEnd: "\r\n" });
  assert.deepEqual(readLines("a\nb\nc\r\n"), { text: "a\nb\nc\udc0d\n", lineEnd: "\n" });
  assert.deepEqual(readLines("a\rb\r"), { text: "a\nb\n", lineEnd: "\r" });
  // The second half of this character is not a mark.
  assert.deepEqual(encode({ text: "\u{1f40a}\n", lineEnd: "\n", encoding: "utf-8" }), new TextEncoder().encode("\u{1f40a}\n"));
});

test("what Latin-1 lacks is found, and UTF-8 has it", () => {
  const file: Contents = { text: "/müller € \u0081\udc0d\n", lineEnd: "\n", encoding: "windows-1252" };
  assert.equal(missingCharacter(file), undefined);
  assert.equal(missingCharacter({ ...file, text: "/日本" }), "日");
  assert.equal(missingCharacter({ ...file, text: "/日本", encoding: "utf-8" }), undefined);
  assert.deepEqual(encode(inUTF8({ ...file, text: "/ü" })), bytesOf("/\xc3\xbc"));
  assert.deepEqual(encode(inUTF8(decode(bytesOf("\xff\xfea\0")))), bytesOf("a"));
});

test("a result may have bytes that are not UTF-8", () => {
  assert.deepEqual(bytesOfResult({ body: "/m\ufffd", raw: { "/body": "L238" } }), bytesOf("/m\xfc"));
  assert.deepEqual(bytesOfResult({ body: "/mü" }), bytesOf("/m\xc3\xbc"));
});

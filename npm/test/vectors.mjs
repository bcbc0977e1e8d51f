// Reads the vectors of the conformance kit, as conformance/README.md describes them.

import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../conformance/vectors/", import.meta.url);

/** Yields the checks of all vectors: of URLs, without those of whole patterns. */
export function* checks() {
  for (const area of readdirSync(folder).sort()) {
    for (const name of readdirSync(new URL(`${area}/`, folder)).sort()) {
      yield* checksOf(`${area}/${name}`, readFileSync(new URL(`${area}/${name}`, folder), "latin1"));
    }
  }
}

/** Texts are Latin-1: each character is a byte. */
function* checksOf(vector, text) {
  const end = text.indexOf("\n\n");
  const lines = text.slice(0, end).split("\n");
  let body = Buffer.from(text.slice(end + 2), "latin1");
  if (lines.includes("body: base64")) {
    body = Buffer.from(body.toString("latin1"), "base64");
  }
  if (lines.shift() !== "format: 2") {
    throw new Error(`${vector}: another format`);
  }
  let dialects = [];
  let crawlers = [];
  for (const line of lines) {
    const colon = line.indexOf(":");
    const [key, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    switch (key) {
      case "dialect":
        dialects = value.split(",").map((id) => id.trim());
        break;
      case "agents":
        crawlers = agents(value);
        break;
      case "allow":
      case "deny": {
        const [, number, rest] = /^(?:\[(\d+)\] )?(.*)$/s.exec(value);
        const url = rest.startsWith('"') ? quoted(rest, 0)[0] : rest;
        for (const dialect of dialects) {
          for (const tokens of crawlers) {
            yield { vector, line, body, dialect, tokens, url, allowed: key === "allow", number: number && Number(number) };
          }
        }
        break;
      }
      case "clause":
      case "note":
      case "body":
      case "allow-all":
      case "deny-all":
        break;
      default:
        throw new Error(`${vector}: ${line}`);
    }
  }
}

/** The crawlers of a list, each with its tokens. */
function agents(value) {
  if (value === "") {
    return [[]];
  }
  if (!value.includes("\"") && (/\(|:\/\//.test(value) || (value.includes("/") && /[ \t;]/.test(value) && !/,|;[ \t]/.test(value)))) {
    return [[value]]; // a User-Agent header
  }
  const crawlers = [[]];
  for (let i = 0; i <= value.length; ) {
    while (value[i] === " ") {
      i++;
    }
    let token;
    if (value[i] === '"') {
      [token, i] = quoted(value, i);
    } else {
      const begin = i;
      while (i < value.length && value[i] !== "," && value[i] !== ":") {
        i++;
      }
      token = value.slice(begin, i).trim();
    }
    crawlers.at(-1).push(token);
    while (value[i] === " ") {
      i++;
    }
    if (value[i] === ",") {
      crawlers.push([]);
    }
    i++;
  }
  return crawlers;
}

const letters = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** The text in quotes from an index, and the index after it. */
function quoted(value, begin) {
  let text = "";
  let i = begin + 1;
  while (value[i] !== '"') {
    if (i >= value.length) {
      throw new Error(`no final quote: ${value}`);
    }
    if (value[i] !== "\\") {
      text += value[i++];
      continue;
    }
    const escape = /^\\(?:x([0-9A-Fa-f]{2})|([0-3][0-7]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([abfnrtv])|(["\\]))/.exec(value.slice(i));
    const [all, hex, octal, short, long, letter, itself] = escape;
    if (short ?? long) {
      text += Buffer.from(String.fromCodePoint(Number.parseInt(short ?? long, 16))).toString("latin1");
    } else {
      text += itself ?? String.fromCharCode(letter ? letters[letter] : Number.parseInt(hex ?? octal, hex ? 16 : 8));
    }
    i += all.length;
  }
  return [text, i + 1];
}

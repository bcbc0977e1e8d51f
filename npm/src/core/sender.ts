// The product token of a User-Agent header: crawlers.Declared does the same with the data of all
// known crawlers.

import { RobotsError } from "../error.js";
import { fold, octetsOf, textOf } from "./octets.js";
import { beginning, client, comparing, names, never, vehicle } from "./words.js";

/** A word of a header. */
interface Word {
  readonly name: string; // without a version
  readonly kind: "own" | "known" | "vehicle" | "client" | "never" | "comparing" | "compatible" | "address";
  readonly isVersioned: boolean;
  readonly depth: number; // how many comments it is in
  readonly floor: number; // the least depth since the word before
  readonly opens: boolean; // it is the first of its part
}

/** The words by kind, and what begins and contains them. */
interface Vocabulary {
  readonly kinds: ReadonlyMap<string, Word["kind"]>;
  readonly begins: RegExp;
  readonly named: RegExp;
}

let vocabulary: Vocabulary | undefined; // made at the first use, so that bundlers can drop it

function vocabularyOf(): Vocabulary {
  const kinds = new Map<string, Word["kind"]>();
  for (const [kind, list] of Object.entries({ vehicle, client, never, comparing }) as [Word["kind"], string][]) {
    for (const word of list.split(" ")) kinds.set(word, kind);
  }
  const begins = new RegExp(`^(?:${beginning.replaceAll(" ", "|")})`, "i");
  const named = new RegExp(`(?:${Object.keys(names).join("|")})(?=[\\0- \\x7f()[\\]{}<>"';,|/+]|$)`, "iy");
  return { kinds, begins, named };
}

/** Returns the product token of the crawler that sends a header, "" if it names none. */
function senderOf(header: string): string {
  const words = wordsOf(header);
  let isBegun = false;
  let isSkipping = false;
  let compatible = -1; // the depth of a "compatible;" that no word has followed
  let other = "";
  let vehicle = ""; // or a client
  let client = "";
  for (const [i, w] of words.entries()) {
    if (w.floor < compatible) compatible = -1;
    if (w.opens) isSkipping = false;
    if (w.kind === "address" || isSkipping) continue;
    const isOwn = w.kind === "own";
    const follows = w.depth === compatible;
    const sends = !isBegun || follows || (w.depth > 0 ? (w.isVersioned && isBesideAddress(words, i)) || (w.opens && (/bot|crawl|spider|scrape/i.test(w.name) || isAddressed(words[i + 1]))) : w.isVersioned);
    const isVehicle = w.kind === "vehicle" || w.kind === "client";
    if (w.kind === "known" || (isOwn && sends) || (isVehicle && follows)) {
      return names[fold(w.name)] || w.name;
    }
    isBegun = true;
    if (w.kind === "compatible") compatible = w.depth;
    else if (follows) compatible = -1;
    if (w.kind === "comparing") isSkipping = true;
    if (isVehicle) vehicle ||= w.name;
    if (w.kind === "client") client ||= w.name;
    if (isOwn && w.depth === 0) other ||= w.name;
  }
  return other || client || vehicle;
}

/**
 * Returns the product token that a program declares in its own User-Agent header, for `rules`: that of the crawler
 * that sends it or, if the whole header is one product, this product, even if a browser has the same name. An error
 * means that it names no crawler, as in the header of a browser. A program that does not import this function
 * carries none of the words in headers, a third of the core.
 */
export function tokenOf(userAgent: string | Uint8Array): string {
  const header = octetsOf(userAgent, "userAgent");
  const token = declaredBy(header);
  if (token === "") {
    throw new RobotsError("invalid-field", `${JSON.stringify(textOf(header))} names no crawler`, "begin it with a product, such as FooBot/1.0", "userAgent");
  }
  return textOf(/[,:;"# ]/.test(token) ? `"${token.replaceAll("\\", "\\\\")}"` : token);
}

/** Returns the token that a header declares, "" if it names no crawler. */
export function declaredBy(header: string): string {
  return senderOf(header) || onlyProduct(wordsOf(header));
}

/** Returns the name of the only product in a text, whose comments have an address; "" if it is none. */
function onlyProduct([product, ...others]: Word[]): string {
  if (product === undefined || product.kind === "address" || product.depth > 0 || !hasLetter(product.name) || /^mozilla$/i.test(product.name)) {
    return "";
  }
  const isAddressed = others.some((w) => w.kind === "address" && w.depth > 0);
  return others.every((w) => w.kind === "address" || (w.depth > 0 && isAddressed)) ? product.name : "";
}

function hasLetter(name: string): boolean {
  return /[a-z\x80-\uffff]/i.test(name);
}

/** Reports whether a word is an address in the same comment as the word before it. */
function isAddressed(w: Word | undefined): boolean {
  return w?.kind === "address" && w.floor > 0;
}

/** Reports whether the comment of a word also contains an address. */
function isBesideAddress(words: Word[], i: number): boolean {
  let first = i;
  while (words[first]!.floor > 0) first--;
  let end = i + 1;
  while (end < words.length && words[end]!.floor > 0) end++;
  return words.slice(first, end).some((w) => w.kind === "address");
}

/** Returns the first 48 words of a header, of which no more than 1 KiB is read. */
function wordsOf(header: string): Word[] {
  if (header.length > 1024) header = header.slice(0, 1024).replace(/[^\0- \x7f()[\]{}<>"';,|+]+$/, "");
  if (header.includes("+") && !header.includes(" ")) {
    header = header.replace(/(?<![(+])\+/g, " "); // as some logs write blanks
  }
  const { kinds, begins, named } = (vocabulary ??= vocabularyOf());
  const words: Word[] = [];
  let depth = 0;
  let end = 0;
  // Commas and brackets are part of an address.
  const text = /[^\0- \x7f()[\]{}<>"';,|+][^\0- \x7f()[\]{}<>"';,|]*/g;
  for (let match; words.length < 48 && (match = text.exec(header)); ) {
    const gap = header.slice(end, match.index);
    let floor = depth;
    for (const c of gap) {
      if (c === "(") depth++;
      if (c === ")") floor = Math.min(floor, (depth = Math.max(depth - 1, 0)));
    }
    named.lastIndex = match.index;
    const known = named.exec(header);
    let name = known?.[0] ?? /^[^/+]*/.exec(match[0])![0];
    const word = name + /^[^\0- \x7f()[\]{}<>"';,|]*/.exec(header.slice(match.index + name.length))![0];
    text.lastIndex = match.index + word.length;
    const isVersioned = header[match.index + name.length] === "/";
    name = name.replace(/:+$/, "");
    let kind: Word["kind"] = known ? "known" : kinds.get(fold(name)) ?? (begins.test(name) || !hasLetter(name) ? "never" : "own");
    if (/@/.test(word) || /^www\./i.test(name) || (gap.includes("+") && name.includes("."))) {
      kind = "address";
    } else if (isVersioned && word.includes("://")) {
      text.lastIndex += /^(?:[,[\]](?=[^\0- \x7f()[\]{}<>"';,|])[^\0- \x7f()[\]{}<>"';,|]*)*/.exec(header.slice(text.lastIndex))![0].length;
      kind = "address";
    }
    end = text.lastIndex;
    if (/^compatible$/i.test(name)) kind = /^[ \t+]*;/.test(header.slice(end)) ? "compatible" : "never";
    words.push({ name, kind, isVersioned, depth, floor, opens: match.index === 0 || /[();,|]/.test(gap) });
  }
  return words;
}

// The crawlers of a query: internal/agentlist, internal/agentheader and crawlers.ReadingOf do
// the same.

import { RobotsError } from "../error.js";
import type { Dialect } from "../wire.js";
import { readBody } from "./body.js";
import { dialects, traits } from "./dialect.js";
import { decoded, fold } from "./octets.js";
import { fallbacks, namedOnly, stated } from "./readings.js";

/** How a crawler reads a robots.txt. */
export interface Reading {
  readonly tokens: readonly string[];
  /** Groups for "*" do not apply. */
  readonly isNamedOnly: boolean;
  /** Undefined if no agent line can name the crawler. */
  readonly dialect: Dialect | undefined;
}

/** Returns the reading of a crawler: a token, a chain of them, or a whole User-Agent header. */
export function readingOf(agent: string, isExact: boolean): Reading {
  const tokens = tokensOf(agent);
  const given = tokens.length;
  for (let i = 0; i < tokens.length; i++) {
    const token = fold(tokens[i]!);
    if (i === 0 && given === 1) {
      tokens.push(...Object.keys(fallbacks).filter((chain) => has(fallbacks[chain]!, token)).flatMap((chain) => chain.split(":")));
    }
    const dialect = token === "" || token === "*" ? "google" : dialects.find((d) => has(stated[d] ?? "", token)) ?? (["google", "rfc9309"] as const).find((d) => canName(token, d));
    if (dialect !== undefined) {
      return { tokens: isExact ? tokens.slice(0, given) : tokens, isNamedOnly: !isExact && has(namedOnly, token), dialect };
    }
  }
  return { tokens: isExact ? tokens.slice(0, given) : tokens, isNamedOnly: false, dialect: undefined };
}

/** Reports whether a list of names contains a token. */
function has(names: string, token: string): boolean {
  return !/[:,]/.test(token) && `,${names},`.includes(`,${token},`);
}

/** Reports whether an agent line can contain a token. */
function canName(token: string, dialect: Dialect): boolean {
  return readBody(`User-agent: ${token}\nDisallow: /`, traits[dialect]).groups.has(token);
}

/** Returns the tokens in the notation of a crawler, in which a colon makes a chain. */
function tokensOf(agent: string): string[] {
  const isProduct = agent.includes("/") && !/[,:;]/.test(agent);
  const isHeader = agent.includes("(") || (/\/.*[ \t]|[ \t].*\//s.test(agent) && !/[,;]/.test(agent));
  if (agent[0] !== '"' && (isProduct || isHeader)) {
    const token = productOf(agent);
    if (token !== "") return [token];
  }
  if (isHeader && !agent.includes('"')) {
    return [agent.replace(/^[ \t-\r]+/, "").replace(/(?<![ \t-\r])[ \t-\r]+$/, "")];
  }
  const tokens: string[] = [];
  const item = /[ \t-\r]*(?:"((?:[^"\\\n]|\\["\\]|\\x[\da-f]{2})*)"[ \t-\r]*|([^,:;"#]+))([,:]|$)/iy;
  for (let separator = ":"; separator !== ""; ) {
    const match = separator === ":" && item.exec(agent);
    if (!match) {
      throw invalid(separator === "," ? "want one crawler" : "want a product token, or several with colons between them");
    }
    tokens.push(match[1]?.replace(/\\(x..|.)/g, (_, code: string) => (code[1] ? decoded(code) : code)) ?? match[2]!.replace(/(?<![ \t-\r])[ \t-\r]+$/, ""));
    separator = match[3]!;
  }
  return tokens;
}

export function invalid(message: string): RobotsError {
  return new RobotsError("invalid-field", message, "put a token that contains a comma, colon or semicolon in double quotes", "agent");
}

/** A word of a User-Agent header. */
interface Word {
  readonly text: string;
  readonly name: string; // without a version
  readonly after: string;
  readonly isAddress: boolean;
  readonly depth: number; // how many comments it is in
  readonly floor: number; // the least depth since the word before
}

function wordsOf(header: string): Word[] {
  const words: Word[] = [];
  let depth = 0;
  let floor = 0;
  // Commas and plus signs in the address of a page are part of it.
  for (const { 0: text, index } of header.matchAll(/[()]|[^\0-\x20\x7f();,+]*:\/\/[^\0-\x20\x7f();]*|[^\0-\x20\x7f();,+]+/g)) {
    if (text === "(") {
      depth++;
    } else if (text === ")") {
      depth = Math.max(depth - 1, 0);
      floor = Math.min(floor, depth);
    } else {
      const name = text.split("/", 1)[0]!;
      const isAddress = name === "" || /:\/\/|@|^www\./i.test(text) || (header[index - 1] === "+" && name.includes("."));
      words.push({ text, name, after: header.slice(index + text.length), isAddress, depth, floor });
      floor = depth;
    }
  }
  return words;
}

/** Returns the product token of the crawler that sends a header, "" if there is none. */
function productOf(header: string): string {
  const words = wordsOf(header);
  const compatible = words.findIndex((w) => /^compatible$/i.test(w.text) && /^[ \t]*;/.test(w.after));
  if (compatible >= 0) {
    const { depth } = words[compatible]!;
    for (const w of words.slice(compatible + 1)) {
      if (w.floor < depth) break;
      if (w.depth === depth && !w.isAddress) return w.name;
    }
  }
  const first = words.find((w) => !w.isAddress)?.name ?? "";
  return /^mozilla$/i.test(first) ? besideAddress(words) || first : first;
}

/** Returns the first product with a version in a comment that also contains an address. */
function besideAddress(words: Word[]): string {
  let name = "";
  let isAddressed = false;
  for (const w of words) {
    if (w.floor === 0) {
      name = "";
      isAddressed = false;
    }
    if (w.depth > 0 && w.isAddress) isAddressed = true;
    else if (w.depth > 0 && name === "" && w.name.length < w.text.length) name = w.name;
    if (isAddressed && name) return name;
  }
  return "";
}

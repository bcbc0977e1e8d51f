// The crawlers of a query: internal/agentlist, answer.Typed and crawlers.ReadingOf do the same.

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

/** Returns the reading of a crawler: a token, or a chain of them. */
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
function tokensOf(text: string): string[] {
  const agent = withoutBlanks(text);
  const isHeader = /\(|:\/\//.test(agent) || (agent.includes("/") && /[ \t;]/.test(agent) && !/,|;[ \t]/.test(agent));
  if (isHeader && !agent.includes('"')) {
    return [typed(agent)];
  }
  const tokens: string[] = [];
  const item = /[ \t-\r]*(?:"((?:[^"\\\n]|\\["\\]|\\x[\dA-Fa-f]{2})*)"[ \t-\r]*|(?![ \t-\r])([^,:;"#]+))([,:]|$)/y;
  for (let separator = ":"; separator !== ""; ) {
    const match = separator === ":" && item.exec(agent);
    if (!match) {
      throw invalid(separator === "," ? "give one crawler" : "give a product token, or several with colons between them");
    }
    tokens.push(match[1]?.replace(/\\(x..|.)/g, (_, code: string) => (code[1] ? decoded(code) : code)) ?? typed(withoutBlanks(match[2]!)));
    separator = match[3]!;
  }
  return tokens;
}

/**
 * Returns the token in a text without blanks that is one product, with or without a version. Other
 * headers are for tokenOf, so that a program which has only tokens does not carry its words.
 */
function typed(text: string): string {
  const [, token, version] = /^([^\0- \x7f()[\]{}<>"';,|+@:/]+)(\/[^\0- \x7f()[\]{}<>"';,|+@:]*)?$/.exec(text) ?? [];
  if (token === undefined || /^(?:mozilla$|www\.)/i.test(token) || (/^[^a-z\x80-\xff]+$/i.test(token) && (version !== undefined || !canName(token, "rfc9309")))) {
    throw invalid(`${JSON.stringify(text)} is not a product token`, "give a User-Agent header to tokenOf, and this its result");
  }
  return token;
}

function withoutBlanks(text: string): string {
  return text.replace(/^[ \t-\r]+/, "").replace(/(?<![ \t-\r])[ \t-\r]+$/, "");
}

export function invalid(message: string, hint = "put a token that contains a comma, colon or semicolon in double quotes"): RobotsError {
  return new RobotsError("invalid-field", message, hint, "agent");
}

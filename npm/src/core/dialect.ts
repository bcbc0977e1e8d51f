// What differs between dialects: dialect.go has the same table. Code elsewhere tests one of
// these properties and never compares dialects.

import type { Dialect } from "../wire.js";
import { decoded, percent } from "./octets.js";

export interface Traits {
  /** The product token at the beginning of an agent line. */
  readonly token: RegExp;
  /** A final star is not part of the token. */
  readonly dropStar?: boolean;
  /** '*' and a final '$' are wildcards, and rules without a path count. */
  readonly wildcards?: boolean;
  /** "Allow: …/index.htm…" matches the folder too. */
  readonly indexRule?: boolean;
  /** A slash of the query is written %2F. */
  readonly querySlash?: boolean;
  /** /robots.txt is always allowed. */
  readonly openRobots?: boolean;
  /** Groups end at empty lines, only the first one of a token applies, in it the first rule
   * that matches decides, and the query is not compared. */
  readonly records?: boolean;
  /** Returns a text in the form that is compared. */
  encode(text: string, isRule: boolean): string;
}

/** Writes bytes above 0x7F as percent codes, and the digits of codes in upper case. */
export function encodeGoogle(text: string): string {
  let i = 0; // most texts remain, which a loop finds out sooner than an expression
  for (let code; i < text.length && (code = text.charCodeAt(i)) !== 37 && code < 128; i++);
  return i === text.length ? text : text.replace(/%[0-9a-f]{2}|[\x80-\xff]/gi, (c) => (c.length > 1 ? c.toUpperCase() : percent(c)));
}

function encodeRFC(text: string, isRule: boolean): string {
  const query = text.indexOf("?");
  const path = query < 0 ? text : text.slice(0, query);
  const form = (part: string): string => {
    return part.replace(/%[0-9a-f]{2}|[^\w.~?&=/-]/gi, (c) => {
      if (c.length > 1) {
        const octet = decoded(c);
        return /[\w.~-]/.test(octet) ? octet : c.toUpperCase();
      }
      return c === "*" && isRule ? c : percent(c);
    });
  };
  return form(path) + (query < 0 ? "" : form(text.slice(query)).replace(/\//g, "%2F"));
}

function encodeKoster(text: string): string {
  return text.replace(/%([0-9a-f]{2})?/gi, (c) => (/^%(?:2f|25)?$/i.test(c) ? (c[2] ? c.toUpperCase() : "%25") : decoded(c)));
}

export const traits: Record<Dialect, Traits> = {
  google: {
    token: /^[a-z_-]*/i,
    wildcards: true,
    indexRule: true,
    encode: (text, isRule) => (isRule ? encodeGoogle(text) : text),
  },
  rfc9309: {
    token: /^[^ \t/]*/,
    dropStar: true,
    wildcards: true,
    querySlash: true,
    openRobots: true,
    encode: encodeRFC,
  },
  koster1996: {
    token: /^[^\0-\x20()<>@,;:\\"/[\]?={}\x7f-\xff]*/,
    records: true,
    encode: encodeKoster,
  },
};

export const dialects = Object.keys(traits) as Dialect[];

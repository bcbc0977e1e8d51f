// Path patterns: internal/pattern does the same.

import type { Traits } from "./dialect.js";

/** A rule, or the folder of an index page that a rule allows. */
export interface Rule {
  readonly allow: boolean;
  /** The pattern in canonical form, with its final '$'. */
  readonly pattern: string;
  readonly line: number;
  /** The pattern without the '$' that anchors it. */
  readonly text: string;
  /** Where its first star is, -1 if there is none. */
  readonly star: number;
  /** The rule for the folder of an index page. */
  readonly folder: Rule | undefined;
}

/** Returns the rule with the value of a line. */
export function newRule(allow: boolean, value: string, line: number, traits: Traits): Rule {
  const isAnchored = traits.wildcards === true && value.endsWith("$");
  return ruleOf(allow, traits.encode(isAnchored ? value.slice(0, -1) : value, true), isAnchored, line, traits);
}

function ruleOf(allow: boolean, text: string, isAnchored: boolean, line: number, traits: Traits): Rule {
  const page = allow && traits.indexRule ? text.lastIndexOf("/") + 1 : 0;
  const isIndex = page > 0 && text.startsWith("index.htm", page);
  return {
    allow,
    pattern: isAnchored ? `${text}$` : text,
    line,
    text,
    star: traits.wildcards ? text.indexOf("*") : -1,
    folder: isIndex ? ruleOf(true, text.slice(0, page), true, line, traits) : undefined,
  };
}

/** A path in canonical form, which rules are matched with. */
export class Path {
  // Patterns with stars are matched with the slashed form, which has a slash for each %2F
  // after the first '?'. The query begins in it at #query, 0 if the forms are equal. See
  // internal/pattern/slash.go.
  readonly #slashed: string;
  readonly #query: number = 0;
  readonly #found = new Map<string, number>();
  #pairs: Uint8Array | undefined;

  constructor(
    readonly text: string,
    querySlash: boolean | undefined,
  ) {
    this.#slashed = text;
    const query = text.indexOf("?") + 1;
    if (querySlash && query && text.includes("%2F", query)) {
      this.#query = query;
      this.#slashed = slashed(text, query);
    }
  }

  /** Returns the rule if it matches, or the one for its folder, which may match too. */
  match(rule: Rule): Rule | undefined {
    return this.#matches(rule) ? rule : rule.folder && this.match(rule.folder);
  }

  #matches(rule: Rule): boolean {
    if (rule.star >= 0) {
      return this.#matchesWild(rule);
    }
    return rule.text === rule.pattern ? this.text.startsWith(rule.text) : this.text === rule.text;
  }

  /**
   * Matches a pattern with stars: each piece between two stars at its first occurrence after
   * the one before. A later one cannot match more, because it leaves less for the next.
   */
  #matchesWild({ text, pattern, star }: Rule): boolean {
    const path = this.#slashed;
    // A piece with a code of a slash has two spellings: with the code it is in the path, with
    // a slash in the query.
    const isCoded = this.#query > 0 && text.includes("%2F");
    const inPath = isCoded ? slashed(text, text.indexOf("?") + 1 || text.length) : text;
    let from = inPath.indexOf("*");
    if (!path.startsWith(inPath.slice(0, from))) {
      return false;
    }
    const first = inPath.slice(from + 1).split("*");
    const second = isCoded ? slashed(text, star).slice(star + 1).split("*") : first;
    /** Applies find to a piece in its spellings. */
    const place = (find: Find, end: number, i: number): number => {
      const found = find(path, first[i]!, from, end);
      return found < 0 && isCoded ? find(path, second[i]!, Math.max(from, this.#query), end) : found;
    };
    let pieces = first.length;
    let end = path.length;
    if (text !== pattern) {
      end = place(atEnd, end, --pieces);
    }
    for (let i = 0; i < pieces && end >= 0 && from >= 0; i++) {
      from = place(this.#after, end, i);
    }
    return end >= 0 && from >= 0;
  }

  /** Returns where the first occurrence of a piece from an offset on ends, -1 if not before end. */
  readonly #after: Find = (path, piece, from, end) => {
    let found: number;
    const search = (): number => (piece.length > longPiece ? indexOfLong(path, piece, from) : path.indexOf(piece, from));
    if (path.startsWith(piece, from)) {
      found = from;
    } else if (path.length < longPath) {
      found = search();
    } else if (!this.#hasPairs(piece)) {
      found = -1;
    } else {
      const key = `${from} ${piece}`;
      found = this.#found.get(key) ?? search();
      this.#found.set(key, found);
    }
    return found < 0 || found + piece.length > end ? -1 : found + piece.length;
  };

  /** Reports whether the path has all pairs of adjacent octets that a piece has. */
  #hasPairs(piece: string): boolean {
    const each = (text: string, call: (pair: number) => boolean): boolean => {
      let i = 1;
      while (i < text.length && call((text.charCodeAt(i - 1) << 8) | text.charCodeAt(i))) i++;
      return i >= text.length;
    };
    if (this.#pairs === undefined) {
      const pairs = (this.#pairs = new Uint8Array(1 << 16));
      each(this.#slashed, (pair) => (pairs[pair] = 1) > 0);
    }
    return each(piece, (pair) => this.#pairs![pair] === 1);
  }
}

/** From this length on a search is avoided if possible: a file may have very many pieces. */
const longPath = 256;

/** Returns a text with a slash for each %2F from an offset on. */
function slashed(text: string, from: number): string {
  return text.slice(0, from) + text.slice(from).replaceAll("%2F", "/");
}

type Find = (path: string, piece: string, from: number, end: number) => number;

/** Returns where the piece begins that ends a path, -1 if it does not or begins before from. */
const atEnd: Find = (path, piece, from, end) => (path.endsWith(piece) && end - piece.length >= from ? end - piece.length : -1);

/** Up to this length indexOf is used, which for a long piece may take quadratic time. */
const longPiece = 32;

/** Does what indexOf does, in linear time (Knuth, Morris, Pratt). */
function indexOfLong(path: string, piece: string, from: number): number {
  const borders = new Uint32Array(piece.length + 1); // of each prefix
  for (let i = 1, border = 0; i < piece.length; i++) {
    const code = piece.charCodeAt(i);
    while (border > 0 && code !== piece.charCodeAt(border)) border = borders[border]!;
    if (code === piece.charCodeAt(border)) border++;
    borders[i + 1] = border;
  }
  for (let i = from, matched = 0; i < path.length; i++) {
    const code = path.charCodeAt(i);
    while (matched > 0 && code !== piece.charCodeAt(matched)) matched = borders[matched]!;
    if (code === piece.charCodeAt(matched)) matched++;
    if (matched === piece.length) return i + 1 - matched;
  }
  return -1;
}

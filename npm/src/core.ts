/**
 * The core of the engine in JavaScript: whether crawlers may fetch URLs, which line decides
 * and why. It is small, starts at once and needs no WebAssembly. Its answers are those of the
 * engine, which also compares files, and of which this has the names and types.
 *
 * ```js
 * import { parse } from "@kosterhq/robotstxt/core";
 *
 * const rules = parse("User-agent: *\nDisallow: /cart").rules("GPTBot");
 * rules.verdict("https://shop.example/cart"); // { allowed: false, line: 2 }
 * ```
 *
 * @module
 */

import { invalid, readingOf } from "./core/agent.js";
import { type Form, type Group, readBody } from "./core/body.js";
import { dialects, traits, type Traits } from "./core/dialect.js";
import { fold, octetsOf, textOf } from "./core/octets.js";
import { pathOf, textOfURL } from "./core/path.js";
import { Path, type Rule as RuleLine } from "./core/pattern.js";
import { requireTexts, RobotsError } from "./error.js";
import type { LineVerdict, ParseOptions, RulesOptions } from "./options.js";
import type { Decision, Dialect, MatchedBy, Rule } from "./wire.js";

export { tokenOf } from "./core/sender.js";
export { type ErrorCode, RobotsError } from "./error.js";
export type { LineVerdict, ParseOptions, RulesOptions } from "./options.js";
export type { Decision, Dialect, MatchedBy, Reason, Rule } from "./wire.js";

/**
 * Parses a robots.txt once, for many questions. There is no file that cannot be parsed: as
 * Google's parser does, it ignores lines that it cannot read.
 */
export function parse(body: string | Uint8Array, options?: ParseOptions): Robots {
  return new Robots(body, options);
}

/** A parsed robots.txt. {@link parse} makes it. */
export class Robots {
  readonly #body: string;
  readonly #dialect: Dialect | undefined;
  readonly #forms: Partial<Record<Dialect, Form>> = {};
  /** Whether the file has more bytes than {@link ParseOptions.limit}. */
  readonly truncated: boolean;

  /** @internal */
  constructor(body: string | Uint8Array, { dialect, limit = 0 }: ParseOptions = {}) {
    if (dialect !== undefined && !dialects.includes(dialect)) {
      throw new RobotsError("invalid-field", `there is no dialect ${JSON.stringify(dialect)}`, `use ${dialects.join(", ")}`, "dialect");
    }
    const octets = octetsOf(body, "body");
    const most = limit || 512_000;
    this.#dialect = dialect;
    this.truncated = most > 0 && octets.length > most;
    // A line that the limit cuts is dropped: "Disallow: /private" must not become "Disallow: /".
    const end = /[\r\n]/.test(octets[most] ?? "") ? most : Math.max(octets.lastIndexOf("\n", most - 1), octets.lastIndexOf("\r", most - 1)) + 1;
    this.#body = this.truncated ? octets.slice(0, end) : octets;
    this.#in();
  }

  /**
   * Returns the rules for a crawler: a product token such as `GPTBot`, or several with
   * colons between them, of which the first one that the file names counts:
   * `Googlebot-News:Googlebot`. {@link tokenOf} returns the token in a User-Agent header;
   * only the engine also takes a header of several words here. A token that contains a comma,
   * colon or semicolon is put in double quotes. `*` is any crawler that follows
   * the group for `*`.
   */
  rules(agent: string | Uint8Array, options: RulesOptions = {}): Rules {
    const { tokens, isNamedOnly, dialect = this.#dialect } = readingOf(octetsOf(agent, "agent"), options.exact ?? false);
    if (dialect === undefined) {
      throw invalid("no user-agent line can name it, so its rules are unknown");
    }
    const name = this.#dialect ?? dialect;
    const { groups } = this.#in(name);
    const has = (token: string): boolean => groups.has(fold(token)) && !(isNamedOnly && token === "*");
    const at = tokens.findIndex(has);
    const label = tokens[at] ?? (isNamedOnly ? undefined : "*");
    const chosen = (label !== undefined && groups.get(fold(label))) || [];
    const by = chosen.length === 0 ? "none" : label === "*" ? "star" : at > 0 ? "fallback" : "name";
    // In koster1996 only the first record with the token applies.
    return new Rules(name, label ?? "", by, traits[name].records ? chosen.slice(0, 1) : chosen, options.asSent ?? false);
  }

  /** The values of the Sitemap lines, in the order of the file. */
  get sitemaps(): string[] {
    return this.#in().sitemaps.map(textOf);
  }

  /** The values of the Host lines, in the order of the file. */
  get hosts(): string[] {
    return this.#in().hosts.map(textOf);
  }

  /** Does nothing: the memory is freed with the object. */
  free(): void {}

  /** The file in a dialect. It is read once. */
  #in(dialect: Dialect = this.#dialect ?? "google"): Form {
    return (this.#forms[dialect] ??= readBody(this.#body, traits[dialect]));
  }
}

/** The rules of a robots.txt for one crawler. {@link Robots.rules} makes them. */
export class Rules {
  readonly #dialect: Dialect;
  readonly #label: string; // the token that selected the groups
  /** How the groups that apply to the crawler were selected. */
  readonly matchedBy: MatchedBy;
  readonly #groups: readonly Group[];
  readonly #asSent: boolean;

  /** @internal */
  constructor(dialect: Dialect, label: string, matchedBy: MatchedBy, groups: readonly Group[], asSent: boolean) {
    this.#dialect = dialect;
    this.#label = label;
    this.matchedBy = matchedBy;
    this.#groups = groups;
    this.#asSent = asSent;
  }

  /**
   * Reports whether the crawler may fetch a URL, which is absolute or a path with its
   * query. Bytes are for URLs that are not UTF-8.
   */
  allowed(url: string | Uint8Array): boolean {
    return this.verdict(url).allowed;
  }

  /** Returns the verdict about a URL with the deciding line. */
  verdict(url: string | Uint8Array): LineVerdict {
    const path = this.#path(url);
    if (this.#isImplicit(path)) {
      return { allowed: true, line: 0 };
    }
    const { records } = this.#traits;
    let best: RuleLine | undefined;
    let heaviest = -1;
    for (const { rules } of this.#groups) {
      for (const rule of rules) {
        // The longest rule decides, of equally long ones an Allow, then the earlier line. The
        // folder of an index page is shorter than its rule.
        if (weight(rule) > heaviest) {
          const match = path.match(rule);
          if (match && weight(match) > heaviest) {
            best = match;
            if (records) return { allowed: best.allow, line: best.line };
            heaviest = weight(match);
          }
        }
      }
    }
    return { allowed: best === undefined || best.allow || best.pattern === "", line: best?.line ?? 0 };
  }

  /** Returns the verdicts about many URLs. */
  verdicts(urls: readonly string[]): LineVerdict[] {
    requireTexts("urls", urls);
    return urls.map((url) => this.verdict(url));
  }

  /**
   * Returns the verdicts about many URLs as numbers: twice the deciding line, and 1 more
   * if the URL is allowed.
   */
  codes(urls: readonly string[]): Int32Array {
    return Int32Array.from(this.verdicts(urls), ({ allowed, line }) => 2 * line + (allowed ? 1 : 0));
  }

  /**
   * Returns the verdict about a URL with its reasons: the deciding rule, its group, and the
   * other rules that match. These lose because they are shorter, because they tie with an
   * Allow, or because their line is later.
   */
  explain(url: string | Uint8Array): Decision {
    const path = this.#path(url);
    const { allowed, line } = this.verdict(url);
    const label = fold(this.#label);
    const agentLines = this.#groups.flatMap(({ agents }) => agents.filter((agent) => fold(agent.token) === label).map((agent) => agent.line));
    const others = this.#groups.flatMap(({ rules }) => rules.flatMap((rule) => decisionRule(path.match(rule), rule)));
    const at = others.findIndex((rule) => rule.line === line);
    const rule = at < 0 ? null : others.splice(at, 1)[0]!;
    const isTied = rule?.allow && rule.length > 0 && !this.#traits.records;
    const isImplicit = this.#isImplicit(path);
    return {
      allowed,
      line,
      reason: isImplicit ? "robots-file" : agentLines.length === 0 ? "no-group" : rule === null ? "no-match" : rule.length === 0 ? "empty-rule" : "rule",
      note: "",
      dialect: this.#dialect,
      agent: this.#groups.length === 0 ? "" : textOf(this.#label),
      agent_lines: agentLines,
      group_line: rule === null ? 0 : this.#groups.findLast(({ agents }) => agents[0]!.line < line)!.agents[0]!.line,
      rule,
      tie: (isTied && others.find((other) => !other.allow && other.length === rule.length)) || null,
      others,
      path: textOf(path.text),
    };
  }

  /** The Crawl-delay in seconds; undefined if the file has none for the crawler. */
  get crawlDelay(): number | undefined {
    const label = fold(this.#label);
    let longest: number | undefined;
    let read: unknown; // the last list of agents: delays in a row share it
    let isListed = false;
    for (const { delays } of this.#groups) {
      for (const { value, agents } of delays) {
        if (agents !== read) {
          read = agents;
          isListed = agents.some((agent) => fold(agent.token) === label);
        }
        const [, whole, fraction = ""] = /^(?=\.?\d)(\d*)(?:\.(\d*))?$/.exec(value) ?? [];
        if (whole !== undefined && isListed) {
          // Go's Duration counts nanoseconds up to a largest one.
          const delay = Math.min(Number(whole) + Number(fraction.padEnd(9, "0").slice(0, 9)) / 1e9, 9_223_372_036.854775807);
          longest = Math.max(longest ?? 0, delay);
        }
      }
    }
    return longest;
  }

  /** Does nothing: the memory is freed with the object. */
  free(): void {}

  get #traits(): Traits {
    return traits[this.#dialect];
  }

  #path(url: string | Uint8Array): Path {
    const octets = octetsOf(url, "url");
    return new Path(pathOf(this.#asSent ? octets : textOfURL(octets), this.#traits), this.#traits.querySlash);
  }

  /** Reports whether the dialect always allows the path. */
  #isImplicit(path: Path): boolean {
    return this.#traits.openRobots === true && path.text === "/robots.txt";
  }
}

function weight({ allow, pattern }: RuleLine): number {
  return 2 * pattern.length + (allow ? 1 : 0);
}

/** Returns the form of a rule in a decision, nothing if it does not match. */
function decisionRule(match: RuleLine | undefined, rule: RuleLine): Rule[] {
  if (match === undefined) {
    return [];
  }
  const { allow, pattern, line } = match;
  return [{ allow, pattern: textOf(pattern), length: pattern.length, line, folder: match !== rule }];
}

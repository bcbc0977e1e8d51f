/**
 * The calls of the package robots-parser 3, answered by the core of this package:
 *
 * ```diff
 * -import robotsParser from "robots-parser";
 * +import robotsParser from "@kosterhq/robotstxt/robots-parser";
 * ```
 *
 * README.md lists where the answers differ.
 *
 * @module
 */

import { parse, type Robots, RobotsError, type Rules, tokenOf } from "./core.js";

/** A parsed robots.txt, with the methods of robots-parser. */
export interface Robot {
  /**
   * Reports whether a crawler may fetch a URL; undefined if the URL is of another scheme,
   * host or port than the robots.txt. `ua` is a product token, with or without a version,
   * or a whole User-Agent header. Default: `*`.
   */
  isAllowed(url: string, ua?: string): boolean | undefined;
  /** The opposite of {@link Robot.isAllowed}: true also if that is undefined. */
  isDisallowed(url: string, ua?: string): boolean | undefined;
  /**
   * Reports whether a group that names the crawler disallows a URL, which one for `*` does
   * not; true also if the URL is of another site.
   */
  isExplicitlyDisallowed(url: string, ua?: string): boolean;
  /** Returns the deciding line, from 1; -1 if no line decides, or if the URL is of another site. */
  getMatchingLineNumber(url: string, ua?: string): number;
  /** Returns the Crawl-delay of a crawler in seconds; undefined if there is none. */
  getCrawlDelay(ua?: string): number | undefined;
  /** Returns the values of the Sitemap lines. */
  getSitemaps(): string[];
  /** Returns the value of the last Host line in lower case; null if there is none. */
  getPreferredHost(): string | null;
}

/** Parses a robots.txt. `url` is its own URL. */
export default function robotsParser(url: string, robotstxt: string): Robot {
  return new Compatible(url, robotstxt);
}

// What require() returns.
export { robotsParser as "module.exports" };

/** The site of relative URLs. It is of no other URL. */
const nowhere = "http://relative.invalid/";

class Compatible implements Robot {
  readonly #site: string | undefined;
  readonly #robots: Robots;
  readonly #rules = new Map<string, Rules>();

  constructor(url: string, robotstxt: string) {
    this.#site = parsed(url)?.site;
    this.#robots = parse(robotstxt ?? "", { limit: -1 });
  }

  isAllowed(url: string, ua?: string): boolean | undefined {
    const text = this.#text(url);
    return text === undefined ? undefined : this.#of(ua).allowed(text);
  }

  isDisallowed(url: string, ua?: string): boolean | undefined {
    return !this.isAllowed(url, ua);
  }

  isExplicitlyDisallowed(url: string, ua?: string): boolean {
    const text = this.#text(url);
    const rules = this.#of(ua);
    return text === undefined || (rules.matchedBy === (isAny(ua) ? "star" : "name") && !rules.allowed(text));
  }

  getMatchingLineNumber(url: string, ua?: string): number {
    const text = this.#text(url);
    return text === undefined ? -1 : this.#of(ua).verdict(text).line || -1;
  }

  getCrawlDelay(ua?: string): number | undefined {
    return this.#of(ua).crawlDelay;
  }

  getSitemaps(): string[] {
    return this.#robots.sitemaps;
  }

  getPreferredHost(): string | null {
    return this.#robots.hosts.at(-1)?.toLowerCase() ?? null;
  }

  /** The text of a URL of the site, undefined if it is of another one. */
  #text(url: string): string | undefined {
    const of = parsed(url);
    return of?.site === this.#site ? of?.text : undefined;
  }

  /** A text that names no crawler, or one that no user-agent line can name, such as "Foo Bar": the groups for "*" apply. */
  #rulesOf(agent: string): Rules {
    for (const name of [() => agent, () => tokenOf(agent)]) {
      try {
        return this.#robots.rules(name(), { exact: true });
      } catch (error) {
        if (!(error instanceof RobotsError)) throw error;
      }
    }
    return this.#robots.rules("*", { exact: true });
  }

  #of(ua = "*"): Rules {
    let rules = this.#rules.get(ua);
    if (rules === undefined) {
      rules = this.#rulesOf(isAny(ua) ? "*" : agentOf(ua.trim()));
      this.#rules.set(ua, rules);
      if (this.#rules.size > maxRules) {
        this.#rules.clear();
      }
    }
    return rules;
  }
}

/** How many crawlers of a file are kept. */
const maxRules = 1000;

function isAny(ua: string | undefined): boolean {
  return ["", "*"].includes(ua?.trim() ?? "");
}

/** The core reads a token, or a header through tokenOf. A text in the notation of chains and lists is one token, whatever is in it. */
function agentOf(ua: string): string {
  if (ua.includes("(") || ua.includes("://") || !/[,:;"]/.test(ua)) return ua;
  const token = (ua.split("/", 1)[0] ?? "").trim();
  return token === "" ? ua : `"${token.replace(/[\\"]/g, "\\$&")}"`;
}

/** The site of a URL, with the port, and the text that the core reads: the URL, or on no site what a relative one leads to. */
function parsed(url: string): { site: string; text: string } | undefined {
  try {
    const u = new URL(url, nowhere);
    const port = u.port || (u.protocol === "https:" ? "443" : "80");
    return { site: `${u.protocol}//${u.hostname}:${port}`, text: u.href.startsWith(nowhere) ? u.href : url };
  } catch {
    return undefined;
  }
}

import { requireTexts, RobotsError } from "./error.js";
import type { Host } from "./host.js";
import type { LineVerdict, ParseOptions, RulesOptions } from "./options.js";
import type { Decision, Dialect, MatchedBy } from "./wire.js";

/** The dialects, in the order of the module. */
const dialects: readonly Dialect[] = ["google", "rfc9309", "koster1996"];

const exactFlag = 1;
const asSentFlag = 2;

/**
 * Frees what was not freed by hand. Handles of another instance mean nothing. Workers with a
 * compatibility date before May 2025 have no such registry: there, call free().
 */
const forgotten = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry((release: () => void) => release());

/** A parsed robots.txt. {@link Engine.parse} makes it. */
export class Robots {
  readonly #host: Host;
  readonly #turn: number;
  #handle: number;

  /** @internal */
  constructor(host: Host, body: string | Uint8Array, options: ParseOptions = {}) {
    // -1 means that each crawler reads the file in its own dialect.
    const dialect = options.dialect === undefined ? -1 : dialects.indexOf(options.dialect);
    if (dialect < 0 && options.dialect !== undefined) {
      throw new RobotsError("invalid-field", `there is no dialect ${JSON.stringify(options.dialect)}`, `use ${dialects.join(", ")}`, "dialect");
    }
    const handle = host.parse(body, dialect, options.limit ?? 0);
    const turn = host.turn;
    [this.#host, this.#turn, this.#handle] = [host, turn, handle];
    forgotten?.register(this, () => host.releaseFile(handle, turn), this);
  }

  /**
   * Returns the rules for a crawler: a product token such as `GPTBot`, or several with
   * colons between them, of which the first one that the file names counts:
   * `Googlebot-News:Googlebot`. A whole User-Agent header is read for its product token.
   * A token that contains a comma, colon or semicolon is put in double quotes. `*` is any
   * crawler that follows the group for `*`.
   *
   * Make them once for each crawler, and use them for many URLs. Bytes are UTF-8, or what a
   * program has in its place.
   */
  rules(agent: string | Uint8Array, options: RulesOptions = {}): Rules {
    this.#host.require(this.#turn);
    return new Rules(this.#host, this.#handle, agent, (options.exact ? exactFlag : 0) | (options.asSent ? asSentFlag : 0));
  }

  /** The values of the Sitemap lines, in the order of the file. */
  get sitemaps(): string[] {
    return this.#summary().sitemaps;
  }

  /** The values of the Host lines, in the order of the file. */
  get hosts(): string[] {
    return this.#summary().hosts;
  }

  /** Whether the file has more bytes than {@link ParseOptions.limit}. */
  get truncated(): boolean {
    return this.#summary().truncated;
  }

  #summary(): { truncated: boolean; sitemaps: string[]; hosts: string[] } {
    this.#host.require(this.#turn);
    return this.#host.summarize(this.#handle);
  }

  /** Frees the memory at once. Otherwise it is freed with the object. Its rules remain valid. */
  free(): void {
    this.#host.releaseFile(this.#handle, this.#turn);
    this.#handle = 0;
    forgotten?.unregister(this);
  }
}

/** The rules of a robots.txt for one crawler. {@link Robots.rules} makes them. */
export class Rules {
  readonly #host: Host;
  readonly #turn: number;
  #handle: number;

  /** @internal */
  constructor(host: Host, file: number, agent: string | Uint8Array, flags: number) {
    const handle = host.rules(file, agent, flags);
    const turn = host.turn;
    [this.#host, this.#turn, this.#handle] = [host, turn, handle];
    forgotten?.register(this, () => host.releaseRules(handle, turn), this);
  }

  /**
   * Reports whether the crawler may fetch a URL, which is absolute or a path with its
   * query. Bytes are for URLs that are not UTF-8.
   */
  allowed(url: string | Uint8Array): boolean {
    return (this.#verdict(url) & 1) === 1;
  }

  /** Returns the verdict about a URL with the deciding line. */
  verdict(url: string | Uint8Array): LineVerdict {
    return verdictOf(this.#verdict(url));
  }

  /** Returns the verdicts about many URLs, which takes less time than one by one. */
  verdicts(urls: readonly string[]): LineVerdict[] {
    return Array.from(this.codes(urls), verdictOf);
  }

  /**
   * Returns the verdicts about many URLs as numbers: twice the deciding line, and 1 more
   * if the URL is allowed.
   */
  codes(urls: readonly string[]): Int32Array {
    this.#host.require(this.#turn);
    requireTexts("urls", urls);
    if (urls.some((url) => url.includes("\n"))) {
      return Int32Array.from(urls, (url) => this.#verdict(url));
    }
    return this.#host.verdicts(this.#handle, urls);
  }

  /**
   * Returns the verdict about a URL with its reasons: the deciding rule, its group, and the
   * other rules that match. These lose because they are shorter, because they tie with an
   * Allow, or because their line is later.
   */
  explain(url: string | Uint8Array): Decision {
    this.#host.require(this.#turn);
    return this.#host.explain(this.#handle, url);
  }

  /** How the groups that apply to the crawler were selected. */
  get matchedBy(): MatchedBy {
    this.#host.require(this.#turn);
    return this.#host.matchedBy(this.#handle);
  }

  /** The Crawl-delay in seconds; undefined if the file has none for the crawler. */
  get crawlDelay(): number | undefined {
    this.#host.require(this.#turn);
    const delay = this.#host.crawlDelay(this.#handle);
    return delay < 0 ? undefined : delay;
  }

  #verdict(url: string | Uint8Array): number {
    this.#host.require(this.#turn);
    return this.#host.verdict(this.#handle, url);
  }

  /** Frees the memory at once. Otherwise it is freed with the object. */
  free(): void {
    this.#host.releaseRules(this.#handle, this.#turn);
    this.#handle = 0;
    forgotten?.unregister(this);
  }
}

function verdictOf(code: number): LineVerdict {
  return { allowed: (code & 1) === 1, line: code >> 1 };
}

/**
 * A robots client for Node, Deno, Bun and Workers, not for browsers, which hide redirects. It
 * has no address guard: it requests private addresses too, so do not give it URLs of
 * strangers where it can reach services of your network.
 *
 * ```js
 * import { RobotsClient } from "@kosterhq/robotstxt/client";
 *
 * const robots = new RobotsClient({ userAgent: "FooBot/1.0 (+https://foobot.example)" });
 * if (await robots.allowed("https://shop.example/cart")) {
 *   // fetch it
 * }
 * ```
 *
 * @module
 */

import { attempt, type FaultKind, type Hop, type Requests, unlessAborted } from "./client/attempt.js";
import { bodyOf } from "./client/bodykind.js";
import { originOf } from "./client/location.js";
import { defaultFirstByteTimeout, defaultTimeout, maxBody, policies, type Policy } from "./client/policies.js";
import { freshFor, isFresh, judge, needsTry, type SiteAnswer, stateAfter, type State } from "./client/state.js";
import { joined, read, type Store, write } from "./client/store.js";
import { readingOf } from "./core/agent.js";
import { fold, octetsOf } from "./core/octets.js";
import { declaredBy } from "./core/sender.js";
import { parse, type Robots, RobotsError, type Rules } from "./core.js";
import type { Dialect, MatchedBy, Outcome, Source, Verdict } from "./wire.js";

export type { FaultKind, Hop } from "./client/attempt.js";
export type { Policy } from "./client/policies.js";
export type { Store } from "./client/store.js";
export { type ErrorCode, RobotsError } from "./error.js";
export type { Dialect, MatchedBy, Outcome, Source, Verdict } from "./wire.js";

/** What a robots.txt looks like. */
export type Body = "text" | "html" | "empty" | "binary";

/** The settings of a client. Only `userAgent` is required. */
export interface ClientOptions {
  /**
   * The User-Agent header of every request. It should name the crawler and a web page or
   * address of its operator: `FooBot/1.0 (+https://foobot.example)`.
   */
  userAgent: string;
  /**
   * The product token to obey, or several with colons between them. Default: that in `userAgent`,
   * which is an error if it names no crawler, as in the header of a browser.
   */
  agent?: string;
  /** What statuses and faults mean. Default: `google`. docs/policies.md has the tables. */
  policy?: Policy;
  /** How files are read. Default: as the crawler does. */
  dialect?: Dialect;
  /** Makes the requests. Default: the global `fetch`. It must not follow redirects that it is told to leave. */
  fetch?: typeof fetch;
  /**
   * Receives hints when the client is made: `userAgent` contains no contact, or none of the tokens
   * that the client obeys. Default: nothing is reported.
   */
  warn?: (message: string) => void;
  /** Returns the time in milliseconds since 1970. Default: `Date.now`. Timeouts use the system's clock. */
  now?: () => number;
  /** A cache behind the memory of the client, which may outlive the process or be shared. */
  store?: Store;
  /** How long a call of the store may take, in milliseconds. Default: 1,000. */
  storeTimeout?: number;
  /** How long a whole fetch may take, redirects included, in milliseconds. Default: 30,000. */
  timeout?: number;
  /** How long the headers of each response may take, in milliseconds. Default: 15,000. */
  firstByteTimeout?: number;
  /** How many bytes of a file are read; the rest is not downloaded. Default and minimum: 512,000. */
  maxBody?: number;
  /** How many redirects are followed. Default and minimum: 5, with policy `koster` 20. */
  maxRedirects?: number;
  /** How many bytes of files are kept in memory. Default: 64 MiB. */
  maxMemory?: number;
  /** Reports whether a 5xx response, but no 503, is a "page not found" page, which counts as 404. */
  notFoundPage?: (status: number, head: string) => boolean;
}

/**
 * Why a site has its outcome: `file`, `empty-file`, `missing` (404 and the like), `forbidden`
 * (401, 403), `redirects` (too many), `not-found-page`, `undefined-status`; or, while
 * robots.txt is unreachable, `stale-copy`, `status`, `network`, `long-outage`.
 */
export type SiteReason =
  | "file" | "empty-file" | "missing" | "forbidden" | "redirects" | "not-found-page" | "undefined-status"
  | "stale-copy" | "status" | "network" | "long-outage";

/** The robots.txt of a site at the time of a call. Times are in milliseconds since 1970. */
export interface Site {
  /** Scheme, host and port. */
  origin: string;
  outcome: Exclude<Outcome, "local">;
  source: Source;
  reason: SiteReason;
  /** The status of the response that decides, 0 without one. */
  status: number;
  /** The URL of the response, after redirects. */
  url: string;
  hops: Hop[];
  fetchedAt: number;
  /** When the answer expires; undefined while robots.txt is unreachable and no copy is fresh. */
  freshUntil?: number;
  /** Since when robots.txt has been unreachable. */
  failingSince?: number;
  /** The earliest time of the next attempt after a fault. */
  nextTry?: number;
  /** The last fault. */
  fault?: { kind: FaultKind; text: string };
  /** What the file is: HTML and binary files are read too, and usually have no rules. Undefined without a file. */
  body?: Body;
  /** The file has more bytes than {@link ClientOptions.maxBody}. */
  truncated: boolean;
  /** The file, if its rules decide. */
  robots?: Robots;
}

/** Whether the crawler may fetch a URL. */
export interface Answer {
  /** `unknown` if the site gave no answer at all and there is no copy of its file. */
  verdict: Verdict;
  /** What the crawler does: false also if the policy disallows everything for want of an answer. */
  allowed: boolean;
  /** The deciding line, 0 if none. */
  line: number;
  matchedBy: MatchedBy;
  site: Site;
}

/** Fetches, applies a policy and keeps the robots.txt of sites. */
export class RobotsClient {
  readonly #requests: Requests;
  readonly #options: ClientOptions;
  readonly #agent: string;
  readonly #memory = new Map<string, State>(); // the least recently used first
  #memorySize = 0;
  readonly #flights = new Map<string, Promise<{ state: State; source: Source }>>();
  readonly #files = new WeakMap<SiteAnswer, Robots>();

  constructor(options: ClientOptions) {
    const name = options.policy ?? "google";
    const policy = Object.hasOwn(policies, name) ? policies[name] : undefined;
    const invalid = (field: string, message: string): RobotsError => new RobotsError("invalid-field", message, "", field);
    if (typeof options.userAgent !== "string" || options.userAgent.trim() === "" || /[\0-\x1f\x7f]/.test(options.userAgent)) {
      throw invalid("userAgent", 'name the crawler and a contact, for example "FooBot/1.0 (+https://foobot.example)"');
    }
    if (policy === undefined) {
      throw invalid("policy", `must be one of ${Object.keys(policies).join(", ")}`);
    }
    for (const [field, least] of Object.entries({ maxBody, maxRedirects: 5, timeout: 1, firstByteTimeout: 1, storeTimeout: 1, maxMemory: 1 })) {
      const value = options[field as "timeout"];
      if (value !== undefined && !(value >= least)) {
        throw invalid(field, `must be at least ${least}`);
      }
    }
    this.#options = options;
    const sender = declaredBy(options.userAgent);
    if (options.agent === undefined && sender === "") {
      throw invalid("agent", `is empty, and userAgent ${JSON.stringify(options.userAgent)} names no crawler: set agent, or begin userAgent with your product, such as "FooBot/1.0 (+https://foobot.example)"`);
    }
    this.#agent = options.agent ?? JSON.stringify(sender);
    this.#rules(parse("", options.dialect && { dialect: options.dialect })); // an error if no line can name it
    if (options.warn) hintsAbout(options.userAgent, this.#agent).forEach((hint) => options.warn!(hint));
    this.#requests = {
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      now: options.now ?? Date.now,
      policy,
      policyName: options.policy ?? "google",
      userAgent: options.userAgent,
      maxBody: options.maxBody ?? maxBody,
      redirects: options.maxRedirects ?? policy.redirects,
      timeout: options.timeout ?? defaultTimeout,
      firstByteTimeout: options.firstByteTimeout ?? defaultFirstByteTimeout,
      notFoundPage: options.notFoundPage,
    };
  }

  /** Reports whether the crawler may fetch a URL now. A URL without a host is an error. */
  async allowed(url: string | URL, options?: { signal?: AbortSignal }): Promise<boolean> {
    return (await this.check(url, options)).allowed;
  }

  /** Returns whether the crawler may fetch a URL, and why. */
  async check(url: string | URL, options?: { signal?: AbortSignal }): Promise<Answer> {
    const site = await this.site(url, options);
    if (site.robots === undefined) {
      const allowed = site.outcome === "allow-all";
      const isAnswered = site.source !== "assumed" || site.fault?.kind === "status";
      return { verdict: !isAnswered ? "unknown" : allowed ? "allowed" : "disallowed", allowed, line: 0, matchedBy: "none", site };
    }
    const rules = this.#rules(site.robots);
    const { allowed, line } = rules.verdict(String(url));
    return { verdict: allowed ? "allowed" : "disallowed", allowed, line, matchedBy: rules.matchedBy, site };
  }

  /** Returns the rules of a file for the crawler. */
  #rules(robots: Robots): Rules {
    return robots.rules(this.#agent);
  }

  /**
   * Returns the robots.txt of a URL's site: from memory or the store while it is fresh, else
   * from the site. All callers share one fetch, which goes on if the signal ends a call.
   */
  async site(url: string | URL, { signal }: { signal?: AbortSignal } = {}): Promise<Site> {
    const origin = originOf(String(url));
    if (origin === undefined) {
      throw new RobotsError("invalid-field", "must be an absolute http or https URL", "", "url");
    }
    signal?.throwIfAborted();
    const state = this.#memory.get(origin);
    const now = this.#requests.now();
    if (state !== undefined && !needsTry(state, this.#requests.policy, now)) {
      this.#keep(origin, state);
      return this.#describe(origin, state, "memory");
    }
    let flight = this.#flights.get(origin);
    if (flight === undefined) {
      flight = this.#refresh(origin).finally(() => this.#flights.delete(origin));
      this.#flights.set(origin, flight);
    }
    const found = await (signal ? unlessAborted(flight, signal) : flight);
    return this.#describe(origin, found.state, found.source);
  }

  async #refresh(origin: string): Promise<{ state: State; source: Source }> {
    const { now, policy } = this.#requests;
    const { store, storeTimeout = 1000 } = this.#options;
    let last = joined(this.#memory.get(origin), store && (await read(store, origin, this.#requests, storeTimeout)));
    let source: Source = "store";
    if (needsTry(last, policy, now())) {
      last = stateAfter(last, await attempt(origin, this.#requests), now());
      source = "network";
      await (store && write(store, origin, last, this.#requests, storeTimeout));
    }
    this.#keep(origin, last!);
    return { state: last!, source };
  }

  /** Puts a state into memory, and removes those that were not used for longest. */
  #keep(origin: string, state: State): void {
    const before = this.#memory.get(origin);
    this.#memorySize += sizeOf(state) - (before ? sizeOf(before) : 0);
    this.#memory.delete(origin);
    this.#memory.set(origin, state);
    for (const [oldest, other] of this.#memory) {
      if (this.#memorySize <= (this.#options.maxMemory ?? 64 << 20) || oldest === origin) break;
      this.#memory.delete(oldest);
      this.#memorySize -= sizeOf(other);
    }
  }

  #describe(origin: string, state: State, source: Source): Site {
    const { policy, now } = this.#requests;
    const { answer, fault } = state;
    const { effect, assumed } = judge(state, policy, now());
    const outcome = effect === "copy" || effect === "file" ? "rules" : effect;
    const isCopy = effect === "copy";
    const basis = assumed ? fault! : answer!;
    const site: Site = {
      origin, outcome,
      source: assumed ? "assumed" : isCopy ? "stale" : source,
      reason: assumed ? (outcome === "allow-all" ? "long-outage" : fault!.kind === "status" ? "status" : "network") : isCopy ? "stale-copy" : reasonOf(answer!),
      status: basis.status, url: basis.url, hops: basis.hops,
      fetchedAt: assumed ? state.checkedAt : answer!.at,
      truncated: outcome === "rules" && answer!.truncated,
      ...(fault && { failingSince: fault.since, nextTry: fault.nextTry, fault: { kind: fault.kind, text: fault.text } }),
    };
    if (answer && isFresh(state, policy, now())) {
      site.freshUntil = answer.at + freshFor(answer, policy);
    }
    if (outcome === "rules") {
      site.body = bodyOf(answer!.body);
      site.robots = this.#file(answer!);
    }
    return site;
  }

  #file(answer: SiteAnswer): Robots {
    const { dialect } = this.#options;
    const robots = this.#files.get(answer) ?? parse(answer.body, { limit: -1, ...(dialect && { dialect }) });
    this.#files.set(answer, robots);
    return robots;
  }
}

/** Returns what the Go client logs too. */
function hintsAbout(userAgent: string, agent: string): string[] {
  const hints: string[] = [];
  if (!/:\/\/|@/.test(userAgent)) {
    hints.push("userAgent contains no contact: add a URL or an email address, since many sites block anonymous crawlers");
  }
  const header = fold(octetsOf(userAgent, "userAgent"));
  if (!readingOf(octetsOf(agent, "agent"), true).tokens.some((token) => header.includes(fold(token)))) {
    hints.push("userAgent contains no token of agent: begin it with the product token that the client obeys, so that sites can tell which of their rules apply");
  }
  return hints;
}

/** The approximate memory of a state: its bytes, their text and its rules. */
function sizeOf({ answer }: State): number {
  return 1000 + 8 * (answer?.body.length ?? 0);
}

function reasonOf({ of, status, body, truncated }: SiteAnswer): SiteReason {
  if (of === "file" || of === "empty-file") return body.length === 0 && !truncated ? "empty-file" : "file";
  if (of === "forbidden") return "forbidden";
  if (of === "undefined") return "undefined-status";
  return status < 400 ? "redirects" : status >= 500 ? "not-found-page" : "missing";
}

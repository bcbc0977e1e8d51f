// One attempt to fetch a robots.txt: fetch/http.go does the same.

import { bodyOf } from "./bodykind.js";
import { compressions, lifetime, retryAfter } from "./headers.js";
import { redirectTarget } from "./location.js";
import { type Class, type Policy, type PolicyTable, statuses } from "./policies.js";

/** A redirect on the way to a robots.txt. */
export interface Hop {
  url: string;
  status: number;
}

/** Why there is no answer. */
export type FaultKind = "status" | "timeout" | "network";

/** The result of an attempt. */
export interface Attempt {
  of: Class;
  status: number; // 0 without a response
  url: string; // of the response
  hops: Hop[];
  next?: string; // usable Location of a response that was not followed
  body: Uint8Array;
  truncated: boolean;
  lifetime: number | undefined; // freshness that the headers state
  retryAfter: number;
  fault?: { kind: FaultKind; text: string };
}

/** What an attempt needs of the client. */
export interface Requests {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly policy: PolicyTable;
  readonly policyName: Policy;
  readonly userAgent: string;
  readonly maxBody: number;
  readonly redirects: number;
  readonly timeout: number;
  readonly firstByteTimeout: number;
  readonly notFoundPage: ((status: number, head: string) => boolean) | undefined;
}

export function classOf(status: number): Class {
  return statuses.find(([first, last]) => first <= status && status <= last)?.[2] ?? "unreachable";
}

/** Reports whether a response with this status and a usable Location is followed, after a number of redirects. */
export function follows(status: number, hops: number, { policy, redirects }: Requests): boolean {
  return (classOf(status) === "redirect" || (status === 300 && policy.untilFound)) && hops < redirects;
}

/** Reports whether a redirect that is not followed makes the file unreachable. */
export function loses({ onEvidence, untilFound }: PolicyTable, tooMany: boolean): boolean {
  return onEvidence || (tooMany && untilFound);
}

/** Returns why a class or a body leaves the rules unknown, undefined if they do not. */
export function faultOfClass(of: Class, status: number, policy: PolicyTable, body?: Uint8Array, truncated = false): string | undefined {
  const isFault = of === "unreachable" || (of === "undefined" && policy.effects.undefined === "disallow-all") || (policy.onEvidence && (of === "rejected" || of === "forbidden"));
  if (isFault) {
    return `HTTP status ${status}`;
  }
  if (of === "file" && policy.onEvidence && body) {
    if (truncated && body.length === 0) return `HTTP status ${status}: a first line that is longer than the limit`;
    const kind = bodyOf(body);
    if (kind === "html") return `HTTP status ${status}: a web page instead of a robots.txt`;
    if (kind === "binary") return `HTTP status ${status}: a body that is not text`;
  }
  return undefined;
}

/** Fetches the robots.txt of an origin, in at most the time that requests allow. It does not throw an error. */
export async function attempt(site: string, requests: Requests): Promise<Attempt> {
  const a: Attempt = { of: "unreachable", status: 0, url: `${site}/robots.txt`, hops: [], body: new Uint8Array(), truncated: false, lifetime: undefined, retryAfter: 0 };
  const controller = new AbortController();
  const { signal } = controller;
  const timers: ReturnType<typeof setTimeout>[] = [];
  const stop = (after: number): (() => void) => {
    const timer = setTimeout(() => controller.abort(new DOMException("the server took too long to respond", "TimeoutError")), after);
    timers.push(timer);
    return () => clearTimeout(timer);
  };
  stop(requests.timeout);
  const follow = async (): Promise<void> => {
    while (!(await get(a, requests, signal, stop)));
  };
  try {
    // A fetch or a reader may heed no signal: some bodies that Node cannot decompress never end.
    await unlessAborted(follow(), signal);
    return a;
  } catch (error) {
    const kind = signal.aborted ? "timeout" : "network";
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
    const failed: Attempt = { ...a, hops: [...a.hops] }; // a copy: what arrives later changes nothing
    if (a.fault === undefined) fail(failed, kind, kind === "timeout" ? "the server took too long to respond" : `${error instanceof Error ? error.message : error}${cause}`);
    return failed;
  } finally {
    timers.forEach((timer) => clearTimeout(timer));
    controller.abort(); // closes the connection, so the rest is not downloaded
  }
}

/** Returns what a promise does, unless a signal ends the wait for it. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

function fail(a: Attempt, kind: FaultKind, text: string): true {
  a.of = "unreachable";
  a.body = new Uint8Array();
  a.fault = { kind, text: text.replace(/[\0-\x1f\x7f-\x9f]/g, " ").slice(0, 400) };
  return true;
}

/** Makes one request, and returns false if the response is a redirect to follow. */
async function get(a: Attempt, requests: Requests, signal: AbortSignal, stop: (after: number) => () => void): Promise<boolean> {
  signal.throwIfAborted(); // a late answer is followed by no other request
  a.status = 0;
  const answered = stop(requests.firstByteTimeout);
  const { fetch } = requests;
  const response = await fetch(a.url, {
    redirect: "manual", // so that each target is checked, and the last response is known
    signal,
    // Runtimes hide it if a compressed body is incomplete.
    headers: { "user-agent": requests.userAgent, accept: "text/plain, */*;q=0.5", "accept-encoding": "identity" },
  });
  answered();
  a.status = response.status;
  a.of = classOf(a.status);
  const { policy } = requests;
  const now = requests.now();
  if (a.of === "redirect" || a.status === 300) {
    const target = redirectTarget(a.url, response.headers.get("location"));
    if (target !== undefined && follows(a.status, a.hops.length, requests)) {
      a.hops.push({ url: a.url, status: a.status });
      a.url = target;
      void response.body?.cancel().catch(() => {});
      return false;
    }
    if (target !== undefined) a.next = target;
    const isRedirect = a.of === "redirect" || policy.untilFound;
    if (isRedirect && loses(policy, target !== undefined)) {
      a.retryAfter = retryAfter(response.headers, now);
      return fail(a, "status", `HTTP status ${a.status}: ${target === undefined ? "no usable Location" : `${a.hops.length} redirects before`}`);
    }
    if (a.of === "redirect") a.of = "unavailable"; // like 404
  }
  a.lifetime = lifetime(response.headers, now);
  a.retryAfter = retryAfter(response.headers, now);
  if (faultOfClass(a.of, a.status, policy) !== undefined) a.of = "unreachable";
  const whole = a.status === 206 ? wholeRange(response.headers) : undefined;
  if (a.of === "file" || whole !== undefined) {
    await readFile(a, response, requests.maxBody, whole);
    const why = a.fault ? undefined : faultOfClass(a.of, a.status, policy, a.body, a.truncated);
    return why === undefined || fail(a, "status", why);
  }
  if (a.of === "unreachable") {
    fail(a, "status", `HTTP status ${a.status}`); // stands if the page does not arrive in time
    if (await isNotFoundPage(a.status, response, requests)) {
      a.of = "unavailable";
      delete a.fault;
    }
  }
  return true;
}

async function readFile(a: Attempt, response: Response, maxBody: number, whole: number | undefined): Promise<true> {
  const compressed = compressions(response.headers);
  if (compressed.length > 1 || (compressed[0] !== undefined && !/^(?:x-)?gzip$/.test(compressed[0]))) {
    return fail(a, "network", `the server sent Content-Encoding ${compressed.join(", ")}, but only gzip was requested`);
  }
  const { bytes, truncated } = await read(response, maxBody);
  const isRaw = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (compressed.length > 0 && (isRaw || (bytes.length === 0 && response.headers.get("content-length") !== "0"))) {
    return fail(a, "network", "the body could not be decompressed");
  }
  if (whole !== undefined && compressed.length === 0 && !truncated && bytes.length !== whole) {
    return fail(a, "network", `Content-Range promises ${whole} bytes, and ${bytes.length} arrived`);
  }
  a.of = "file";
  a.truncated = truncated;
  a.body = truncated ? wholeLines(bytes, maxBody) : bytes;
  return true;
}

/** Reads the beginning of a body, and one byte more. */
async function read(response: Response, most: number): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader && size <= most) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  void reader?.cancel().catch(() => {});
  const bytes = new Uint8Array(Math.min(size, most + 1));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, bytes.length - at), at);
    at = Math.min(at + chunk.length, bytes.length);
  }
  return { bytes, truncated: size > most };
}

/** Returns the lines that end within a limit: half of "Disallow: /private" would be "Disallow: /". */
export function wholeLines(bytes: Uint8Array, limit: number): Uint8Array {
  const isEnd = bytes[limit] === 10 || bytes[limit] === 13;
  return bytes.subarray(0, isEnd ? limit : Math.max(bytes.lastIndexOf(10, limit - 1), bytes.lastIndexOf(13, limit - 1)) + 1);
}

/** Returns n for a Content-Range of "bytes 0-(n-1)/n", unless the length differs. [RFC 9110 14.4] */
function wholeRange(headers: Headers): number | undefined {
  const [, last, size] = /^\s*bytes 0-(\d+)\/(\d+)\s*$/i.exec(headers.get("content-range") ?? "") ?? [];
  const n = Number(size);
  const length = headers.get("content-length");
  return size !== undefined && n > 0 && String(n - 1) === last && (length === null || Number(length) === n) ? n : undefined;
}

async function isNotFoundPage(status: number, response: Response, { notFoundPage, policy }: Requests): Promise<boolean> {
  if (notFoundPage === undefined || policy.onEvidence || status < 500 || status > 599 || status === 503) {
    return false;
  }
  try {
    const { bytes } = await read(response, 4096);
    return notFoundPage(status, new TextDecoder().decode(bytes.subarray(0, 4096)));
  } catch {
    return false;
  }
}

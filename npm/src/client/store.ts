// What a client knows, as text in a store.

import type { Requests } from "./attempt.js";
import { policies } from "./policies.js";
import type { Fault, SiteAnswer, State } from "./state.js";
import { onTerms, type Within, within as termsOf } from "./terms.js";

/** A cache of texts by keys, such as a file, a KV namespace or a Redis server. */
export interface Store {
  get(key: string): Promise<string | null | undefined> | string | null | undefined;
  /** Keeps a text, which is of use for 60 days. */
  set(key: string, value: string): Promise<unknown> | unknown;
}

/** The form of the texts. Texts of another form are ignored. */
const form = "robotstxt 2 ";

/** The form of a state in a store. */
type Row = Omit<State, "answer"> & { readonly answer?: Omit<SiteAnswer, "body"> & { body: string }; readonly within: Within };

/** Reports whether a value has these fields and no others, each with a value that its check accepts. */
function has(value: unknown, checks: Record<string, (value: unknown) => boolean>): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  const fields = new Map(Object.entries(value));
  return [...fields.keys()].every((name) => Object.hasOwn(checks, name)) && Object.entries(checks).every(([name, check]) => check(fields.get(name)));
}

const isTime = Number.isFinite;
const isText = (value: unknown): boolean => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isOneOf = (names: readonly string[]) => (value: unknown): boolean => names.includes(value as string);
const isHops = (value: unknown): boolean => Array.isArray(value) && value.every((hop) => has(hop, { url: isText, status: isCount }));
const isOptional = (check: (value: unknown) => boolean) => (value: unknown): boolean => value === undefined || check(value);

/** Reports whether a value has the form of a state, in which nothing is missing or unknown. */
function isRow(row: unknown): row is Row {
  const answer: Record<keyof SiteAnswer, (value: unknown) => boolean> = {
    of: isOneOf(Object.keys(policies.google.effects)), status: isCount, url: isText, hops: isHops, next: isOptional(isText), at: isTime,
    lifetime: isOptional((value) => isTime(value) && (value as number) >= 0), truncated: (value) => typeof value === "boolean", body: isText,
  };
  const fault: Record<keyof Fault, (value: unknown) => boolean> = {
    kind: isOneOf(["status", "timeout", "network"]), text: isText, status: isCount, url: isText, hops: isHops, next: isOptional(isText),
    since: isTime, tries: (value) => isCount(value) && value !== 0, nextTry: isTime,
  };
  const state: Record<keyof State | "within", (value: unknown) => boolean> = {
    checkedAt: isTime, answer: isOptional((value) => has(value, answer)), fault: isOptional((value) => has(value, fault)),
    within: (value) => has(value, { policy: isOneOf(Object.keys(policies)), redirects: isCount, body: isCount, notFound: (value) => typeof value === "boolean" }),
  };
  return has(row, state) && ((row as State).answer ?? (row as State).fault) !== undefined;
}

/** Reads the state of an origin, undefined if there is none that means anything to the client, or if the store fails. */
export async function read(store: Store, origin: string, requests: Requests, timeout: number): Promise<State | undefined> {
  try {
    const text = await within(timeout, async () => store.get(origin));
    if (!text?.startsWith(form)) {
      return undefined;
    }
    const row: unknown = JSON.parse(text.slice(form.length));
    if (!isRow(row)) {
      return undefined;
    }
    const { answer, within: limits, ...rest } = row;
    return onTerms(answer ? { ...rest, answer: { ...answer, body: Uint8Array.from(atob(answer.body), (c) => c.charCodeAt(0)) } } : rest, limits, requests);
  } catch {
    return undefined; // the site is asked instead
  }
}

/** Writes a state. If the store fails, it is in memory only. */
export async function write(store: Store, origin: string, state: State, requests: Requests, timeout: number): Promise<void> {
  const { answer } = state;
  let body = "";
  answer?.body.forEach((byte) => (body += String.fromCharCode(byte)));
  const text = form + JSON.stringify({ ...state, within: termsOf(requests), ...(answer && { answer: { ...answer, body: btoa(body) } }) });
  try {
    await within(timeout, async () => store.set(origin, text));
  } catch {}
}

async function within<T>(timeout: number, call: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the store did not respond in time")), timeout);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the newer of two states, with the answer of the older one if only that has it. */
export function joined(a: State | undefined, b: State | undefined): State | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  const [newer, older] = a.checkedAt < b.checkedAt ? [b, a] : [a, b];
  const isMissing = newer.fault && older.answer && !(newer.answer && newer.answer.at >= older.answer.at);
  return isMissing ? { ...newer, answer: older.answer! } : newer;
}

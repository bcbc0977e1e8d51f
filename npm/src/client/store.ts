// What a client knows, as text in a store.

import type { State } from "./state.js";

/** A cache of texts by keys, such as a file, a KV namespace or a Redis server. */
export interface Store {
  get(key: string): Promise<string | null | undefined> | string | null | undefined;
  /** Keeps a text, which is of use for 60 days. */
  set(key: string, value: string): Promise<unknown> | unknown;
}

/** The form of the texts. Texts of another form are ignored. */
const form = "robotstxt 1 ";

/** Reads the state of an origin, undefined if there is none or if the store fails. */
export async function read(store: Store, origin: string, timeout: number): Promise<State | undefined> {
  try {
    const text = await within(timeout, async () => store.get(origin));
    if (!text?.startsWith(form)) {
      return undefined;
    }
    const state = JSON.parse(text.slice(form.length)) as State & { answer?: { body: unknown } };
    if (state.answer) {
      state.answer.body = Uint8Array.from(atob(String(state.answer.body)), (c) => c.charCodeAt(0));
    }
    return Number.isFinite(state.checkedAt) && (state.answer || state.fault) ? state : undefined;
  } catch {
    return undefined; // the site is asked instead
  }
}

/** Writes a state. If the store fails, it is in memory only. */
export async function write(store: Store, origin: string, state: State, timeout: number): Promise<void> {
  const { answer } = state;
  let body = "";
  answer?.body.forEach((byte) => (body += String.fromCharCode(byte)));
  const text = form + JSON.stringify({ ...state, ...(answer && { answer: { ...answer, body: btoa(body) } }) });
  try {
    await within(timeout, async () => store.set(origin, text));
  } catch {}
}

async function within<T>(timeout: number, call: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the store takes too long")), timeout);
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

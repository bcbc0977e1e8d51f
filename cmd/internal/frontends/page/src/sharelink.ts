// The state of the page as a link. The data are in the fragment of the URL, which
// browsers send to no server.
//
// A fragment is "s1." and the base64url form of a JSON object, compressed with raw
// DEFLATE. Links come from strangers: sizes are checked while the data are read, every
// field is checked, and other fields are ignored.

import { fromBase64URL, toBase64URL } from "./bytes";
import { type Contents, encodings, lineEnds, missingCharacter } from "./encoding";
import { readings, type State, views } from "./state";

/** The part of the state that a link contains. The answers are computed again. */
export type Shared = Pick<State, keyof Contents | "agents" | "purposes" | "urls" | "dialect" | "view"> & {
  /** The file that the edited one is compared with. */
  readonly before: (Contents & { readonly name: string }) | null;
  /** Where the edited one is from, null if that is not known. A link names it if it is not the file before. */
  readonly source: { readonly name: string } | null;
};

/** The limits of links, in characters unless something else is said. */
export const limits = {
  /** A fragment. Browsers accept some two million characters in a URL. */
  fragment: 400_000,
  /** A link that some mail and chat programs cut. */
  comfortable: 8_000,
  /** The JSON, in bytes. */
  json: 3 << 20,
  /** A robots.txt. Crawlers read 500 KiB of it. */
  text: 1 << 20,
  name: 2_000,
  agents: 200,
  agent: 1_000,
  purposes: 50,
  urls: 10_000,
  url: 16_384,
} as const;

/** Why a link cannot be made or read. */
export type ShareProblem = "too-large" | "version" | "damaged";

/** The error of makeFragment and readFragment. */
export class ShareError extends Error {
  constructor(readonly problem: ShareProblem) {
    super(`the shared state is unusable: ${problem}`);
  }
}

const prefix = "s1.";

/** Returns the fragment, without "#", of a link to a state. */
export async function makeFragment(state: Shared): Promise<string> {
  const object = {
    t: state.text,
    ...formOf(state, "e", "x"),
    ...(state.source?.name === state.before?.name ? {} : { s: state.source?.name ?? "" }),
    ...(state.before ? { b: state.before.text, n: state.before.name, ...formOf(state.before, "be", "bx") } : {}),
    a: state.agents,
    p: state.purposes,
    u: state.urls,
    d: state.dialect,
    v: state.view,
  };
  if (!checked(object)) throw new ShareError("too-large");
  const json = new TextEncoder().encode(JSON.stringify(object));
  if (json.length > limits.json) throw new ShareError("too-large");
  const packed = await transform(json, new CompressionStream("deflate-raw"), limits.fragment);
  const fragment = prefix + toBase64URL(packed);
  if (fragment.length > limits.fragment) throw new ShareError("too-large");
  return fragment;
}

/**
 * Returns the state in a fragment, with or without "#", or undefined if the fragment
 * is not one of a shared state. A state that is damaged, too large, or of another
 * version is a ShareError.
 */
export async function readFragment(fragment: string): Promise<Shared | undefined> {
  if (fragment.startsWith("#")) fragment = fragment.slice(1);
  const version = /^s\d+\./.exec(fragment)?.[0];
  if (version === undefined) return undefined;
  if (version !== prefix) throw new ShareError("version");
  if (fragment.length > limits.fragment) throw new ShareError("too-large");
  const packed = fromBase64URL(fragment.slice(prefix.length));
  if (!packed) throw new ShareError("damaged");
  const json = await transform(packed, new DecompressionStream("deflate-raw"), limits.json);
  let object: unknown;
  try {
    object = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch {
    throw new ShareError("damaged");
  }
  const state = checked(object);
  if (!state) throw new ShareError("damaged");
  return state;
}

/** Returns the fields with the line ends and the encoding of a file. */
function formOf({ lineEnd, encoding }: Contents, end: string, code: string): Record<string, number> {
  return { [end]: lineEnds.indexOf(lineEnd), [code]: encodings.indexOf(encoding) };
}

/** Returns a fragment if it seems to be one of a shared state, and "" otherwise. */
export function sharedFragment(fragment: string): string {
  return /^#?s\d+\./.test(fragment) ? fragment : "";
}

/** Returns the URL of a page with another fragment. */
export function linkTo(page: string, fragment: string): string {
  return page.replace(/#.*$/s, "") + "#" + fragment;
}

/** Returns the state that an object of JSON is, or undefined if a field is wrong or too large. */
function checked(object: unknown): Shared | undefined {
  if (typeof object !== "object" || object === null) return undefined;
  const field = (name: string): unknown => (Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined);
  const file = contentsOf(field("t"), field("e"), field("x"));
  const [agents, purposes, urls] = [field("a"), field("p"), field("u")];
  const dialect = readings.find((known) => known === field("d"));
  const view = field("v") === "tree" ? "grid" : views.find((known) => known === field("v")); // a view of an earlier page
  const hasBefore = field("b") !== undefined;
  const before = contentsOf(field("b"), field("be"), field("bx"));
  const name = field("n");
  const source = field("s") ?? (hasBefore ? name : "");
  if (
    !file ||
    !isList(agents, limits.agents, limits.agent) ||
    !isList(purposes, limits.purposes, limits.agent) ||
    !isList(urls, limits.urls, limits.url) ||
    dialect === undefined ||
    view === undefined ||
    !isText(source, limits.name) ||
    (hasBefore && !(before && isText(name, limits.name)))
  ) {
    return undefined;
  }
  return { ...file, before: before ? { ...before, name: String(name) } : null, source: source === "" ? null : { name: source }, agents, purposes, urls, dialect, view };
}

/** Returns a file whose fields are from JSON, undefined if one of them is wrong. */
function contentsOf(text: unknown, end: unknown = 0, code: unknown = 0): Contents | undefined {
  const [lineEnd, encoding] = [lineEnds[Number(end)], encodings[Number(code)]];
  if (!isText(text, limits.text) || lineEnd === undefined || encoding === undefined) return undefined;
  const contents = { text: withLF(text), lineEnd, encoding };
  return missingCharacter(contents) === undefined ? contents : undefined;
}

function isText(value: unknown, most: number): value is string {
  return typeof value === "string" && value.length <= most;
}

function isList(value: unknown, most: number, each: number): value is string[] {
  return Array.isArray(value) && value.length <= most && value.every((item) => isText(item, each) && !/[\r\n]/.test(item));
}

/** Returns a text whose lines end with LF, as those of the state do. */
function withLF(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** Returns the output of a stream. It stops at more bytes than most, with an error. */
async function transform(input: Uint8Array<ArrayBuffer>, through: GenericTransformStream, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const writer = through.writable.getWriter();
  // The reader reports the errors of the writer too.
  void writer.write(input).catch(() => undefined);
  void writer.close().catch(() => undefined);
  const reader = (through.readable as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ShareError("damaged");
    });
    if (done) break;
    size += value.length;
    if (size > most) {
      void reader.cancel().catch(() => undefined);
      throw new ShareError("too-large");
    }
    chunks.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

// What this browser keeps may be from another version of the page, or damaged. As in a link,
// every field is checked before it is used. Sizes are not: what was stored was in the editor.

import type { Entry, Kept, Session } from "./documents";
import { type Contents, encodings, lineEnds, missingCharacter } from "./encoding";
import { readings, views } from "./state"; // "tree" was a view of an earlier page

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isNumber: Check = Number.isFinite;
const isDate: Check = (value) => isNumber(value) && !Number.isNaN(new Date(value as number).getTime()); // in milliseconds
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isLine: Check = (value) => typeof value === "string" && !/[\r\n]/.test(value);
const isTime: Check = (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value));
const isOrigin: Check = (value) => typeof value === "string" && /^(https?|ftp):\/\/[^/?#@\\\s]+$/.test(value);
const isOneOf = (values: readonly unknown[]): Check => (value) => values.includes(value);
const isOptional = (check: Check): Check => (value) => value === undefined || check(value);
const isNullOr = (check: Check): Check => (value) => value === null || check(value);
const isListOf = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);

/** Returns a check of an object's fields. Other fields may be there. */
const has = (checks: Readonly<Record<string, Check>>): Check => (value) =>
  typeof value === "object" && value !== null && Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]));

const contents = {
  text: (value: unknown) => typeof value === "string" && !value.includes("\r"),
  lineEnd: isOneOf(lineEnds),
  encoding: isOneOf(encodings),
};

const isContents: Check = (value) => has(contents)(value) && missingCharacter(value as Contents) === undefined;

// An answer needs each of these: a service that cannot read one of them refuses the whole question.
const isSite = has({
  schema: isOneOf([1]), robots_url: isText, fetch_reason: isText, status: isCount, source: isText, fetched_at: isTime, policy: isText,
  outcome: isOneOf(["rules", "allow-all", "disallow-all"]), origin: isOrigin, final_url: isText,
  hops: isListOf(has({ url: isText, status: isCount })), bytes: isCount, truncated: isFlag, delimited: isFlag, headers: isOptional(isListOf(has({ name: isText, value: isText }))),
  asked: isOptional(isText), fault: isOptional(isText), edge: isOptional(isText), proxy: isOptional(isText), body: isOptional(isText), error: isOptional(isText),
  fresh_until: isOptional(isTime), next_try: isOptional(isTime), failing_since: isOptional(isTime), age: isOptional(isCount), credentials: isOptional(isFlag),
});

const isBefore: Check = (value) => isContents(value) && has({ name: isText, site: isOptional(isSite), other: isOptional(isFlag) })(value);

const isDocument = has({ id: isText, name: isText, named: isOptional(isFlag), opened: isContents });

const isKeptState = has({
  before: isNullOr(isBefore), source: isNullOr(isBefore), sites: isListOf(has({ schema: isOneOf([1]), site: isSite, body: isText })),
  agents: isListOf(isLine), purposes: isListOf(isLine), urls: isListOf(isLine), dialect: isOneOf(readings), view: isOneOf([...views, "tree"]), document: isDocument,
});

/** Reports whether a stored value is a document that the page can show. */
export function isKept(value: unknown): value is Kept {
  return isContents(value) && isKeptState(value);
}

const entry = has({ id: isText, name: isText, named: isOptional(isFlag), copy: isOptional(isCount), changed: isDate, edited: isFlag, lines: isCount });

/** Reports whether a stored value is a row of the list of documents. */
export function isEntry(value: unknown): value is Entry {
  return entry(value);
}

const session = has({ id: isText, address: isText, selected: isOptional(isNullOr(has({ agent: isText, url: isText }))), left: isOptional(isFlag) });

/** Reports whether a stored value is what the session of a tab remembers, apart from its documents. */
export function isSession(value: unknown): value is Omit<Session, "unsaved"> & { readonly unsaved?: unknown } {
  return session(value);
}

/** Returns the name of a stored document that the page cannot show, undefined if it has none. */
export function storedName(value: unknown): string | undefined {
  const { name, document } = Object(value) as { name?: unknown; document?: unknown };
  return [name, (Object(document) as { name?: unknown }).name].find((text): text is string => typeof text === "string" && text !== "");
}

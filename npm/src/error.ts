/**
 * The kind of an error. The values are stable.
 *
 * - `malformed-request`: the request has an unknown field or is not an object
 * - `unknown-call`: the module has no such call
 * - `invalid-field`: a value is wrong, see {@link RobotsError.field}
 * - `limit-exceeded`: the input is larger than a module can take
 * - `out-of-memory`: the memory of the module, at most 4 GiB, did not suffice
 * - `instance-lost`: the object is of an instance that has ended after a fatal error
 * - `internal`: a fault of this package
 */
export type ErrorCode =
  | "malformed-request"
  | "unknown-call"
  | "invalid-field"
  | "limit-exceeded"
  | "out-of-memory"
  | "instance-lost"
  | "internal";

/** The error of every function of this package, except those of loading a file. */
export class RobotsError extends Error {
  constructor(
    /** The kind of the error, for programs. */
    readonly code: ErrorCode,
    message: string,
    /** What to do; may be empty. */
    readonly hint: string = "",
    /** The field of the request that is wrong; empty if it is none. */
    readonly field: string = "",
  ) {
    super(field ? `${field}: ${message}` : message);
    this.name = "RobotsError";
  }
}

/** Reports whether a value is a Uint8Array, of another realm too, as in the tests of Jest. */
export function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/**
 * Returns the error for a value that is not a text. It is not converted: a URL object would
 * otherwise be an empty URL, which most files allow.
 */
export function mistyped(field: string, value: unknown): RobotsError {
  const isURL = value instanceof URL;
  const kind = value === null ? "null" : isURL ? "a URL object" : typeof value;
  return new RobotsError("invalid-field", `must be a string, not ${kind}`, isURL ? "use its href" : "", field);
}

/** Throws an error if a value is not an array of strings. */
export function requireTexts(field: string, texts: readonly string[]): void {
  if (!Array.isArray(texts)) {
    throw new RobotsError("invalid-field", "must be an array of strings", "", field);
  }
  const wrong = texts.findIndex((text) => typeof text !== "string");
  if (wrong >= 0) {
    throw mistyped(`${field}/${wrong}`, texts[wrong]);
  }
}

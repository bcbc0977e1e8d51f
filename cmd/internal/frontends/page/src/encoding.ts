// A robots.txt is bytes. The page shows them as text from which the same bytes can be
// made again: every sequence of bytes survives decode and encode.
//
// Lone surrogates are what has no character of its own: U+DC80 to U+DCFF are bytes that
// are not UTF-8, and the marks of lineEndMarks are before the line ends that differ from
// those of most lines.

import { fromBase64, toBase64 } from "./bytes";

/** How the lines of a file end. In texts they end with LF. */
export type LineEnd = "\n" | "\r\n" | "\r";

export const lineEnds: readonly LineEnd[] = ["\n", "\r\n", "\r"];

/** How the characters of a file are encoded. */
export type Encoding = "utf-8" | "windows-1252" | "utf-16le" | "utf-16be";

export const encodings: readonly Encoding[] = ["utf-8", "windows-1252", "utf-16le", "utf-16be"];

/** A file: its bytes are encode(contents). */
export interface Contents {
  readonly text: string; // lines end with LF
  readonly lineEnd: LineEnd; // of most lines
  readonly encoding: Encoding;
}

export const byteOrderMark = "\ufeff";

/** The characters before an LF that stand for another line end than that of most lines. */
const lineEndMarks: Readonly<Record<LineEnd, string>> = { "\n": "\udc0a", "\r\n": "\udc0d", "\r": "\udc0e" };

// With the flag u, these match lone surrogates and not halves of pairs.
const marks = /[\udc0a\udc0d\udc0e]/u;
const marksEverywhere = /([\udc0a\udc0d\udc0e]*)(\n?)/gu;
const loneSurrogate = /\p{Surrogate}/u;
const wrongBytes = /[\udc80-\udcff]/gu;

/** Reports whether two files have the same bytes. */
export function sameContents(a: Contents, b: Contents): boolean {
  return a.text === b.text && a.lineEnd === b.lineEnd && a.encoding === b.encoding;
}

/** Returns the contents of bytes, in the encoding that they seem to have if none is given. */
export function decode(bytes: Uint8Array<ArrayBuffer>, encoding?: Encoding): Contents {
  for (const name of encoding ? [encoding] : encodingsOf(bytes)) {
    const contents = { ...readLines(decoders[name](bytes)), encoding: name };
    if (equal(encode(contents), bytes)) {
      return contents;
    }
  }
  return { ...readLines(decodeUTF8(bytes)), encoding: "utf-8" }; // that always has the same bytes
}

/** Returns the bytes of a file. A character that the encoding lacks becomes UTF-8. */
export function encode(contents: Contents): Uint8Array<ArrayBuffer> {
  return encoders[contents.encoding](written(contents));
}

/** Returns the field of a request that has a file: the text, or the bytes if a text cannot say them. */
export function bodyOf(contents: Contents, field?: "body"): { body: string } | { body_base64: string };
export function bodyOf<Field extends string>(contents: Contents, field: Field): { [Name in Field | `${Field}_base64`]?: string };
export function bodyOf(contents: Contents, field = "body"): Record<string, string> {
  const text = written(contents);
  if (contents.encoding === "utf-8" && !loneSurrogate.test(text)) {
    return { [field]: text };
  }
  return { [`${field}_base64`]: toBase64(encoders[contents.encoding](text)) };
}

/** Returns the bytes of the field body of a result: raw has those that are not UTF-8. */
export function bytesOfResult(result: { readonly body?: string; readonly raw?: Readonly<Record<string, string>> }): Uint8Array<ArrayBuffer> {
  const raw = result.raw?.["/body"];
  return raw === undefined ? new TextEncoder().encode(result.body ?? "") : fromBase64(raw);
}

/** Returns the first character of a file that its encoding lacks. */
export function missingCharacter({ text, encoding }: Pick<Contents, "text" | "encoding">): string | undefined {
  return encoding === "windows-1252" ? outside1252.exec(text)?.[0] : undefined;
}

/** Returns the contents in UTF-8: the same characters, and other bytes. */
export function inUTF8(contents: Contents): Contents {
  return { ...contents, text: contents.encoding === "utf-8" ? contents.text : contents.text.replace(byteOrderMark, ""), encoding: "utf-8" };
}

/** Returns how many bytes of a file are not UTF-8 though it seems to be. */
export function countWrongBytes({ text, encoding }: Contents): number {
  return encoding === "utf-8" ? (text.match(wrongBytes)?.length ?? 0) : 0;
}

/** Reports whether lines of a text end in another way than most. */
export function hasOtherEnds(text: string): boolean {
  return marks.test(text);
}

/** Returns a text for other programs, in which all lines end alike. */
export function withoutEndMarks(text: string): string {
  return text.replace(/[\udc0a\udc0d\udc0e]/gu, "");
}

/** Returns how a lone surrogate is shown: a byte, a line end. */
export function nameOfSurrogate(code: number): string {
  if (code >= 0xdc80 && code <= 0xdcff) {
    return `\\x${(code - 0xdc00).toString(16).toUpperCase()}`;
  }
  return { 0xdc0a: "LF", 0xdc0d: "CRLF", 0xdc0e: "CR" }[code] ?? `\\u${code.toString(16)}`;
}

/** Returns a text with LF at the end of each line, and how most of its lines end. */
export function readLines(text: string): { text: string; lineEnd: LineEnd } {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const crlf = count(/\r\n/g);
  const cr = count(/\r/g) - crlf;
  const lf = count(/\n/g) - crlf;
  const lineEnd = crlf > lf && crlf >= cr ? "\r\n" : cr > lf ? "\r" : "\n";
  const ends = [crlf, cr, lf].filter((n) => n > 0).length;
  return {
    text: ends > 1 ? text.replace(/\r\n|\r|\n/g, (end) => (end === lineEnd ? "\n" : `${lineEndMarks[end as LineEnd]}\n`)) : text.replace(/\r\n?/g, "\n"),
    lineEnd,
  };
}

/** Returns the text of a file with the line ends that it has when it is saved. */
export function written({ text, lineEnd }: Pick<Contents, "text" | "lineEnd">): string {
  if (!marks.test(text)) {
    return lineEnd === "\n" ? text : text.replaceAll("\n", lineEnd);
  }
  const endOf = (mark: string): LineEnd => lineEnds.find((end) => lineEndMarks[end] === mark) ?? lineEnd;
  // A mark that an edit took away from the end of its line means nothing.
  return text.replace(marksEverywhere, (_, found: string, end: string) => (end === "" ? "" : endOf(found.slice(-1))));
}

/** Returns the encodings that bytes may have, the most likely one first. */
function encodingsOf(bytes: Uint8Array): Encoding[] {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  const isLetter = (byte: number): boolean => byte > 0 && byte < 0x80;
  const marked = (a === 0xff && b === 0xfe && (c !== 0 || d !== 0)) || (a === 0xfe && b === 0xff);
  const wide = marked || (bytes.length >= 4 && isLetter(a) && b === 0 && isLetter(c) && d === 0) || (bytes.length >= 4 && a === 0 && isLetter(b) && c === 0 && isLetter(d));
  if (wide) {
    return [a === 0xff || (a !== 0xfe && b === 0) ? "utf-16le" : "utf-16be", "utf-8"];
  }
  // Characters of several bytes that are right by chance are rare in other encodings.
  let [right, wrong] = [0, 0];
  for (let i = 0; i < bytes.length; ) {
    const size = sizeAt(bytes, i);
    right += size > 1 ? 1 : 0;
    wrong += size === 0 ? 1 : 0;
    i += size || 1;
  }
  return wrong > 0 && right === 0 && !bytes.includes(0) ? ["windows-1252", "utf-8"] : ["utf-8"];
}

/** Returns how many bytes the UTF-8 of the character at an index has, 0 if it is none. */
function sizeAt(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
  if (first < 0x80) {
    return 1;
  }
  const size = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  // No overlong forms, no surrogates, nothing above U+10FFFF: RFC 3629, section 4.
  const least = { 0xe0: 0xa0, 0xf0: 0x90 }[first] ?? 0x80;
  const most = { 0xed: 0x9f, 0xf4: 0x8f }[first] ?? 0xbf;
  if (size === 0 || at + size > bytes.length || second < least || second > most) {
    return 0;
  }
  for (let i = at + 2; i < at + size; i++) {
    if (((bytes[i] ?? 0) & 0xc0) !== 0x80) {
      return 0;
    }
  }
  return size;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUTF8(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    // The bytes that are not UTF-8 are kept one by one.
  }
  let text = "";
  let from = 0;
  for (let i = 0; i < bytes.length; ) {
    const size = sizeAt(bytes, i);
    if (size === 0) {
      text += strict.decode(bytes.subarray(from, i)) + String.fromCharCode(0xdc00 + (bytes[i] ?? 0));
      from = i + 1;
    }
    i += size || 1;
  }
  return text + strict.decode(bytes.subarray(from));
}

function encodeUTF8(text: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  if (!loneSurrogate.test(text)) {
    return encoder.encode(text);
  }
  const bytes = new Uint8Array(3 * text.length);
  let size = 0;
  let from = 0;
  const add = (part: string): void => {
    size += encoder.encodeInto(part, bytes.subarray(size)).written;
  };
  for (const match of text.matchAll(wrongBytes)) {
    add(text.slice(from, match.index));
    bytes[size++] = match[0].charCodeAt(0) - 0xdc00;
    from = match.index + 1;
  }
  add(text.slice(from));
  return bytes.slice(0, size);
}

/** The characters of windows-1252, which is Latin-1 with more of them: by byte. */
const characters1252 = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  .join("")
  .replace(/[\x80-\x9f]+/, "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ");

const bytes1252: ReadonlyMap<string, number> = new Map([...characters1252].map((character, byte) => [character, byte]));

const outside1252 = new RegExp(`[^\\x00-\\x7f${characters1252.slice(0x80)}\\udc0a\\udc0d\\udc0e]`, "u");

function encode1252(text: string): Uint8Array<ArrayBuffer> {
  if (outside1252.test(text)) {
    return Uint8Array.from([...text].flatMap((character) => bytes1252.get(character) ?? [...new TextEncoder().encode(character)]));
  }
  return Uint8Array.from(text, (character) => bytes1252.get(character) ?? 0);
}

function decodeUTF16(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units: string[] = [];
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    units.push(String.fromCharCode(view.getUint16(i, littleEndian)));
  }
  return units.join("");
}

function encodeUTF16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) {
    view.setUint16(2 * i, text.charCodeAt(i), littleEndian);
  }
  return bytes;
}

const decoders: Readonly<Record<Encoding, (bytes: Uint8Array<ArrayBuffer>) => string>> = {
  "utf-8": decodeUTF8,
  "windows-1252": (bytes) => Array.from(bytes, (byte) => characters1252[byte]).join(""),
  "utf-16le": (bytes) => decodeUTF16(bytes, true),
  "utf-16be": (bytes) => decodeUTF16(bytes, false),
};

const encoders: Readonly<Record<Encoding, (text: string) => Uint8Array<ArrayBuffer>>> = {
  "utf-8": encodeUTF8,
  "windows-1252": encode1252,
  "utf-16le": (text) => encodeUTF16(text, true),
  "utf-16be": (text) => encodeUTF16(text, false),
};

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

// Texts inside the core are octets: strings in which each character is a byte.

import { isBytes, mistyped } from "../error.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the octets of a text in UTF-8, or of bytes. The field is for errors. */
export function octetsOf(text: string | Uint8Array, field: string): string {
  if (typeof text === "string") {
    if (!/[^\0-\x7f]/.test(text)) {
      return text;
    }
    text = encoder.encode(text);
  } else if (!isBytes(text)) {
    throw mistyped(field, text);
  }
  const ascii = decoder.decode(text);
  if (ascii.length === text.length && !/[^\0-\x7f]/.test(ascii)) {
    return ascii;
  }
  let octets = "";
  for (let i = 0; i < text.length; i += 8192) {
    octets += String.fromCharCode.apply(null, text.subarray(i, i + 8192) as unknown as number[]);
  }
  return octets;
}

/** Returns the text of octets, with U+FFFD for each one that is not UTF-8: a decoder would have one for the beginning of a character. */
export function textOf(octets: string): string {
  return octets.replace(/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g, (character) =>
    decoder.decode(Uint8Array.from(character, (c) => c.charCodeAt(0))));
}

/** Returns octets with the letters of ASCII in lower case. */
export function fold(octets: string): string {
  return octets.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the percent code of an octet. */
export function percent(octet: string): string {
  const code = octet.charCodeAt(0);
  return (code < 16 ? "%0" : "%") + code.toString(16).toUpperCase();
}

/** Returns the octet of a percent code. */
export function decoded(code: string): string {
  return String.fromCharCode(parseInt(code.slice(1), 16));
}

/** Reports whether a character code is white space of C. Unicode has more. */
export function isSpace(code: number): boolean {
  return code === 32 || (code > 8 && code < 14);
}

// What a body is: BodyOf of body.go does the same.

import { readBody } from "../core/body.js";
import { traits } from "../core/dialect.js";
import { octetsOf } from "../core/octets.js";
import type { Body } from "../wire.js";

/** How many bytes after white space and byte order marks can make a body a web page or binary. */
const headSize = 1024;

const marks = /^(?:\xc3\xaf\xc2\xbb\xc2\xbf|\xef\xbf\xbd|\xef\xbb\xbf|\xef\xbb|\xef|[ \t-\r])*/;
const markup = /^<[!?a-zA-Z]/;
const binary = /^(?:\xfe\xff|\xff\xfe)|[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/** Returns what a body is. One with a rule in a group is text, whatever comes first. */
export function bodyOf(bytes: Uint8Array): Body {
  if (bytes.length === 0) {
    return "empty";
  }
  const octets = octetsOf(bytes, "body");
  const start = marks.exec(octets)![0].length;
  const head = octets.slice(start, start + headSize);
  const suspected = binary.test(head) ? "binary" : markup.test(head) ? "html" : "text";
  return suspected !== "text" && readBody(octets, traits.google).isRuled ? "text" : suspected;
}

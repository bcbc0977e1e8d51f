// The path of a URL, and the form of URLs as browsers read them: path.go, and Text of package
// origin, do the same.

import { encodeGoogle, type Traits } from "./dialect.js";
import { authorityOf } from "./host.js";
import { percent } from "./octets.js";

/** Returns the path of a URL or of a path, in the canonical form of a dialect. */
export function pathOf(url: string, traits: Traits): string {
  const from = url.startsWith("//") ? 2 : 0;
  let start = firstOf(url, from);
  if (start > from && url.startsWith("://", start - 1)) {
    start = firstOf(url, start + 2);
  }
  if (start < 0) {
    return "/";
  }
  let path = /^[^#\0]*/.exec(url.slice(start))![0];
  if (traits.records) {
    path = path.split("?", 1)[0]!;
  }
  return (url[start] === "/" ? "" : "/") + traits.encode(path, false);
}

/** Returns where the first slash, '?' or ';' is, -1 if there is none or if a '#' is before it. */
function firstOf(url: string, from: number): number {
  const i = url.slice(from).search(/[/?;#]/);
  return i < 0 || url[from + i] === "#" ? -1 : from + i;
}

/** Returns a URL as a browser reads it, in the encoding of rules; of its host any. */
export function textOfURL(url: string): string {
  const plain = plainStart.exec(url);
  if (plain !== null && !/[^!$&()*+,\-.\w:;=?@[\]|~/%]|\/[.%]|%(?![\dA-F]{2})/.test(url.slice(plain[0].length))) {
    return url;
  }
  const raw = trimControls(url);
  const [scheme, rest] = cutScheme(raw);
  if (scheme) {
    const authority = rest.replace(/^[/\\\t\n\r]+/, "");
    const end = authorityEnd(authority, 0);
    if (authorityOf(authority.slice(0, end))) {
      return `http://h${encodeGoogle(target(authority.slice(end)))}`;
    }
  }
  // Without an origin, the host stays as it is.
  const text = trimControls(hidden(url));
  const end = relativeTarget(text);
  if (!cutScheme(text)[0] && end < text.length) {
    const read = text.slice(0, end) + target(text.slice(end));
    if (relativeTarget(read) === end) { // else a part of the path would be read as a host
      return encodeGoogle(read);
    }
  }
  return encodeGoogle(text);
}

// The beginning of most URLs: one slash, or an origin in its usual form.
const plainStart = /^(?:\/(?![/.%])|https?:\/\/(?:[a-z0-9-]{1,63}\.){0,3}[a-z-][a-z0-9-]{0,55}(?=\/))/;

/** Returns a known scheme and what is after its colon, an empty scheme otherwise. */
export function cutScheme(text: string): [scheme: string, rest: string] {
  const match = /^[a-z][a-z0-9+.\t\n\r-]*:/i.exec(text);
  const scheme = match?.[0].replace(/[\t\n\r:]/g, "").toLowerCase() ?? "";
  return [/^(?:https?|ftp)$/.test(scheme) ? scheme : "", text.slice(match?.[0].length)];
}

export function authorityEnd(text: string, from: number): number {
  const i = text.slice(from).search(/[/\\?#]/);
  return i < 0 ? text.length : from + i;
}

/** Returns where the path and query begin in a text without an origin. */
function relativeTarget(text: string): number {
  const i = text.search(/[:/\\?#]/);
  return authorityEnd(text, i >= 0 && text.startsWith("://", i) ? i + 3 : /^[/\\]{2}/.test(text) ? 2 : 0);
}

/** Returns a text with *** in place of a user name and password. */
function hidden(text: string): string {
  let from = text.search(/[^\0-\x20]/);
  const i = from < 0 ? -1 : text.slice(from).search(/[:/\\?#]/);
  if (i >= 0 && text[from + i] === ":") {
    from += i + 1;
  } else if (from < 0 || (i === 0 && !/^[/\\]/.test(text[Math.min(from + 1, text.length - 1)]!))) {
    return text;
  }
  while (/^[/\\\t\n\r]/.test(text[from] ?? "")) from++;
  const at = text.slice(from, authorityEnd(text, from)).lastIndexOf("@");
  return at > 0 ? `${text.slice(0, from)}***${text.slice(from + at)}` : text;
}

/** Serialises what follows the authority of a URL, without the fragment. */
export function target(rest: string): string {
  const [, path, query] = /^([^?#]*)([^#]*)/.exec(rest.replace(/[\t\n\r]/g, ""))!;
  const read: string[] = [];
  const segments = path!.replace(/^[/\\]/, "").split(/[/\\]/);
  segments.forEach((segment, i) => {
    const dots = /^(?:\.|%2e)(\.|%2e)?$/i.exec(segment);
    if (dots?.[1]) read.pop();
    if (!dots) read.push(segment.replace(/[\0-\x20"#<>?^`{}\x7f-\xff]/g, percent));
    else if (i === segments.length - 1) read.push("");
  });
  return `/${read.join("/")}${query!.replace(/[\0-\x20"<>'\x7f-\xff]/g, percent)}`;
}

export function trimControls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start]! <= " ") start++;
  while (start < end && text[end - 1]! <= " ") end--;
  return text.slice(start, end);
}

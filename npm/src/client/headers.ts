// How long an answer is fresh by its headers: fetch/cachecontrol.go does the same.

/** About 68 years, which replaces values that do not fit into 31 bits. [RFC 9111 1.2.2] */
const maxAge = (2 ** 31 - 1) * 1000;

/** Parses delta-seconds. The result is in milliseconds. */
function parseAge(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(Number(text) * 1000, maxAge) : undefined;
}

/** Parses a date as HTTP writes it. Date.parse alone also accepts "0". */
function parseDate(text: string | null): number | undefined {
  const at = /^[A-Za-z]{3,9},? .*\d\d:\d\d:\d\d/.test(text ?? "") ? Date.parse(text!) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Returns the elements of a header that is a list. A comma in a quoted string separates
 * nothing. A quote without an end is an ordinary character. [RFC 9110 5.6.1, 5.6.4]
 */
function splitList(value: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  let balanced = true;
  for (let i = 0; i < value.length; i++) {
    if (value[i] === '"' && balanced) {
      const end = endOfQuoted(value, i);
      balanced = end > i;
      i = end;
    } else if (value[i] === ",") {
      parts.push(value.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push(value.slice(begin));
  return parts;
}

/** Returns the index of the quote that ends the quoted string at begin, or begin if it has no end. */
function endOfQuoted(value: string, begin: number): number {
  for (let i = begin + 1; i < value.length; i++) {
    if (value[i] === "\\") i++;
    else if (value[i] === '"') return i;
  }
  return begin;
}

/** Returns a text without the quotes around it. */
function unquoted(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text[from] === '"') from++;
  while (from < to && text[to - 1] === '"') to--;
  return text.slice(from, to);
}

/**
 * Returns how long a response is fresh after its arrival, undefined if its headers do not
 * state it. s-maxage takes precedence over max-age, and both over Expires. [RFC 9111 4.2.1]
 */
export function lifetime(headers: Headers, now: number): number | undefined {
  const age = parseAge(headers.get("age") ?? "") ?? 0;
  const ages = new Map<string, number>();
  for (const part of splitList(headers.get("cache-control") ?? "")) {
    const equals = part.indexOf("=");
    const key = part.slice(0, equals < 0 ? part.length : equals).trim().toLowerCase();
    const stated = equals < 0 ? undefined : parseAge(unquoted(part.slice(equals + 1).trim()));
    if (key === "no-store" || key === "no-cache") {
      return 0;
    }
    if (stated !== undefined && !ages.has(key)) {
      ages.set(key, stated);
    }
  }
  const stated = ages.get("s-maxage") ?? ages.get("max-age");
  if (stated !== undefined) {
    return Math.max(stated - age, 0);
  }
  const expires = headers.get("expires");
  if (!expires) {
    return undefined;
  }
  const date = parseDate(headers.get("date"));
  return Math.min(Math.max((parseDate(expires) ?? -Infinity) - (date === undefined ? now : date + age), 0), maxAge);
}

/** Returns the wait that Retry-After requests, 0 if none. [RFC 9110 10.2.3] */
export function retryAfter(headers: Headers, now: number): number {
  const value = (headers.get("retry-after") ?? "").trim();
  const at = parseDate(value);
  return parseAge(value) ?? (at === undefined ? 0 : Math.min(Math.max(at - (parseDate(headers.get("date")) ?? now), 0), maxAge));
}

const plainCodings = /^(?:|identity|none|null|off|plain|text|text\/plain|text\/html|binary|[78]bit|chunked|ascii|us-ascii|utf8|latin1|utf-.*|iso-8859-.*|windows-12.*|charset=.*)$/;

/** Returns the compressions that Content-Encoding names, without names that are none. */
export function compressions(headers: Headers): string[] {
  const codings = (headers.get("content-encoding") ?? "").split(",").map((coding) => coding.trim().toLowerCase());
  return codings.filter((coding) => !plainCodings.test(coding));
}

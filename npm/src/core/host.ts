// The host of a URL: appendHost of package origin does the same.

import { decoded, textOf } from "./octets.js";

/** Returns the host of an authority in octets in ASCII, with "a" for the letters of Hebrew symbols, and its port, "" for none; undefined if it has no valid ones. */
export function authorityOf(authority: string): [host: string, port: string] | "" | undefined {
  const text = authority.slice(authority.lastIndexOf("@") + 1);
  const [, host, port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(text.replace(/[\t\n\r]/g, "")) ?? [];
  if (host === undefined || text.length > 4096 || (port && !(+port > 0 && +port < 65_536))) {
    return undefined;
  }
  try {
    const name = hostOf(host);
    return name && [name, port];
  } catch {
    return undefined; // the platform does not accept it
  }
}

/**
 * The platform reads addresses, and maps international names. Platforms differ about directions, marks
 * and punycode, so the first two are checked here, and no platform reads names in ASCII.
 */
function hostOf(host: string): string {
  const read = (text: string): string => new URL(`ftp://${text}/`).hostname;
  if (host[0] === "[") {
    return read(host);
  }
  const octets = host.replace(/%[\da-f]{2}/gi, decoded);
  let name = octets;
  if (/[^\0-\x7f]/.test(octets)) {
    name = textOf(octets).replace(/[\u2135-\u2138]/g, "a"); // letters that are mapped to Hebrew
    const mapped = name.normalize("NFKC").toLowerCase().normalize("NFKC").replace(/[\xad\u200b\u2060\ufeff]/g, "");
    if (octets.length > 1024 || /[/\\?#@:\t\n\r]/.test(name) || !isDirected(mapped.split(/[.\u3002]/))) {
      return "";
    }
    name = read(name);
  }
  name = name.replace(/\.$/, "");
  if (/(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(name)) {
    return /[^\da-fx.]/i.test(name) ? "" : read(name);
  }
  return name.length < 254 && /^(?:[\w~!$&'()*+,=-]{1,63}(?:\.(?!$)|$))+$/.test(name) ? name : "";
}

// The classes of Unicode's bidirectional algorithm, as far as names contain them: RFC 5893 calls them
// R and AL, AN, and ON.
const neutral = "\\u0606\\u0607\\u0609-\\u060c\\u060e\\u060f\\u066a\\u06de\\u06e9\\u07f6-\\u07f9\\ufd3e-\\ufd4f\\ufdcf\\ufdfd-\\ufdff";
const rightToLeft = `(?![${neutral}\\u06f0-\\u06f9])[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}](?<!\\p{M})`;
const anyRightToLeft = new RegExp(rightToLeft, "u");
const arabicDigit = "[\\u0660-\\u0669\\u066b\\u066c\\u{10d30}-\\u{10d39}\\u{10e60}-\\u{10e7e}]";
const last = "[\\p{L}\\p{N}]\\p{M}*$";
const leftLabel = new RegExp(`^(?!.*${rightToLeft})\\p{L}(?:.*${last}|\\p{M}*$)`, "u");
const rightLabel = new RegExp(`^(?!${arabicDigit})(?!.*(?!${rightToLeft})\\p{L})(?!.*${arabicDigit}.*[\\d\\u06f0-\\u06f9])(?!.*[\\d\\u06f0-\\u06f9].*${arabicDigit})${rightToLeft}(?:.*(?:${last}|${rightToLeft}\\p{M}*$)|\\p{M}*$)`, "u");

/** Reports whether labels begin with no mark, and have the directions that RFC 5893 allows. */
function isDirected(labels: string[]): boolean {
  const hasDirections = labels.some((label) => anyRightToLeft.test(label));
  return labels.every((label) => !/^\p{M}/u.test(label) && (!hasDirections || label === "" || leftLabel.test(label) || rightLabel.test(label)));
}

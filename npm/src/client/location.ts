// Origins, and where redirects lead: package origin and fetch/location.go do the same.

import { authorityOf } from "../core/host.js";
import { octetsOf, textOf } from "../core/octets.js";
import { authorityEnd, cutScheme, target, trimControls } from "../core/path.js";
import { maxLocation } from "./policies.js";

const ports: Record<string, number> = { http: 80, https: 443 };

/**
 * Returns the URL to which a Location leads, undefined if it leads nowhere. Browsers read it the same way, and
 * percent codes stay as they are: servers can compare paths or check signatures octet by octet. from is the
 * URL of the response.
 */
export function redirectTarget(from: string, location: string | null): string | undefined {
  if (!location || location.length > maxLocation) {
    return undefined;
  }
  // fetch returns each octet as a character, or on some platforms the text.
  const octets = /[\u0100-\uffff]/.test(location) ? octetsOf(location, "") : location;
  const to = read(absolute(from, trimControls(octets).replace(/[\t\n\r]/g, "")));
  // A % that begins no code is what Go's net/http cannot request.
  return to && !/^[^?]*%(?![\da-f]{2})/i.test(to.target) ? to.origin + to.target : undefined;
}

/** Returns scheme, host and port of a URL of HTTP as browsers write them, undefined if it has none. */
export function originOf(url: string): string | undefined {
  return read(trimControls(octetsOf(url, "url")).replace(/[\t\n\r]/g, ""))?.origin;
}

/** Returns the origin of a URL of HTTP, and its path and query. */
function read(url: string): { origin: string; target: string } | undefined {
  const [scheme, rest] = cutScheme(url);
  const authority = rest.replace(/^[/\\]+/, "");
  const end = authorityEnd(authority, 0);
  const of = scheme in ports && authorityOf(authority.slice(0, end));
  if (!of) {
    return undefined;
  }
  const port = Number(of[1]);
  let origin = `${scheme}://${of[0].toLowerCase()}${port && port !== ports[scheme] ? `:${port}` : ""}`;
  const site = `${scheme}://${textOf(authority.slice(0, end))}`;
  if (/[\u2135-\u2138]|%e2%84%b[5-8]/i.test(site)) { // symbols of Hebrew letters: platforms differ about their direction
    if (!URL.canParse(site)) return undefined;
    origin = new URL(site).origin.replace(/\.(?=:|$)/, "");
  }
  return { origin, target: target(authority.slice(end)) };
}

/** Returns the absolute URL of a reference at a URL that a browser has written. */
function absolute(url: string, reference: string): string {
  const [, scheme, authority, path, query] = /^(\w+):(\/\/[^/?#]*)([^?#]*)([^#]*)/.exec(url)!;
  const other = /^([a-z][a-z0-9+.-]*):(.*)/is.exec(reference);
  if (other) {
    if (other[1]!.toLowerCase() !== scheme) {
      return reference;
    }
    reference = other[2]!; // relative if no two slashes follow
  }
  const slashes = /^[/\\]*/.exec(reference)![0].length;
  if (slashes > 1) {
    return `${scheme}://${reference.slice(slashes)}`;
  }
  const site = `${scheme}:${authority}`;
  if (slashes) {
    return site + reference;
  }
  if (reference[0] === "?") {
    return site + path + reference;
  }
  return /^(?:#|$)/.test(reference) ? site + path + query : site + path!.slice(0, path!.lastIndexOf("/") + 1) + reference;
}

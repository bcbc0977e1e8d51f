// Lists of URLs: how new ones are joined with those that are there.

import { masked } from "./credentials";
import { example } from "./example";
import type { State } from "./state";

/** The limit of the page's list. */
export const maxURLs = 100_000;

/** A list after URLs were added to it. */
export interface Added {
  urls: string[];
  /** How many were new. */
  added: number;
  /** How many were in the list already, or twice in what was added. */
  repeated: number;
  /** How many were left out because the list is full. */
  dropped: number;
}

/** Adds URLs to a list, each once, in their order, up to the limit. */
export function addURLs(urls: readonly string[], more: readonly string[], most: number = maxURLs): Added {
  const known = new Set(urls);
  const result: Added = { urls: [...urls], added: 0, repeated: 0, dropped: 0 };
  for (const url of more.map(masked)) {
    if (known.has(url)) {
      result.repeated++;
    } else if (result.urls.length >= most) {
      result.dropped++;
    } else {
      known.add(url);
      result.urls.push(url);
      result.added++;
    }
  }
  return result;
}

/** Returns a typed URL with a scheme: if it has none, that of the site, or https. A path is one of the site, if that is known. */
export function withScheme(typed: string, site?: string): string {
  const url = typed.trim();
  if (/^\/(?!\/)/.test(url)) {
    return site === undefined ? url : site + url;
  }
  return url.includes("://") || url === "" ? url : `${site?.replace(/:.*/, "") ?? "https"}://${url.replace(/^\/\//, "")}`;
}

/** Returns a list without the URLs of the example, which go with its text, and when one's own come. */
export function ownOf(urls: readonly string[]): readonly string[] {
  const isExample = urls.length === example.urls.length && urls.every((url, i) => url === example.urls[i]); // after a reload it is a copy
  return isExample ? [] : urls;
}

/** Returns what is checked by another text: one's own URLs, or else the first page. */
export function keptURLs(urls: readonly string[]): readonly string[] {
  const own = ownOf(urls);
  return own.length > 0 ? own : ["/"];
}

/**
 * Returns what is checked after the fetch of a URL, as it was typed. Its path is checked
 * first, unless it is that of the site or of the robots.txt.
 */
export function ofFetch(typed: string, { urls, agents }: State): Pick<State, "urls" | "selected"> {
  const text = withScheme(typed);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && url.pathname + url.search !== "/" && url.pathname !== "/robots.txt") {
    const path = url.origin === "null" ? text : url.origin + url.pathname + url.search;
    return { urls: [path, ...ownOf(urls).filter((other) => other !== path)], selected: { agent: agents[0] ?? "*", url: path } };
  }
  return { urls: keptURLs(urls), selected: null };
}

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

/** Returns a list without the URLs or crawlers of the example, which go when one's own come. */
export function ownOf(list: readonly string[]): readonly string[] {
  const is = (own: readonly string[]): boolean => list.length === own.length && list.every((text, i) => text === own[i]); // after a reload it is a copy
  return is(example.urls) || is(example.agents) ? [] : list;
}

/**
 * Returns what is checked after the fetch of a URL, as it was typed. Its path is checked
 * first, unless it is that of the site or of the robots.txt.
 */
export function ofFetch(typed: string, { urls, agents }: State): Pick<State, "urls" | "selected"> {
  const own = ownOf(urls);
  const url = parsed(withScheme(typed));
  if (url && url.pathname + url.search !== "/" && url.pathname !== "/robots.txt") {
    const path = url.origin === "null" ? withScheme(typed) : url.origin + url.pathname + url.search;
    return { urls: [path, ...own.filter((other) => other !== path)], selected: { agent: agents[0] ?? "*", url: path } };
  }
  return { urls: own.length > 0 ? own : ["/"], selected: null };
}

function parsed(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

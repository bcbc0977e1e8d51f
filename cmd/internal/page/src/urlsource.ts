// Lists of URLs: how new ones are joined with those that are there.

/** The limits of the page's list. The grid has a row for each URL. */
export const mostURLs = 10_000;

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
export function addURLs(urls: readonly string[], more: readonly string[], most: number = mostURLs): Added {
  const known = new Set(urls);
  const result: Added = { urls: [...urls], added: 0, repeated: 0, dropped: 0 };
  for (const url of more) {
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

/** Returns a typed URL with a scheme, https if it has none. */
export function withScheme(typed: string): string {
  const url = typed.trim();
  return url.includes("://") || url === "" ? url : `https://${url}`;
}

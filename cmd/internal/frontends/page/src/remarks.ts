// Likely mistakes in the crawlers and URLs: the engine finds them, the panels show them. What
// is no URL is not checked.

import { debounced } from "./debounce";
import { type Engine, isOutdated } from "./engine";
import { writtenIn } from "./language";
import { siteOf } from "./sites";
import type { Store } from "./state";

/** How long the page waits after a keystroke in the list of URLs, in milliseconds. */
const pause = 300;

/** How many URLs are read for mistakes. */
const most = 10_000;

/** How many URLs are put to the engine at once. The service takes no more in one request. */
export const maxAtOnce = 5_000;

/** A list without the texts in it that are no URLs. */
export interface Checkable {
  readonly urls: readonly string[];
  readonly dropped: ReadonlySet<number>; // the places of the others in the list
}

const checkable = new WeakMap<readonly string[], Promise<Checkable>>();

/** Returns what can be checked of a list of URLs, the same object for the same list. */
export function checkableOf(list: readonly string[], engine: Engine): Promise<Checkable> {
  let result = checkable.get(list);
  if (!result) {
    result = drop(list, engine);
    checkable.set(list, result);
    result.catch(() => checkable.delete(list)); // the next call tries again
  }
  return result;
}

async function drop(list: readonly string[], engine: Engine): Promise<Checkable> {
  const dropped = new Set<number>();
  for (let from = 0; from < list.length; from += maxAtOnce) {
    const { urls } = await engine.call("remarks", { agents: [], urls: list.slice(from, from + maxAtOnce) });
    urls.filter(({ problem }) => problem).forEach(({ index }) => dropped.add(from + index));
  }
  return { urls: dropped.size === 0 ? list : list.filter((_, i) => !dropped.has(i)), dropped };
}

/** Keeps state.remarks up to date. */
export function followRemarks(store: Store, engine: Engine): void {
  const read = async (): Promise<void> => {
    const { agents } = store.state;
    const urls = store.state.urls.slice(0, most);
    const origin = siteOf(store.state);
    const site = origin === undefined ? {} : { site: origin };
    try {
      const remarks = await engine.call("remarks", { agents, urls, ...site, lang: writtenIn() }, { replaces: "remarks" });
      // The engine leaves out passwords, which are in the list of this page too.
      store.update({ remarks: { ...remarks, urls: remarks.urls.map((remark) => ({ ...remark, url: urls[remark.index] ?? "" })) } });
    } catch (error) {
      if (!isOutdated(error)) {
        store.update({ remarks: null }); // the grid shows the errors of the inputs
      }
    }
  };
  const readLater = debounced(pause, () => void read());
  store.subscribe(["agents", "urls", "source"], (state, previous) => {
    if (state.agents !== previous.agents || state.urls !== previous.urls || siteOf(state) !== siteOf(previous)) {
      readLater();
    }
  });
  readLater();
}

// Likely mistakes in the crawlers and URLs: the engine finds them, the panels show them.

import { debounced } from "./debounce";
import { type Engine, isOutdated } from "./engine";
import type { Store } from "./state";

/** How long the page waits after a keystroke in the list of URLs, in milliseconds. */
const pause = 300;

/** How many URLs are read for mistakes. */
const most = 10_000;

/** Keeps state.remarks up to date. */
export function followRemarks(store: Store, engine: Engine): void {
  const read = async (): Promise<void> => {
    const { agents, source } = store.state;
    const urls = store.state.urls.slice(0, most);
    const site = source?.site ? { site: source.site.origin } : {};
    try {
      store.update({ remarks: await engine.call("remarks", { agents, urls, ...site }, { replaces: "remarks" }) });
    } catch (error) {
      if (!isOutdated(error)) {
        store.update({ remarks: null }); // the grid shows the errors of the inputs
      }
    }
  };
  const readLater = debounced(pause, () => void read());
  store.subscribe(["agents", "urls", "source"], (state, previous) => {
    if (state.agents !== previous.agents || state.urls !== previous.urls || state.source?.site?.origin !== previous.source?.site?.origin) {
      readLater();
    }
  });
  readLater();
}

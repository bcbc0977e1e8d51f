// Likely mistakes in the crawlers and URLs: the engine finds them, the panels show them.

import { debounced } from "./debounce";
import { type Engine, isOutdated } from "./engine";
import type { Store } from "./state";

/** How long the page waits after a keystroke in the list of URLs, in milliseconds. */
const pause = 300;

/** Keeps state.remarks up to date. */
export function followRemarks(store: Store, engine: Engine): void {
  const read = async (): Promise<void> => {
    const { agents, urls, before } = store.state;
    const site = before?.site ? { site: before.site.origin } : {};
    try {
      store.update({ remarks: await engine.call("remarks", { agents, urls, ...site }, { replaces: "remarks" }) });
    } catch (error) {
      if (!isOutdated(error)) {
        store.update({ remarks: null }); // the grid shows the errors of the inputs
      }
    }
  };
  const readLater = debounced(pause, () => void read());
  store.subscribe(["agents", "urls", "before"], (state, previous) => {
    if (state.agents !== previous.agents || state.urls !== previous.urls || state.before?.site?.origin !== previous.before?.site?.origin) {
      readLater();
    }
  });
  readLater();
}

// The files of other sites. A robots.txt decides for one site: URLs of others are judged by
// their own files, which the service fetches with a click, or are unknown.

import { failureOf } from "./answers";
import { element, fromEngine, replaceChildren, visible, wordButton } from "./dom";
import { type Engine, isOutdated } from "./engine";
import { messages } from "./messages";
import { missingOf } from "./sites";
import { Stop } from "./stop";
import type { Store } from "./state";
import { clipped } from "./text";

/** How many sites are offered at once. */
const most = 12;

/** Fills the place above the grid: which sites' files are there, and which are missing. */
export function mountOtherSites(into: HTMLElement, store: Store, engine: Engine): void {
  const texts = messages.sites;
  const list = element("ul");
  const held = element("ul");
  const others = element("details", {}, element("summary", {}), held);
  const status = element("p", { role: "status" });
  const stop = new Stop(engine, { stopped: () => (status.textContent = messages.stop.kept), back: () => list.querySelector("button") ?? others.querySelector("summary") });
  const all = element("button", { type: "button", "data-fetch-all": true, onclick: () => void fetchAll() });
  into.append(element("h3", { class: "hidden" }, texts.title), list, element("p", { class: "toolbar" }, all, stop.button, status), others);
  let shown = "";
  let running = false; // one fetch after the other

  /** Fetches the file of a site, and reports whether others may follow: nobody stopped it. */
  const fetchOne = async (origin: string): Promise<boolean> => {
    status.textContent = messages.live.fetching(visible(origin));
    try {
      const result = await stop.call("fetch", { url: origin }, `fetch ${origin}`);
      const others = store.state.sites.filter(({ site }) => site.origin !== result.site.origin);
      store.update({ sites: [...others, result] });
      status.textContent = messages.live.fetched(visible(result.site.robots_url), result.site.status);
    } catch (error) {
      if (isOutdated(error)) {
        return false;
      }
      const { message, hint } = failureOf(error);
      replaceChildren(status, fromEngine(`${message} ${hint}`.trim()));
    }
    return true;
  };
  const missingNow = (): ReturnType<typeof missingOf> => missingOf(store.state.answers?.list ?? [], store.state.answers?.agents.length ?? 1);
  const fetchAll = async (): Promise<void> => {
    running = true;
    show();
    for (const origin of missingNow().keys()) {
      if (!(await fetchOne(origin))) {
        break;
      }
    }
    running = false;
    show();
  };
  const show = (): void => {
    const { sites } = store.state;
    const missing = missingNow();
    const key = JSON.stringify([[...missing], sites.map(({ site }) => [site.origin, site.status, site.fetched_at])]);
    into.hidden = missing.size === 0 && sites.length === 0;
    all.hidden = running || !engine.live || missing.size < 2;
    if (key === shown) {
      return; // a button that is replaced loses the focus
    }
    shown = key;
    const rows = [...missing].slice(0, most).map(([origin, { urls, known }]) =>
      element(
        "li",
        {},
        (known ? texts.unknown : texts.compared)(urls, clipped(visible(origin), 80)),
        " ",
        engine.live && element("button", { type: "button", onclick: () => void fetchOne(origin) }, texts.fetch(clipped(visible(origin), 80))),
      ),
    );
    replaceChildren(
      held,
      ...sites.map(({ site }) =>
        element(
          "li",
          {},
          texts.held(clipped(visible(site.robots_url), 80), site.status),
          " ",
          engine.live && element("button", { type: "button", onclick: () => void fetchOne(site.origin) }, texts.again),
          " ",
          wordButton(messages.live.forget, texts.forget(visible(site.robots_url)), () => store.update({ sites: store.state.sites.filter((other) => other.site !== site) })),
        ),
      ),
    );
    others.hidden = sites.length === 0;
    replaceChildren(others.querySelector("summary") as HTMLElement, texts.others(sites.length));
    replaceChildren(list, ...rows, missing.size > most && element("li", {}, texts.more(missing.size - most)));
    replaceChildren(all, texts.fetchAll(missing.size));
  };
  store.subscribe(["answers", "sites"], show);
  show();
}

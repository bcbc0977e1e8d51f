// The tabs of the left side.

import { byId, element } from "./dom";
import { messages } from "./messages";
import { type Store, type View, views } from "./state";

/** Fills the list of tabs. shown is called when a view is shown for the first time. */
export function mountViews(into: HTMLElement, store: Store, shown: (view: View) => void): void {
  const changes = element("span", { class: "number" });
  const seen = new Set<View>();
  const tabs = views.map((view) =>
    element(
      "button",
      { type: "button", role: "tab", id: `tab-${view}`, "aria-controls": `view-${view}`, onclick: () => store.update({ view }) },
      messages.views[view],
      view === "changes" && changes,
    ),
  );
  into.append(...tabs);
  into.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const now = views.indexOf(store.state.view);
    const next = step ? (now + step + views.length) % views.length : { Home: 0, End: views.length - 1 }[event.key];
    const view = next === undefined ? undefined : views[next];
    if (view) {
      event.preventDefault();
      store.update({ view });
      byId(`tab-${view}`).focus();
    }
  });
  const show = (): void => {
    const known = views.includes(store.state.view) ? store.state.view : "grid"; // what was stored may be of an earlier page
    views.forEach((view, i) => {
      const here = view === known;
      tabs[i]?.setAttribute("aria-selected", String(here));
      tabs[i]?.setAttribute("tabindex", here ? "0" : "-1");
      byId(`view-${view}`).hidden = !here;
      if (here && !seen.has(view)) {
        seen.add(view);
        shown(view);
      }
    });
  };
  store.subscribe(["view"], show);
  store.subscribe(["edit"], ({ edit }) => (changes.textContent = edit?.changes ? ` ${messages.grid.number(edit.changes)}` : ""));
  show();
}

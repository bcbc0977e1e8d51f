// The page: it makes the store and the engine and mounts the panels.
//
// How a panel is added:
//
//  1. Write src/NAME.ts. It exports mount: Mount (panels.ts), a function of an empty
//     element, the store (state.ts) and the engine (engine.ts). It makes its elements
//     with element() of dom.ts, never from markup, and takes its texts from a section
//     of its own in messages.ts.
//  2. Add a row to the table in panels.ts, with the slot it fills. A new slot is an
//     element with the id "slot-NAME" in index.html and a name in the type Slot.
//  3. Its styles are in src/NAME.css, imported by page.css.
//  4. Run ./build and commit dist/ with it.
//
// A panel reads store.state, subscribes to fields, and changes the page only with
// store.update: { reveal: { line } } scrolls the editor, { selected } explains a cell,
// { view } shows another view. It calls engine.call(name, request, { replaces: "NAME" }),
// so that only the newest call is answered, and ignores errors for which isOutdated is
// true. The answers of all crawlers and URLs are in state.answers: a panel that shows
// verdicts need not call check again.

import { newEngine } from "./engine";
import { panels } from "./panels";
import { newStore } from "./state";

const root = document.documentElement;
const store = newStore();
const version = root.dataset["build"] ?? "";
const engine = newEngine({
  live: root.dataset["service"] === "live",
  workerURL: `worker.js?v=${version}`,
  wasmURL: `robots.wasm?v=${version}`,
});

for (const panel of panels) {
  const slot = document.getElementById(`slot-${panel.slot}`);
  if (slot) {
    void Promise.resolve(panel.load()).then((mount) => mount(slot, store, engine));
  }
}

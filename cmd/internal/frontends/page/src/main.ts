// The page: it makes the store and the engine and mounts the panels.
//
// A panel is a function of an empty element, the store (state.ts) and the engine (engine.ts), in a
// table in panels.ts. It reads its texts when it is mounted, because the language is not known before.
// It reads store.state, subscribes to fields, and changes the page only with store.update:
// { reveal: { line } } scrolls the editor, { selected } explains a cell, { view } shows a view. It
// ignores errors of the engine for which isOutdated is true.

import { followState } from "./answers";
import { masked } from "./credentials";
import { Documents, followDocument, newDocument, restored } from "./documents";
import { byId } from "./dom";
import { mountEditor } from "./editor";
import { newEngine } from "./engine";
import { example } from "./example";
import { mountExplanation } from "./explanation";
import { mountFoot } from "./foot";
import { mountGrid } from "./grid";
import { followHistory } from "./history";
import { mountDialect, mountQuestion, mountURLs } from "./inputs";
import { languageOf, useLanguage } from "./language";
import { mountAbout, mountLive, mountSite } from "./live";
import { mountOtherSites } from "./othersites";
import { mountPrint } from "./print";
import { copySentences } from "./sentence";
import { messages } from "./messages";
import { panels, type Slot } from "./panels";
import { mountProblems } from "./problems";
import { followRemarks } from "./remarks";
import { documentsButton, mountNotice } from "./recent";
import { sharedFragment } from "./sharelink";
import { initialState, newStore, type View } from "./state";
import { mountEdited, mountStatus, mountTools } from "./tools";
import { mountTree } from "./tree";
import { workerOfText, workerURL } from "./trusted";
import { mountViews } from "./views";

const { build = "", version = "", service } = document.documentElement.dataset;
useLanguage(languageOf(location.search, navigator.languages));
const documents = new Documents();
const start = { ...initialState, ...example };
const kept = await restored(documents, sharedFragment(location.hash));
const { unreadable } = documents;
const notice = unreadable.length > 0 ? { text: messages.documents.unreadableHere(unreadable), action: "", run: () => undefined } : null;
const store = newStore({ ...start, document: newDocument(messages.documents.example, start), ...kept, notice });
/** What is in the page if that is one file, and in a file otherwise. */
const inPage = (name: string): string | undefined => document.getElementById(`${name}-text`)?.textContent;
const engine = newEngine({
  live: service === "live",
  ...(inPage("worker") === undefined
    ? { workerURL: workerURL(`worker.js?v=${build}`), module: { url: `robots.wasm?v=${build}` } }
    : { workerURL: workerOfText(inPage("worker") ?? ""), module: { base64: inPage("module") ?? "" } }),
});

/** Writes the texts of index.html. */
function localise(): void {
  const texts: Readonly<Record<string, unknown>> = messages.shell;
  for (const place of document.querySelectorAll<HTMLElement>("[data-message]")) {
    place.textContent = String(texts[place.dataset["message"] ?? ""]);
  }
  for (const place of document.querySelectorAll<HTMLElement>("[data-label]")) {
    place.setAttribute("aria-label", String(texts[place.dataset["label"] ?? ""]));
  }
}

/** Makes the links to parts of the page lead to where keys do something. The address, which may be a link, stays. */
function mountSkips(): void {
  const places = {
    "#editor": `:is(#editor, #slot-merge):not([hidden]) .cm-content`,
    "#answers": `.view:not([hidden]) [role="gridcell"][tabindex="0"], #views [aria-selected="true"]`,
  };
  for (const [href, target] of Object.entries(places)) {
    const lead = (event: Event): void => {
      event.preventDefault();
      const found = [...document.querySelectorAll<HTMLElement>(target)].at(-1);
      found?.focus({ preventScroll: true });
      (found?.closest(".file") ?? found)?.scrollIntoView({ block: found?.closest(".file") ? "start" : "nearest" });
    };
    document.querySelectorAll(`a[href="${href}"]`).forEach((link) => link.addEventListener("click", lead));
  }
}

/** No form leaves the page. Passwords that were typed do not stay in clear: each form that asks for a URL shows *** instead. */
function followForms(): void {
  document.addEventListener(
    "submit",
    (event) => {
      event.preventDefault();
      for (const field of (event.target as HTMLFormElement).querySelectorAll<HTMLInputElement>(`input:is([type="text"], [type="url"])`)) {
        if (masked(field.value) !== field.value) {
          field.value = masked(field.value);
        }
      }
    },
    { capture: true },
  );
}

/** Keeps the bottom of a column in view that is longer than the window, and the top of a shorter one: its CSS reads --block. The column moves while a browser scrolls to what gets the focus by a key, so that is shown again. */
function stick(column: HTMLElement): void {
  column.addEventListener("focusin", ({ target }) => requestAnimationFrame(() => (target as Element).matches(":is(button, summary):focus-visible") && (target as Element).scrollIntoView({ block: "nearest" })));
  new ResizeObserver(() => column.style.setProperty("--block", `${column.offsetHeight}px`)).observe(column);
}

const mounted = new Set<Slot>();

/** Mounts the panel of a slot, once. */
function mountPanel(slot: Slot): void {
  if (!mounted.has(slot)) {
    mounted.add(slot);
    panels[slot](byId(`slot-${slot}`), store, engine);
  }
}

function mountPage(): void {
  localise();
  followForms();
  followHistory(store, documents, { ...start, document: newDocument(messages.documents.example, start) });
  byId("page").hidden = false;
  byId("skips").hidden = false;
  mountSkips();
  const view = mountEditor(byId("editor"), store, engine);
  mountTools(byId("tools"), store, engine, view, documentsButton(store, documents, followDocument(store, documents)));
  mountNotice(byId("notice"), store, documents);
  mountEdited(byId("edited"), store);
  mountStatus(byId("status"), store);
  mountProblems(byId("problems"), store, engine, view);
  mountLive(byId("live"), store, engine);
  mountSite(byId("site"), store);
  mountAbout(byId("about"), store);
  mountDialect(byId("dialects"), store);
  mountURLs(byId("urls"), store);
  mountOtherSites(byId("sites"), store, engine);
  mountGrid(byId("grid"), store);
  mountTree(byId("tree") as HTMLDetailsElement, store);
  mountExplanation(byId("explanation"), store);
  mountQuestion(byId("question") as HTMLDetailsElement, store);
  mountFoot(byId("foot"), engine, { build, version, licences: inPage("licences") });
  mountViews(byId("views"), store, (shown: View) => {
    if (shown !== "grid") {
      mountPanel(shown);
    }
  });
  stick(byId("side"));
  for (const slot of ["share", "crawlers", "urls", "changes"] as const) {
    mountPanel(slot);
  }
  store.subscribe(["merging"], (state) => {
    byId("editor").hidden = state.merging;
    byId("slot-merge").hidden = !state.merging;
    if (state.merging) {
      mountPanel("merge");
    }
  });
  followState(store, engine);
  followRemarks(store, engine);
  copySentences(byId("grid"), store);
  mountPrint(store);
}

mountPage();

// The module for WebAssembly is large, so it is loaded after the first answers.
if (engine.live) {
  const end = store.subscribe(["answers", "failure"], () => {
    end();
    void engine.load();
  });
} else {
  void engine.load();
}

// The service worker keeps the page for use without a network. It needs a secure context.
if ("serviceWorker" in navigator && location.protocol !== "file:") {
  addEventListener("load", () => {
    void navigator.serviceWorker.register(workerURL("serviceworker.js"), { scope: "./", updateViaCache: "none" }).catch(() => undefined);
  });
}

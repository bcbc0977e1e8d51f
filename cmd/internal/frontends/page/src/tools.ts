// The tools above the editor, and the line of status below them.

import type { EditorView } from "@codemirror/view";

import { mountEncoding } from "./convert";
import { debounced } from "./debounce";
import { linesOf } from "./documents";
import { element, replaceChildren } from "./dom";
import { explainAt } from "./editor";
import { encode, hasOtherEnds } from "./encoding";
import type { Engine } from "./engine";
import { formatFile, openFile, saveFile } from "./files";
import { messages } from "./messages";
import type { Store } from "./state";

export function mountTools(into: HTMLElement, store: Store, engine: Engine, view: EditorView, documents: HTMLElement): void {
  const picker = element("input", {
    type: "file",
    class: "hidden",
    tabindex: -1,
    "aria-hidden": "true",
    accept: ".txt,text/plain",
    onchange: () => {
      const file = picker.files?.[0];
      if (file) {
        void openFile(store, file);
      }
      picker.value = "";
    },
  });
  into.append(
    element("button", { type: "button", onclick: () => void formatFile(store, engine), title: messages.tools.formatHelp }, messages.tools.format),
    element("button", { type: "button", onclick: () => explainAt(view, store, engine), title: messages.tools.explainHelp }, messages.tools.explain),
    element("span", { class: "gap" }),
    element(
      "span",
      { class: "together" },
      documents,
      element("button", { type: "button", onclick: () => picker.click() }, messages.tools.open),
      element("button", { type: "button", onclick: () => saveFile(store), title: messages.tools.saveHelp }, messages.tools.save),
      picker,
    ),
  );
  // A file may be dropped anywhere on the page.
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (file) {
      event.preventDefault();
      void openFile(store, file);
    }
  });
}

/** What the edit changes, in short. */
export function mountEdited(into: HTMLElement, store: Store): void {
  const summary = element("span", { class: "summary" });
  into.append(summary, element("button", { type: "button", class: "line", onclick: () => store.update({ view: "changes" }) }, messages.diff.see));
  store.subscribe(["edit", "view"], ({ edit, view }) => {
    into.hidden = edit === null || view === "changes";
    summary.textContent = edit?.summary ?? "";
  });
}

/** The line with the encoding and size of the file; and the latest message, at the foot of the window, which screen readers read. */
export function mountStatus(into: HTMLElement, store: Store): void {
  const size = element("span", { class: "size" });
  const status = element("span", { role: "status", class: "message" });
  const encoding = element("span", { class: "encoding" });
  const question = element("p", { role: "status", class: "question", hidden: true });
  into.append(question, status, encoding, size);
  mountEncoding(encoding, question, store);
  const measure = debounced(100, () => {
    const { text, lineEnd, answers } = store.state;
    const end = lineEnd === "\r\n" ? "CRLF" : lineEnd === "\r" ? "CR" : "LF";
    const truncated = answers?.truncated ? ` · ${messages.tools.truncated}` : "";
    replaceChildren(size, `${messages.tools.size(linesOf(text), encode(store.state).length, hasOtherEnds(text) ? messages.tools.mixedEnds(end) : end)}${truncated}`);
  });
  store.subscribe(["text", "lineEnd", "encoding", "answers"], measure);
  measure();
  let clear = 0;
  store.subscribe(["status"], (state) => {
    replaceChildren(status, ...(typeof state.status === "string" ? [state.status] : state.status));
    clearTimeout(clear);
    // A message with an ellipsis is about work under way, such as a slow fetch.
    if (state.status.length > 0 && !(typeof state.status === "string" && state.status.endsWith("…"))) {
      clear = setTimeout(() => store.update({ status: "" }), 12_000);
    }
  });
}

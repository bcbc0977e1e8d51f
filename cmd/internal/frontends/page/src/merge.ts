// The differences from the file before, in an editor of their own: each change is
// marked and can be undone. The module is loaded when it is first shown.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { goToNextChunk, goToPreviousChunk, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";

import { colours } from "./colours";
import { encodable } from "./convert";
import { baseOf } from "./documents";
import { element, replaceChildren } from "./dom";
import { revealLine, setText, specialCharacters } from "./editor";
import type { Engine } from "./engine";
import { messages } from "./messages";
import type { Mount } from "./mount";
import type { Store } from "./state";

const texts = messages.merge;

/** Fills the place of the editor. */
export const mount: Mount = (into, store, engine) => {
  let view: EditorView | null = null;

  const end = (): void => {
    view?.destroy();
    view = null;
    replaceChildren(into);
  };
  const show = (): void => {
    const { text, merging } = store.state;
    if (!merging) {
      end();
      return;
    }
    if (!view) {
      view = newView(into, store, engine, baseOf(store.state).text, text, (changed) => store.update({ text: changed }));
      return;
    }
    setText(view, text);
  };
  store.subscribe(["merging", "text"], show);
  store.subscribe(["before", "document"], () => (end(), show()));
  store.subscribe(["reveal"], (state) => {
    if (view && state.reveal) {
      revealLine(view, state.reveal.line);
    }
  });
  show();
};

function newView(parent: HTMLElement, store: Store, engine: Engine, before: string, text: string, changed: (text: string) => void): EditorView {
  const view = new EditorView({
    parent,
    dispatchTransactions: encodable(store),
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorState.phrases.of(messages.phrases),
        EditorView.darkTheme.of(matchMedia("(prefers-color-scheme: dark)").matches),
        lineNumbers(),
        specialCharacters,
        history(),
        drawSelection(),
        colours(engine, store, "merge-tokens"),
        keymap.of([{ key: "Alt-ArrowDown", run: goToNextChunk }, { key: "Alt-ArrowUp", run: goToPreviousChunk }, ...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": texts.label, tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off", translate: "no" }),
        EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>("#script")?.nonce ?? ""),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) {
            changed(update.state.doc.toString());
          }
        }),
        unifiedMergeView({
          original: before,
          collapseUnchanged: { margin: 3, minSize: 6 },
          // Only undoing is offered: the file before does not change here.
          mergeControls: (type, action) =>
            type === "reject" ? element("button", { type: "button", class: "merge-undo", onmousedown: action }, texts.revert) : element("span"),
        }),
      ],
    }),
  });
  view.focus();
  return view;
}

// The encoding of the file, below the editor. An edit keeps it; the page asks when an edit
// has a character that the encoding lacks.

import { element, replaceChildren, visible } from "./dom";
import { byteOrderMark, type Contents, countWrongBytes, inUTF8, missingCharacter } from "./encoding";
import { messages } from "./messages";
import { contentsOf, type State, type Store } from "./state";

const texts = messages.encoding;

/** Fills the place for the encoding. */
export function mountEncoding(into: HTMLElement, store: Store): void {
  let shown = "";
  const show = (): void => {
    const { encoding } = store.state;
    const name = nameOf(store.state);
    if (name === shown) {
      return;
    }
    shown = name;
    into.classList.toggle("warning", encoding !== "utf-8");
    replaceChildren(
      into,
      element("span", { class: "name" }, name),
      ...(encoding === "utf-8"
        ? []
        : [
            ` · ${encoding === "windows-1252" ? texts.asOther : texts.unread} `,
            element("button", { type: "button", onclick: () => convert(store, contentsOf(store.state)) }, texts.convert),
          ]),
    );
  };
  store.subscribe(["text", "encoding"], show);
  show();
  askAboutMissing(store);
}

/** Converts the file to UTF-8, and offers the way back. */
function convert(store: Store, back: Contents): void {
  const notice = { text: texts.converted, action: messages.documents.undo, run: () => store.update(back) };
  store.update({ ...inUTF8(store.state), notice });
}

function nameOf(state: State): string {
  const name = texts.names[state.encoding];
  const wrong = countWrongBytes(state);
  return wrong > 0 ? texts.wrong(name, wrong) : state.text.startsWith(byteOrderMark) ? texts.marked(name) : name;
}

/** Asks what to do with an edit that the encoding of the file cannot say. */
function askAboutMissing(store: Store): void {
  const question = element("p");
  let undone: State | null = null;
  const close = (): void => dialog.close();
  const dialog = element(
    "dialog",
    {
      class: "share-dialog",
      "aria-labelledby": "encoding-heading",
      onclose: () => {
        if (undone) {
          store.update({ text: undone.text });
          undone = null;
        }
      },
    },
    element("h2", { id: "encoding-heading" }, texts.heading),
    question,
    element(
      "p",
      { class: "toolbar" },
      element(
        "button",
        {
          type: "button",
          class: "primary",
          onclick: () => {
            const back = contentsOf(undone ?? store.state);
            undone = null;
            convert(store, back);
            close();
          },
        },
        texts.convert,
      ),
      element("button", { type: "button", onclick: close }, texts.undo),
    ),
  );
  document.body.append(dialog);
  store.subscribe(["text", "encoding"], (state, previous) => {
    const missing = missingCharacter(state);
    if (missing === undefined) {
      return;
    }
    undone ??= previous;
    replaceChildren(question, texts.missing(visible(missing), texts.names[state.encoding]));
    if (!dialog.open) {
      dialog.showModal();
    }
  });
}

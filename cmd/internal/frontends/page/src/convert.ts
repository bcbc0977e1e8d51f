// The encoding of the file, below the editor. An edit keeps it; the page asks when an edit
// has a character that the encoding lacks.

import type { ChangeSet, Transaction } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import { element, replaceChildren, visible } from "./dom";
import { byteOrderMark, type Contents, countWrongBytes, inUTF8, missingCharacter } from "./encoding";
import { messages } from "./messages";
import { contentsOf, type State, type Store } from "./state";

const texts = messages.encoding;

/** Fills the places for the encoding, and for the question about it. */
export function mountEncoding(into: HTMLElement, question: HTMLElement, store: Store): void {
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
  mountQuestion(question, store);
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

/** Asks below the editor whether the file shall become UTF-8. Typing goes on meanwhile. */
function mountQuestion(into: HTMLElement, store: Store): void {
  const leave = (): void => store.update({ refused: null });
  store.subscribe(["document", "encoding"], ({ refused }) => refused && leave());
  store.subscribe(["refused"], ({ refused, encoding }) => {
    into.hidden = refused === null;
    replaceChildren(
      into,
      ...(refused
        ? [
            `${texts.missing(visible(refused.character), texts.names[encoding])} `,
            element("button", { type: "button", title: texts.convertHelp, onclick: () => refused.insert() }, texts.convertAndInsert),
            " ",
            element("button", { type: "button", onclick: leave }, texts.leave),
          ]
        : []),
    );
  });
}

/**
 * Returns how an editor takes changes: one with a character that the encoding of the file
 * lacks is refused, and made when the file is converted. So every text of the state can be
 * encoded.
 */
export function encodable(store: Store): (transactions: readonly Transaction[], view: EditorView) => void {
  let changes: ChangeSet | null = null; // those that were refused, as changes of the text as it is
  let mine: State["refused"] = null;
  return (transactions, view) => {
    const { encoding } = store.state;
    const missing = transactions.map((transaction) => missingCharacter({ text: insertedBy(transaction), encoding }));
    const first = missing.findIndex((character) => character !== undefined);
    const made = first < 0 ? transactions : transactions.slice(0, first);
    for (const transaction of made) {
      changes &&= changes.map(transaction.changes, true);
    }
    view.update(made);
    const [refused, character] = [transactions[first], missing[first]];
    if (!refused || character === undefined) {
      return;
    }
    changes = changes && mine && store.state.refused === mine ? changes.compose(refused.changes.map(changes)) : refused.changes;
    const insert = (): void => {
      const wanted = changes;
      convert(store, contentsOf(store.state));
      if (wanted) {
        view.dispatch({ changes: wanted, selection: view.state.selection.map(wanted, 1), userEvent: "input", scrollIntoView: true });
      }
      view.focus();
    };
    mine = { character, insert };
    store.update({ refused: mine });
  };
}

function insertedBy({ changes }: Transaction): string {
  let text = "";
  changes.iterChanges((_from, _to, _start, _end, inserted) => (text += inserted.toString()));
  return text;
}

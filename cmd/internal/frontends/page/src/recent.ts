// The documents of this browser as a list, and the notice with which a replaced text
// comes back.

import { ask } from "./ask";
import { type Documents, type Entry, labelOf, newDocument, openDocument, patience, show as showDocument, within } from "./documents";
import { closeButton, element, replaceChildren, visible, wordButton } from "./dom";
import { messages } from "./messages";
import { blank, type Notice, type Store } from "./state";

const texts = messages.documents;

/** Returns the button that opens the list. write writes the open document. */
export function documentsButton(store: Store, documents: Documents, write: () => void): HTMLElement {
  const list = element("ul", { class: "documents" });
  const note = element("p", { role: "status" });
  const clear = element("button", { type: "button", onclick: () => void clearAll() }, texts.clear);
  const close = (): void => dialog.close();
  const dialog = element(
    "dialog",
    { "aria-labelledby": "documents-heading", class: "share-dialog" },
    element("h2", { id: "documents-heading", tabindex: -1, autofocus: true }, texts.heading),
    element("p", { class: "help" }, texts.help),
    list,
    note,
    element("p", { class: "toolbar" }, element("button", { type: "button", onclick: () => void start() }, texts.start), clear, element("span", { class: "gap" }), element("button", { type: "button", onclick: close }, messages.share.close)),
  );
  document.body.append(dialog);

  const row = (entry: Entry): HTMLElement => {
    const name = visible(labelOf(entry));
    const isOpen = entry.id === store.state.document.id;
    const remover = wordButton(texts.delete, texts.remove(name), () => void remove(entry));
    if (entry.unreadable) {
      return element("li", {}, element("bdi", {}, name), element("span", { class: "help" }, texts.unreadable), remover);
    }
    const renamer = wordButton(texts.rename, texts.renameIt(name), () => edit(renamer.closest("li") as HTMLElement, entry));
    return element(
      "li",
      {},
      element("button", { type: "button", class: "link", disabled: isOpen, onclick: () => void open(entry) }, element("bdi", {}, name)),
      renamer,
      element("span", { class: "help" }, texts.facts(isOpen, entry.edited, entry.lines, new Date(entry.changed))),
      remover,
    );
  };
  /** Shows a field for another name instead of a row. */
  const edit = (instead: HTMLElement, entry: Entry): void => {
    const field = element("input", { type: "text", value: entry.name, "aria-label": texts.newName(visible(entry.name)), required: true, maxlength: 200, autocomplete: "off", spellcheck: "false" });
    const form = element(
      "form",
      {
        onsubmit: () => void rename(entry, field.value.trim()),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === "Escape") {
            event.preventDefault(); // the list stays open
            void fill();
          }
        },
      },
      field,
      element("button", {}, texts.rename),
      element("button", { type: "button", onclick: () => void fill() }, texts.cancel),
    );
    replaceChildren(instead, form);
    field.select();
  };
  const rename = async (entry: Entry, name: string): Promise<void> => {
    const renamed = name === "" || name === entry.name || (await documents.rename(entry.id, name).catch(() => false));
    const { document } = store.state;
    if (renamed && name !== "" && document.id === entry.id) {
      store.update({ document: { ...document, name, named: true } });
    }
    await fill();
    if (!renamed) {
      note.textContent = texts.openElsewhere(visible(entry.name));
    }
  };
  const fill = async (): Promise<void> => {
    const entries = await documents.list().catch(() => null);
    replaceChildren(list, ...(entries ?? []).map(row));
    clear.hidden = !entries?.length;
    note.textContent = !entries || !store.state.keeping ? texts.keepsNothing : entries.length === 0 ? texts.none : "";
  };
  const open = async ({ id, name }: Entry): Promise<void> => {
    if (await documents.open(store, id).catch(() => false)) {
      close();
    } else {
      await fill();
      note.textContent = texts.notOpened(visible(name));
    }
  };
  const start = async (): Promise<void> => {
    close();
    await openDocument(store, texts.untitled, { ...blank, before: null, source: null });
  };
  /** Deletes a document. An open one is closed: the editor is empty then. */
  const remove = async (entry: Entry): Promise<void> => {
    if (entry.unreadable && !(await ask(texts.clearAll(1), texts.remove(visible(entry.name))))) {
      return; // it cannot be written again
    }
    write();
    const kept = await documents.read(entry.id);
    await documents.remove(entry.id);
    const wasOpen = entry.id === store.state.document.id;
    const undo = async (): Promise<void> => {
      if (kept) {
        await documents.write(kept);
      }
      if (wasOpen) {
        store.update({ notice: null });
        await documents.open(store, entry.id);
      }
      replaceChildren(note);
      await fill();
    };
    const text = texts.removed(visible(labelOf(entry)));
    if (wasOpen) {
      empty({ text, action: texts.undo, run: () => void undo() });
    }
    await fill();
    if (kept) {
      replaceChildren(note, `${text} `, element("button", { type: "button", onclick: () => void undo() }, texts.undo));
    }
  };
  const empty = (notice: Notice | null): void => {
    showDocument(store, { ...blank, document: newDocument(texts.untitled, blank), before: null, source: null });
    store.update({ notice });
  };
  const clearAll = async (): Promise<void> => {
    if (await ask(texts.clearAll((await documents.list()).length), texts.clear)) {
      write();
      await documents.clear();
      empty(null);
      await fill();
    }
  };
  // The dialog opens with its list, so that nothing in it moves under the mouse.
  const show = async (): Promise<void> => {
    write();
    await within(patience, fill());
    dialog.showModal();
  };
  return element("button", { type: "button", "aria-haspopup": "dialog", onclick: () => void show(), title: texts.help }, texts.button);
}

/** Shows state.notice above the editor. */
export function mountNotice(into: HTMLElement, store: Store, documents: Documents): void {
  const text = element("span", { role: "status" });
  const action = element("button", { type: "button" });
  const dismiss = closeButton(() => store.update({ notice: null }));
  into.append(text, action, dismiss);
  action.addEventListener("click", () => {
    const { notice } = store.state;
    store.update({ notice: null });
    notice?.run();
  });
  const show = (): void => {
    const { notice } = store.state;
    into.hidden = notice === null;
    text.textContent = notice ? visible(notice.text) : "";
    action.textContent = notice?.action ?? "";
    action.hidden = notice?.action === "";
  };
  store.subscribe(["notice"], show);
  store.subscribe(["keeping"], ({ keeping }) => !keeping && store.update({ notice: { text: texts.keepsNothing, action: "", run: () => undefined } }));
  show();
  documents.list().then(
    ([latest]) => {
      if (latest && latest.edited && store.state.notice === null && store.state.address === "" && latest.id !== store.state.document.id) {
        store.update({ notice: { text: texts.goOn(latest.name, new Date(latest.changed)), action: texts.goOnAction, run: () => void documents.open(store, latest.id) } });
      }
    },
    () => store.update({ keeping: false }),
  );
}

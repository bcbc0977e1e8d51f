// The history of the browser: each document that comes into the editor, with a fetch, a file or
// a link, is an entry, so that Back leads to the one before.

import { type Documents, type Kept, keptOf, newDocument, show } from "./documents";
import { contentsOf, type State, type Store } from "./state";

interface Entry {
  readonly document: string; // its id
}

/** Keeps the history. first is the document of a page that keeps nothing. */
export function followHistory(store: Store, documents: Documents, first: Partial<State>): void {
  const left = new Map<string, Kept>([[store.state.document.id, keptOf(store.state)]]);
  let going = false; // to an entry that there is
  const entry = (): Entry => ({ document: store.state.document.id });
  history.replaceState(entry(), "");
  store.subscribe(["document"], ({ document }, previous) => {
    if (document.id === previous.document.id) {
      return;
    }
    left.set(previous.document.id, keptOf(previous));
    if (!going) {
      history.pushState(entry(), "");
    }
  });
  const go = async (id: string): Promise<void> => {
    // What was never changed is in no list of documents, and after a reload not in memory.
    const kept = left.get(id) ?? (await documents.read(id).catch(() => undefined)) ?? firstAs(id);
    if ((history.state as Entry | null)?.document === id) {
      going = true;
      show(store, kept);
      going = false;
    }
  };
  const firstAs = (id: string): Partial<State> => ({
    ...first,
    source: null,
    before: null,
    document: { ...newDocument(store.state.document.name, contentsOf({ ...store.state, ...first })), ...first.document, id },
  });
  addEventListener("popstate", (event) => {
    const id = (event.state as Entry | null)?.document;
    if (id !== undefined && id !== store.state.document.id) {
      void go(id);
    }
  });
}

// The history of the browser: each document that comes into the editor, with a fetch, a file or
// a link, is an entry, so that Back leads to the one before.

import { type Documents, type Kept, keptOf, show } from "./documents";
import { sharedFragment } from "./sharelink";
import type { State, Store } from "./state";

interface Entry {
  readonly document: string; // its id
  readonly address: string; // the fragment of the page that the document has in it
}

/** Returns an entry of this page, undefined if it is the browser's own or another page's. */
function entryFrom(state: unknown): Entry | undefined {
  const { document, address } = Object(state) as Partial<Record<keyof Entry, unknown>>;
  return typeof document === "string" && typeof address === "string" ? { document, address } : undefined;
}

/** Keeps the history. first is the document of a page that keeps nothing. */
export function followHistory(store: Store, documents: Documents, first: State): void {
  const left = new Map<string, Kept>([[store.state.document.id, keptOf(store.state)]]);
  let going = false; // to an entry that there is
  const entry = (): Entry => ({ document: store.state.document.id, address: store.state.address });
  // The link with which the page was opened replaces what is shown first.
  history.replaceState(store.state.address === sharedFragment(location.hash) ? entry() : null, "");
  store.subscribe(["document"], ({ document }, previous) => {
    if (document.id === previous.document.id) {
      return;
    }
    left.set(previous.document.id, keptOf(previous));
    if (going) {
      return;
    }
    if (entryFrom(history.state)) {
      history.pushState(entry(), "");
    } else {
      history.replaceState(entry(), ""); // the browser made it for a link to this page
    }
  });
  const go = async ({ document: id, address }: Entry): Promise<void> => {
    // The address comes first, so that its link, whose text the document has, is not opened again.
    store.update({ address });
    // What was never changed is in no list of documents, and after a reload not in memory.
    const kept = left.get(id) ?? (await documents.read(id).catch(() => undefined)) ?? { ...first, document: { ...first.document, id } };
    if (entryFrom(history.state)?.document === id) {
      going = true;
      show(store, kept);
      going = false;
    }
  };
  addEventListener("popstate", (event) => {
    const found = entryFrom(event.state);
    if (found && found.document !== store.state.document.id) {
      void go(found);
    }
  });
}

// Documents: what is in the editor, with its crawlers and URLs, is kept in this browser,
// in IndexedDB. Nothing is sent.
//
// A tab has one document at a time. The storage of the session says which, so a reload
// restores it; a lock keeps two tabs from writing the same one.

import { ask } from "./ask";
import { debounced } from "./debounce";
import { type Contents, sameContents } from "./encoding";
import { messages } from "./messages";
import { type Before, type Cell, contentsOf, type State, type Store } from "./state";
import { isEntry, isKept, isSession, storedName } from "./stored";
import { keptURLs } from "./urlsource";

/** A document, apart from its content. */
export interface Document {
  readonly id: string;
  readonly name: string; // the host of a site, the name of a file, or what the user wrote
  readonly named?: boolean; // by the user: another one of this name replaces nothing
  readonly opened: Contents; // before the edits
}

const keptFields = ["text", "lineEnd", "encoding", "before", "source", "sites", "agents", "purposes", "urls", "dialect", "view", "document"] as const;

/** What a document keeps of the state. */
export type Kept = Pick<State, (typeof keptFields)[number]>;

/** An entry of the list of documents. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly named?: boolean;
  readonly copy?: number; // which of the entries of one name it is, from 1
  readonly changed: number; // when it was opened or changed for the last time, in milliseconds since 1970
  readonly edited: boolean;
  readonly lines: number;
  readonly unreadable?: true; // it stays as it is
}

/** What the session of a tab remembers. */
export interface Session {
  readonly id: string;
  readonly address: string; // the fragment of the page that the document has in it
  readonly selected?: Cell | null;
  readonly left?: boolean; // the page was left, so its lock is about to be free
  readonly unsaved?: readonly Kept[]; // what was not written then
}

const texts = messages.documents;

const sessionKey = "robots:document";

/** Where a session stays that the page cannot read. */
const unreadableKey = "robots:unreadable";

/** Returns a new document. */
export function newDocument(name: string, opened: Contents): Document {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { id, name, opened: contentsOf(opened) };
}

/** Returns the host of a URL, "" if it has none. */
export function siteName(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** Returns what the text is compared with: what was chosen, or else the text that was opened. */
export function baseOf({ before, document }: Pick<State, "before" | "document">): Before {
  return before ?? { ...document.opened, name: document.name };
}

/** Reports whether the text differs from the one that was opened. */
export function isEdited(state: Pick<State, "document" | keyof Contents>): boolean {
  return !sameContents(state, state.document.opened);
}

/** Reports whether a document has nothing to keep. */
function isBlank(state: Pick<State, "document" | keyof Contents>): boolean {
  return state.text === "" && !isEdited(state) && !state.document.named;
}

/** Returns the name of an entry, with a number if others have or had the same. */
export function labelOf({ name, copy = 1 }: Pick<Entry, "name" | "copy">): string {
  return copy === 1 ? name : `${name} (${copy})`;
}

/** Returns which entry of a name the one with an id is. */
function copyIn(all: readonly Entry[], id: string, name: string): number {
  const others = all.filter((entry) => entry.name === name);
  return others.find((entry) => entry.id === id)?.copy ?? Math.max(0, ...others.map(({ copy = 1 }) => copy)) + 1;
}

/** Returns the part of a state that is kept: no other field of a stored row comes into the state. */
export function keptOf(state: Kept): Kept {
  return Object.fromEntries(keptFields.map((field) => [field, state[field]])) as unknown as Kept;
}

/**
 * Shows another text, as a document of its own: the one before is kept, and the page
 * offers it. It reports whether it did: if nothing is kept here, the page asks first.
 */
export async function openDocument(store: Store, name: string, change: Partial<State> & Contents): Promise<boolean> {
  const previous = store.state;
  if (!previous.keeping && isEdited(previous) && !(await ask(texts.lose(previous.document.name), texts.replace))) {
    return false;
  }
  const same = previous.document.name === name && !previous.document.named && !isEdited(previous);
  const document = same ? { ...previous.document, opened: contentsOf(change) } : newDocument(name, change);
  show(store, { document, ...change });
  return true;
}

/** Changes the state to that of another document, and offers the way back after edits. */
export function show(store: Store, change: Partial<State>): void {
  const previous = store.state;
  const back = keptOf(previous);
  const notice = isEdited(previous)
    ? { text: previous.keeping ? texts.keptBefore(previous.document.name) : texts.replaced(previous.document.name), action: texts.undo, run: () => show(store, back) }
    : previous.keeping
      ? null
      : previous.notice;
  const { agents, urls } = { agents: previous.agents, urls: keptURLs(previous.urls), ...change };
  const selected = previous.selected && urls.includes(previous.selected.url) && agents.includes(previous.selected.agent) ? previous.selected : null;
  // A check follows only if the list is another one: other answers are replaced by those that come.
  const outdated = urls === previous.urls ? {} : { answers: null };
  store.update({ selected, ...outdated, merging: false, missed: null, ...change, urls, notice });
}

/** The documents that this browser keeps, and the lock of the one that the tab has open. */
export class Documents {
  private database: Promise<IDBDatabase> | null = null;
  private held = "";
  private wanted = "";
  /** What is being written, the latest of each document: a page that is left may not see the end of it. */
  readonly unwritten = new Map<string, Kept>();
  /** The names of what the session of the tab had and the page cannot read. */
  unreadable: readonly string[] = [];
  private static writing: Promise<unknown> = Promise.resolve(); // by any of them: they share a database
  private release = (): void => undefined;

  /** Returns the entries, the latest first, and at the end those whose row is missing or unreadable. */
  async list(): Promise<Entry[]> {
    await Documents.writing;
    const rows = ((await this.run("readonly", (entries) => entries.getAll())) ?? []) as unknown[];
    const ids = ((await this.run("readonly", (_, documents) => documents.getAllKeys())) ?? []) as string[];
    const listed = rows.filter(isEntry).sort((a, b) => b.changed - a.changed);
    const others = new Map(ids.map((id) => [id, undefined as unknown]));
    rows.filter((row) => !isEntry(row)).forEach((row) => others.set((row as Entry).id, row));
    listed.forEach(({ id }) => others.delete(id));
    for (const [id, row] of others) {
      const document: unknown = await this.run("readonly", (_, documents) => documents.get(id));
      if (isKept(document)) {
        listed.push({ ...entryOf(document), changed: 0 });
      } else {
        listed.push({ id, name: storedName(document) ?? storedName(row) ?? texts.untitled, changed: 0, edited: false, lines: 0, unreadable: true });
      }
    }
    return listed;
  }

  /** Returns a document, or undefined if it is gone or unreadable. */
  async read(id: string): Promise<Kept | undefined> {
    const document: unknown = await this.run("readonly", (_, documents) => documents.get(id));
    return isKept(document) ? keptOf(document) : undefined;
  }

  /**
   * Writes a document. It replaces others of its name without edits that no tab has open. A
   * new one that has nothing to keep is not written.
   */
  write(kept: Kept): Promise<void> {
    const { id } = kept.document;
    this.unwritten.set(id, kept);
    const written = Documents.writing.then(() => this.put(kept)).finally(() => this.unwritten.get(id) === kept && this.unwritten.delete(id));
    Documents.writing = Promise.allSettled([Documents.writing, written]);
    return written;
  }

  private async put(kept: Kept): Promise<void> {
    const { id, name, named } = entryOf(kept);
    const locks = "locks" in navigator ? await navigator.locks.query() : {};
    const open = new Set(locks.held?.map((lock) => lock.name));
    await this.run("readwrite", (entries, documents) => {
      const all = entries.getAll();
      all.onsuccess = () => {
        const rows = all.result.filter(isEntry);
        if (isBlank(kept) && !rows.some((entry) => entry.id === id)) {
          return;
        }
        const replaced = (other: Entry): boolean => other.name === name && !named && !other.named && other.id !== id && !other.edited && !open.has(lockOf(other.id));
        for (const entry of rows.filter(replaced)) {
          entries.delete(entry.id);
          documents.delete(entry.id);
        }
        const copy = copyIn(rows.filter((entry) => !replaced(entry)), id, name);
        const changed = Math.max(Date.now(), ...rows.map((entry) => entry.changed + 1)); // the order of writes, even within a millisecond
        entries.put({ ...entryOf(kept), copy, changed } satisfies Entry);
        documents.put(kept);
      };
    });
  }

  /** Gives a document another name. It reports false if another tab has it open, which would undo that. */
  async rename(id: string, name: string): Promise<boolean> {
    if (!(await this.unlocked(id))) {
      return false;
    }
    await this.run("readwrite", (entries, documents) => {
      const all = entries.getAll();
      const stored = documents.get(id);
      stored.onsuccess = () => {
        const kept: unknown = stored.result;
        const rows = all.result.filter(isEntry); // it was asked for first
        const entry = rows.find((one) => one.id === id) ?? (isKept(kept) ? { ...entryOf(kept), changed: 0 } : undefined);
        if (entry) {
          entries.put({ ...entry, name, named: true, copy: copyIn(rows, id, name) } satisfies Entry);
        }
        if (isKept(kept)) {
          documents.put({ ...kept, document: { ...kept.document, name, named: true } });
        }
      };
    });
    return true;
  }

  async remove(id: string): Promise<void> {
    await Documents.writing; // or a write under way would bring it back
    await this.run("readwrite", (entries, documents) => {
      entries.delete(id);
      documents.delete(id);
    });
  }

  /** Removes all documents. */
  async clear(): Promise<void> {
    await Documents.writing;
    await this.run("readwrite", (entries, documents) => {
      entries.clear();
      documents.clear();
    });
  }

  /** Shows a document: a copy if another tab has it open. It reports whether there is one. */
  async open(store: Store, id: string): Promise<boolean> {
    const kept = await this.read(id);
    if (kept) {
      show(store, (await this.unlocked(id)) ? kept : copyOf(kept));
    }
    return kept !== undefined;
  }

  /**
   * Takes the lock of a document instead of the one held, and waits so many milliseconds
   * for a tab that has it. It reports false if that keeps it.
   */
  async hold(id: string, patience = 500): Promise<boolean> {
    this.wanted = id;
    if (this.held === id) {
      return true;
    }
    this.release();
    this.release = () => undefined;
    this.held = "";
    if (!("locks" in navigator)) {
      return true; // then the tab that writes last wins
    }
    // A busy machine may take longer than that to say that the lock is free.
    return (await this.lock(id, { ifAvailable: true })) || this.lock(id, { signal: AbortSignal.timeout(patience) });
  }

  private lock(id: string, options: LockOptions): Promise<boolean> {
    return new Promise((answer) => {
      const taken = (lock: Lock | null): Promise<void> | undefined => {
        const free = lock !== null && this.wanted === id;
        answer(free);
        if (!free) {
          return undefined;
        }
        this.held = id;
        return new Promise<void>((end) => (this.release = end));
      };
      navigator.locks.request(lockOf(id), options, taken).catch(() => answer(false));
    });
  }

  private async unlocked(id: string): Promise<boolean> {
    return this.held === id || !("locks" in navigator) || ((await navigator.locks.request(lockOf(id), { ifAvailable: true }, (lock) => lock !== null)) ?? false);
  }

  private opened(): Promise<IDBDatabase> {
    this.database ??= new Promise((done, failed) => {
      const request = indexedDB.open("robotstxt", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("entries", { keyPath: "id" });
        request.result.createObjectStore("documents", { keyPath: "document.id" });
      };
      request.onsuccess = () => done(request.result);
      request.onerror = request.onblocked = () => failed(request.error ?? new Error("blocked"));
    });
    return this.database;
  }

  /** Runs a transaction and returns the result of its request. */
  private async run<T>(mode: IDBTransactionMode, act: (entries: IDBObjectStore, documents: IDBObjectStore) => IDBRequest<T> | void): Promise<T | undefined> {
    const database = await this.opened();
    return new Promise((done, failed) => {
      const transaction = database.transaction(["entries", "documents"], mode);
      const request = act(transaction.objectStore("entries"), transaction.objectStore("documents"));
      transaction.oncomplete = () => done(request?.result);
      transaction.onerror = transaction.onabort = () => failed(transaction.error ?? new Error("aborted"));
    });
  }
}

function lockOf(id: string): string {
  return `robots:${id}`;
}

function copyOf(kept: Kept): Kept {
  return { ...kept, document: { ...kept.document, id: newDocument("", kept.document.opened).id } };
}

/** Returns what the list shows about a document. */
function entryOf(kept: Kept): Omit<Entry, "changed"> {
  const { id, name, named = false } = kept.document;
  return { id, name, named, edited: isEdited(kept), lines: linesOf(kept.text) };
}

/** Returns how many lines a text has. */
export function linesOf(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Returns what the tab had before a reload, without a document if none was written. address is the fragment of a shared state. */
export async function restored(documents: Documents, address: string): Promise<Partial<State>> {
  const { session, unreadable } = readSession();
  documents.unreadable = unreadable;
  if (!session || session.address !== address) {
    return {};
  }
  const { unsaved = [], selected = null } = session;
  const written = Promise.allSettled(unsaved.map((kept) => documents.write(kept)));
  const read = await within(patience, written.then(() => documents.read(session.id)));
  const kept = unsaved.find(({ document }) => document.id === session.id) ?? read;
  const held = await documents.hold(session.id, session.left ? patience : 0);
  // A duplicate of the tab gets what is in it.
  writeSession({ id: session.id, address, selected, unsaved: [...documents.unwritten.values()] });
  return { ...(kept && (held ? kept : copyOf(kept))), ...(kept && { address }), selected };
}

/** Writes the open document after each change. It returns a function that writes it at once. */
export function followDocument(store: Store, documents: Documents): () => void {
  let begun = keptOf(store.state); // nothing is written before the first change
  let written = begun;
  const differ = (state: State, from: Kept): boolean => keptFields.some((field) => state[field] !== from[field]);
  const write = (state: State): void => {
    if (!differ(state, begun)) {
      return;
    }
    const kept = keptOf(state);
    begun = kept;
    documents.write(kept).then(
      () => {
        if (isBlank(kept)) {
          return; // it may not have been written, so a reload takes it from the session
        }
        written = kept;
        if (kept.document.id === store.state.document.id) {
          writeSession({ id: kept.document.id, address: store.state.address });
        }
      },
      () => store.update({ keeping: false }),
    );
  };
  const writeLater = debounced(300, () => write(store.state));
  store.subscribe([...keptFields], (state, previous) => {
    if (state.document.id !== previous.document.id) {
      write(previous);
      void documents.hold(state.document.id);
      write(state);
    }
    writeLater();
  });
  void documents.hold(store.state.document.id);
  addEventListener("pagehide", () => {
    const { document, address, selected } = store.state;
    const unsaved = new Map(documents.unwritten);
    if (differ(store.state, written)) {
      unsaved.set(document.id, keptOf(store.state));
    }
    const own = { id: document.id, address };
    const session = unsaved.size > 0 ? own : (readSession().session ?? own);
    writeSession({ ...session, ...(session.address === address && { selected }), left: true, unsaved: [...unsaved.values()] });
  });
  addEventListener("beforeunload", (event) => {
    if (!store.state.keeping && isEdited(store.state)) {
      event.preventDefault(); // the browser asks
    }
  });
  return () => write(store.state);
}

/** Returns what the session remembers, and the names of what the page cannot read, which stays in the session. */
function readSession(): { session: Session | null; unreadable: readonly string[] } {
  let text: string | null = null;
  let value: unknown;
  try {
    text = sessionStorage.getItem(sessionKey);
    value = JSON.parse(text ?? "null");
  } catch {
    // The browser forbids it, or the text is damaged.
  }
  const session = isSession(value) ? value : null;
  const rows = [(Object(value) as Session).unsaved ?? []].flat() as unknown[]; // one document, where an older page was left
  const unreadable = rows.filter((row) => !isKept(row)).map((row) => storedName(row) ?? texts.untitled);
  if (text !== null && value !== null && session === null && unreadable.length === 0) {
    unreadable.push(texts.untitled);
  }
  try {
    const earlier = sessionStorage.getItem(unreadableKey);
    if (text !== null && unreadable.length > 0 && !earlier?.includes(text)) {
      sessionStorage.setItem(unreadableKey, earlier === null ? text : `${earlier}\n${text}`);
    }
  } catch {
    // There is no space for both.
  }
  return { session: session && { ...session, unsaved: rows.filter(isKept).map(keptOf) }, unreadable };
}

function writeSession(session: Session): void {
  try {
    sessionStorage.setItem(sessionKey, JSON.stringify(session));
  } catch {
    // The browser forbids it, or the text is too large: a reload shows what was written last.
  }
}

/**
 * The milliseconds for which the page waits for what the browser keeps. A busy machine takes seconds, and a page that
 * went on without it would show another text than before the reload, or a list whose rows come under the mouse.
 */
export const patience = 10_000;

/** Returns the value of a promise, undefined if it fails or takes longer than so many milliseconds. */
export function within<T>(milliseconds: number, value: Promise<T>): Promise<T | undefined> {
  return Promise.race([value.catch(() => undefined), new Promise<undefined>((end) => setTimeout(() => end(undefined), milliseconds))]);
}

// The state of the page: one immutable value, one way to change it, subscribers.
//
// Everything that the page shows follows from the state. A part of the page never
// changes another part: it calls store.update, and the other part's subscription does
// the rest. Values within a state are never modified; make new arrays and objects.

import type { Document } from "./documents";
import type { Contents, Encoding } from "./encoding";
import type { Answer, Diagnostic, Dialect, Explanation, Fetched, Remarks, Site } from "./wire";

export type { Dialect };

/** How files may be read; "" is as each crawler does. */
export type Reading = Dialect | "";

/** The field of a request that has the dialect, if one is chosen. */
export function chosen(dialect: Reading): { dialect?: Dialect } {
  return dialect === "" ? {} : { dialect };
}

export const readings: readonly Reading[] = ["", "google", "rfc9309", "koster1996"];

/** Returns the file of a state, or the one before, without the other fields. */
export function contentsOf({ text, lineEnd, encoding }: Contents): Contents {
  return { text, lineEnd, encoding };
}

/** The views of the left side. "grid" is the table of answers. */
export type View = "grid" | "changes" | "ai" | "resources";

export const views: readonly View[] = ["grid", "changes", "ai", "resources"];

/** A cell of the grid. */
export interface Cell {
  readonly agent: string; // as in the answer
  readonly url: string; // as given
}

/** The file that the edited one is compared with. */
export interface Before extends Contents {
  readonly name: string; // where it comes from: the URL of a robots.txt, the name of a file
  readonly site?: Site; // of a fetched file
  readonly other?: boolean; // it is not an earlier text of the document
}

/** What the page says above the editor, with a button. */
export interface Notice {
  readonly text: string;
  readonly action: string; // the text of the button; empty: there is none
  readonly run: () => void;
}

/** An edit that was not made, because the encoding of the file lacks a character. */
export interface Refused {
  readonly character: string;
  readonly insert: () => void; // converts the file and makes the edit
}

/** A fetch that gave no file. */
export interface Missed {
  readonly name: string; // the URL of the robots.txt, or what was typed
  readonly site?: Site; // missing if nothing was fetched
  readonly problem?: string; // why nothing was fetched
  readonly overHTTP?: () => void; // fetches without encryption, if the scheme was not typed
}

/** The answers for all crawlers and URLs of one state. */
export interface Answers {
  readonly agents: readonly string[]; // the columns: crawlers as in the answers
  readonly list: readonly Answer[]; // URL-major: the answers for urls[0], then for urls[1] …
  readonly urls: readonly string[]; // the rows: those of the state that are URLs
  readonly text: string; // the file that they are about
  readonly encoding: Encoding; // of the file
  readonly robots: string; // the URL of the file, "" if it is not known
  readonly truncated: boolean; // the file is longer than what crawlers read
}

/** The findings of the linter. */
export interface Findings {
  readonly list: readonly Diagnostic[];
  readonly text: string; // the file that they are about
}

/** What an edit changes. */
export interface Edit {
  readonly summary: string;
  readonly changes: number; // lines that decide differently, and other lines
}

/** An error that the page shows. */
export interface Failure {
  readonly message: string;
  readonly hint: string;
}

/** The file in the editor is the Contents of the state. */
export interface State extends Contents {
  readonly before: Before | null; // null: nothing to compare with
  readonly source: Before | null; // the file that was fetched or opened, from which the edits began
  readonly sites: readonly Fetched[]; // the files of other sites, each of which decides about the URLs of its site
  readonly document: Document;
  readonly address: string; // the fragment of the page if it is a shared state, which the document has in it
  readonly keeping: boolean; // whether this browser keeps documents
  readonly notice: Notice | null;
  readonly refused: Refused | null;
  readonly missed: Missed | null; // the latest fetch, if it gave no file: text and before are not about it
  readonly agents: readonly string[]; // crawlers in the notation of --agent, "A:B" with fallbacks
  readonly purposes: readonly string[]; // adds all known crawlers with these purposes
  readonly urls: readonly string[]; // as given: URLs or paths
  readonly dialect: Reading;
  readonly selected: Cell | null; // the cell of the grid that is explained
  readonly view: View;
  readonly answers: Answers | null; // the latest; may be older than text for some milliseconds
  readonly answersBefore: Answers | null; // for the same crawlers and URLs by the file in before
  readonly failure: Failure | null; // why there are no answers for the inputs as they are
  readonly explanation: Explanation | null; // of the selected cell
  readonly findings: Findings | null;
  readonly edit: Edit | null; // null: nothing was edited, or what that changes is not known yet
  readonly remarks: Remarks | null; // about agents and urls; may be older than these for some milliseconds
  readonly status: string | readonly (string | Node)[]; // the latest message for the user, read by screen readers
  readonly reveal: { readonly line: number } | null; // a new object scrolls the editor to this line, from 1
  readonly merging: boolean; // the editor shows the differences from before
}

export const initialState: State = {
  text: "",
  lineEnd: "\n",
  encoding: "utf-8",
  before: null,
  source: null,
  sites: [],
  document: { id: "", name: "", opened: { text: "", lineEnd: "\n", encoding: "utf-8" } },
  address: "",
  keeping: true,
  notice: null,
  refused: null,
  missed: null,
  agents: [],
  purposes: [],
  urls: [],
  dialect: "",
  selected: null,
  view: "grid",
  answers: null,
  answersBefore: null,
  failure: null,
  explanation: null,
  findings: null,
  edit: null,
  remarks: null,
  status: "",
  reveal: null,
  merging: false,
};

/** The contents of an empty file. */
export const blank = contentsOf(initialState);

export type Listener = (state: State, previous: State) => void;

export interface Store {
  readonly state: State;

  /** Replaces the given fields and calls the subscribers of those that changed. */
  update(change: Partial<State>): void;

  /**
   * Calls the listener after each update that changed one of these fields (by ===).
   * Returns a function that ends the subscription. An update within a listener is
   * allowed: its subscribers are called after all subscribers of the first update.
   */
  subscribe(fields: readonly (keyof State)[], listener: Listener): () => void;
}

export function newStore(start: State = initialState): Store {
  let state = start;
  let subscriptions: { fields: readonly (keyof State)[]; listener: Listener }[] = [];
  const changes: { state: State; previous: State }[] = [];
  let notifying = false;

  const notify = (): void => {
    if (notifying) {
      return;
    }
    notifying = true;
    try {
      for (let change = changes.shift(); change; change = changes.shift()) {
        const { state: now, previous } = change;
        for (const { fields, listener } of subscriptions) {
          if (fields.some((field) => now[field] !== previous[field])) {
            listener(now, previous);
          }
        }
      }
    } finally {
      notifying = false;
    }
  };

  return {
    get state() {
      return state;
    },
    update(change) {
      const previous = state;
      state = Object.freeze({ ...state, ...change });
      changes.push({ state, previous });
      notify();
    },
    subscribe(fields, listener) {
      const subscription = { fields, listener };
      subscriptions = [...subscriptions, subscription];
      return () => {
        subscriptions = subscriptions.filter((other) => other !== subscription);
      };
    },
  };
}

// The state of the page: one immutable value, one way to change it, subscribers.
//
// Everything that the page shows follows from the state. A part of the page never
// changes another part: it calls store.update, and the other part's subscription does
// the rest. Values within a state are never modified; make new arrays and objects.

import type { Answer, Diagnostic, Dialect, Explanation, Remarks, Site } from "./wire";

export type { Dialect };

export const dialects: readonly Dialect[] = ["google", "rfc9309", "koster1996"];

/** How the lines of the file end when it is saved. In the state they end with LF. */
export type LineEnd = "\n" | "\r\n" | "\r";

/** The views of the right side. "grid" is the table of answers. */
export type View = "grid" | "tree" | "ai" | "resources";

export const views: readonly View[] = ["grid", "tree", "ai", "resources"];

/** A cell of the grid. */
export interface Cell {
  readonly agent: string; // as in the answer
  readonly url: string; // as given
}

/** The file that the edited one is compared with. */
export interface Before {
  readonly text: string; // lines end with LF
  readonly name: string; // where it comes from: the URL of a robots.txt, the name of a file
  readonly site?: Site; // of a fetched file
}

/** A fetch that gave no file. */
export interface Missed {
  readonly name: string; // the URL of the robots.txt, or what was typed
  readonly site?: Site; // missing if nothing was fetched
  readonly problem?: string; // why nothing was fetched
}

/** The answers for all crawlers and URLs of one state. */
export interface Answers {
  readonly agents: readonly string[]; // the columns: crawlers as in the answers
  readonly list: readonly Answer[]; // URL-major: the answers for urls[0], then for urls[1] …
  readonly urls: readonly string[]; // the rows
  readonly text: string; // the file that they are about
  readonly truncated: boolean; // the file is longer than what crawlers read
}

/** The findings of the linter. */
export interface Findings {
  readonly list: readonly Diagnostic[];
  readonly text: string; // the file that they are about
}

/** An error that the page shows. */
export interface Failure {
  readonly message: string;
  readonly hint: string;
}

export interface State {
  readonly text: string; // the file in the editor; lines end with LF
  readonly lineEnd: LineEnd; // of the file when it is saved
  readonly before: Before | null; // null: nothing to compare with
  readonly missed: Missed | null; // the latest fetch, if it gave no file: text and before are not about it
  readonly agents: readonly string[]; // crawlers in the notation of --agent, "A:B" with fallbacks
  readonly purposes: readonly string[]; // adds all known crawlers with these purposes
  readonly urls: readonly string[]; // as given: URLs or paths
  readonly dialect: Dialect;
  readonly selected: Cell | null; // the cell of the grid that is explained
  readonly view: View;
  readonly answers: Answers | null; // the latest; may be older than text for some milliseconds
  readonly answersBefore: Answers | null; // for the same crawlers and URLs by the file in before
  readonly failure: Failure | null; // why there are no answers for the inputs as they are
  readonly explanation: Explanation | null; // of the selected cell
  readonly findings: Findings | null;
  readonly remarks: Remarks | null; // about agents and urls; may be older than these for some milliseconds
  readonly status: string; // the latest message for the user, read by screen readers
  readonly reveal: { readonly line: number } | null; // a new object scrolls the editor to this line, from 1
  readonly merging: boolean; // the editor shows the differences from before
}

export const initialState: State = {
  text: "",
  lineEnd: "\n",
  before: null,
  missed: null,
  agents: [],
  purposes: [],
  urls: [],
  dialect: "google",
  selected: null,
  view: "grid",
  answers: null,
  answersBefore: null,
  failure: null,
  explanation: null,
  findings: null,
  remarks: null,
  status: "",
  reveal: null,
  merging: false,
};

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

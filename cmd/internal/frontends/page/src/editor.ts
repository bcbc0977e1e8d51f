// The editor of the robots.txt: CodeMirror, in step with state.text.

import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, undoDepth } from "@codemirror/commands";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  type ViewUpdate,
} from "@codemirror/view";

import { startMeasure } from "./answers";
import { colours } from "./colours";
import { besideCompletion, completions, explainAtCursor, explanations } from "./knowledge";
import { keptOf, openDocument, show } from "./documents";
import { element } from "./dom";
import { encodable } from "./convert";
import { nameOfSurrogate, withoutEndMarks } from "./encoding";
import type { Engine } from "./engine";
import { formatFile, saveFile } from "./files";
import { litLines } from "./litlines";
import { messages } from "./messages";
import { findings } from "./findings";
import { blank, type State, type Store } from "./state";
import { keptURLs } from "./urlsource";

/** Marks a change of the document that comes from the state. */
const fromState = Annotation.define<boolean>();

/** Fills an element with the editor. */
export function mountEditor(into: HTMLElement, store: Store, engine: Engine): EditorView {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = new Compartment();
  const past = new Compartment();
  const replaced: Replaced = new Map();
  const view = new EditorView({
    parent: into,
    dispatchTransactions: encodable(store),
    state: EditorState.create({
      doc: store.state.text,
      extensions: [
        EditorView.cspNonce.of(document.getElementById("script")?.nonce ?? ""),
        EditorState.phrases.of(messages.phrases),
        theme.of(EditorView.darkTheme.of(dark.matches)),
        EditorView.contentAttributes.of({
          "aria-label": messages.editor.label,
          "aria-describedby": "editor-help",
          tabindex: "0", // it is focusable anyway, but not every checker knows that
          spellcheck: "false",
          autocorrect: "off",
          autocapitalize: "off",
          translate: "no",
        }),
        lineNumbers(),
        litLines(store),
        lintGutter(),
        highlightActiveLineGutter(),
        highlightActiveLine(),
        specialCharacters,
        EditorView.clipboardOutputFilter.of(withoutEndMarks),
        past.of(history()),
        placeholder(messages.editor.empty),
        drawSelection(),
        dropCursor(),
        search({ top: true }),
        highlightSelectionMatches(),
        autocompletion({ override: [completions(engine, store)], icons: false, addToOptions: [{ render: besideCompletion, position: 80 }] }),
        explanations(engine, store),
        colours(engine, store),
        findings(store, engine),
        keymap.of([
          { key: "Shift-Alt-f", run: () => (void formatFile(store, engine), true), preventDefault: true },
          { key: "Mod-i", run: (at) => (explainAt(at, store, engine), true), preventDefault: true },
          { key: "Mod-s", run: () => (saveFile(store), true), preventDefault: true },
          ...lintKeymap,
          ...completionKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((t) => t.annotation(fromState))) {
            const text = update.state.doc.toString();
            startMeasure(text);
            void take(update, text, store, replaced);
          }
        }),
      ],
    }),
  });

  dark.addEventListener("change", () => {
    view.dispatch({ effects: theme.reconfigure(EditorView.darkTheme.of(dark.matches)) });
  });
  store.subscribe(["text", "document"], (state, previous) => {
    setText(view, state.text);
    if (state.document.id !== previous.document.id && replaced.get(placeOf(view.state)) !== null) {
      // The edits of another document are not undone here, but by its notice.
      replaced.clear();
      view.dispatch({ effects: past.reconfigure([]) });
      view.dispatch({ effects: past.reconfigure(history()) });
    }
  });
  store.subscribe(["reveal"], (state) => {
    if (state.reveal) {
      revealLine(view, state.reveal.line);
    }
  });
  return view;
}

/** What undo and redo bring back, by places in the history: the document that another replaced, null where that is shown, or URLs that went with a text. */
type Replaced = Map<string, Partial<State> | null>;

const placeOf = (state: EditorState): string => `${undoDepth(state)} ${state.doc}`;

/** Takes an edit into the state. Lines instead of a whole text that has no source are another document. The example's URLs go, and come back, with its text. */
async function take({ startState, state, transactions }: ViewUpdate, text: string, store: Store, replaced: Replaced): Promise<void> {
  const { before, document, source, urls, selected } = store.state;
  const { doc, selection: { main } } = startState;
  const whole = main.from === 0 && main.to === doc.length;
  const another = whole && !before && !source && !document.named && transactions.some((t) => t.isUserEvent("input")) && text.trim().includes("\n");
  const undone = transactions.some((t) => t.isUserEvent("undo") || t.isUserEvent("redo"));
  const other = undone ? replaced.get(placeOf(state)) : null;
  if (another || other?.document) {
    replaced.set(placeOf(startState), { ...keptOf(store.state), selected }).set(placeOf(state), null);
  }
  if (other?.document) {
    show(store, other);
  } else if (!(another && (await openDocument(store, messages.documents.untitled, { ...blank, text })))) {
    if (whole) {
      replaced.set(placeOf(startState), { urls }); // and not the document, which stays
    }
    const isLeft = other?.urls && String(urls) === String(keptURLs(other.urls));
    store.update({ text, urls: isLeft ? other.urls : whole ? keptURLs(urls) : urls });
  }
}

/** Explains what is at the cursor. */
export function explainAt(view: EditorView, store: Store, engine: Engine): void {
  view.focus();
  void explainAtCursor(view, engine, store, () => store.update({ status: messages.editor.nothing }));
}

/** Bidirectional controls and invisible characters that CodeMirror does not show itself. */
export const invisible = /[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u202a-\u202c\u2060-\u206f\u3164\ufe00-\ufe0f\uffa0]|\p{Surrogate}/gu;

/** Shows what is invisible, bytes that are not UTF-8, and line ends unlike most of the file. */
export const specialCharacters = highlightSpecialChars({
  addSpecialChars: invisible,
  render: (code, description, placeholder) =>
    code >= 0xd800 && code <= 0xdfff
      ? element("span", { class: "cm-specialChar", title: code >= 0xdc80 ? messages.editor.wrongByte : messages.editor.otherEnd }, nameOfSurrogate(code))
      : element("span", { class: "cm-specialChar", title: description, "aria-label": description }, placeholder),
});

/** Replaces what differs, so that the place of the cursor and the history are kept. */
export function setText(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  if (now === text) {
    return;
  }
  let from = 0;
  const shorter = Math.min(now.length, text.length);
  while (from < shorter && now.charCodeAt(from) === text.charCodeAt(from)) {
    from++;
  }
  let tail = 0;
  while (tail < shorter - from && now.charCodeAt(now.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) {
    tail++;
  }
  view.dispatch({
    changes: { from, to: now.length - tail, insert: text.slice(from, text.length - tail) },
    annotations: fromState.of(true),
  });
}

/** Scrolls to a line, and puts the cursor there. */
export function revealLine(view: EditorView, line: number): void {
  const { doc } = view.state;
  if (line < 1 || line > doc.lines) {
    return;
  }
  const { from } = doc.line(line);
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}

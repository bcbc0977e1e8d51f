// Buttons for the state of the page: a link, and texts for other programs.

import { comparableBefore } from "./answers";
import { answersCSV, answersJSON, changesCSV, curlCommand, expectations, needsURLFile, type Question, robotsCommand, type Shell, urlFile } from "./commands";
import { isEdited, openDocument, siteName } from "./documents";
import { download, element, replaceChildren } from "./dom";
import { encode, sameContents } from "./encoding";
import { messages } from "./messages";
import type { Mount } from "./mount";
import { sitesOf } from "./sites";
import { gridCSV, gridMarkdown } from "./sheet";
import { limits, linkTo, makeFragment, readFragment, ShareError, sharedFragment } from "./sharelink";
import { contentsOf, type State, type Store } from "./state";

const texts = messages.share;

/** A text that is copied or saved. */
interface Copy {
  readonly text: string;
  readonly file?: { readonly name: string; readonly type: string; readonly bytes?: Uint8Array<ArrayBuffer> }; // as which it is saved; bytes are instead of the text in UTF-8
  readonly note?: string;
}

type Kind = keyof typeof texts.kinds;

const kinds = Object.keys(texts.kinds) as Kind[];
const shellKinds: readonly Kind[] = ["robots", "curl"];

/** Fills the header with the buttons, and reads the state in the link with which the page was opened. */
export const mount: Mount = (into, store, engine) => {
  const say = (status: string): void => {
    store.update({ status: "" }); // what is said again is read again
    store.update({ status });
  };
  const available = kinds.filter((kind) => engine.live || kind !== "curl");
  const dialog = newDialog(store, available);
  replaceChildren(
    into,
    element("button", { type: "button", onclick: () => void copyLink(store.state, say, dialog.show) }, texts.copyLink),
    element("button", { type: "button", "aria-haspopup": "dialog", onclick: () => dialog.show("file") }, texts.more),
    dialog.element,
  );
  const open = (): void => void openLink(store, say);
  const { address, notice } = store.state;
  if (address !== "" && notice === null && isEdited(store.state)) {
    // After a reload, the edits of a link's text are shown and not that text.
    store.update({ notice: { text: messages.documents.keptAfterReload, action: messages.documents.showLink, run: () => (store.update({ address: "" }), open()) } });
  }
  window.addEventListener("hashchange", open);
  open();
};

/** Shows the state that the fragment of the page has. */
async function openLink(store: Store, say: (text: string) => void): Promise<void> {
  try {
    const shared = await readFragment(location.hash);
    const address = sharedFragment(location.hash);
    if (!shared || store.state.address === address) {
      return;
    }
    const name = siteName(shared.before?.name ?? shared.urls.find(siteName) ?? "") || messages.documents.fromLink;
    if (await openDocument(store, name, { ...shared, source: shared.source && { ...contentsOf(shared), ...(shared.source.name === shared.before?.name ? shared.before : shared.source) }, address })) {
      say(texts.opened);
    }
  } catch (error) {
    say(problemOf(error));
  }
}

function problemOf(error: unknown): string {
  return error instanceof ShareError ? texts.problems[error.problem] : texts.problems.damaged;
}

async function copyLink(state: State, say: (text: string) => void, show: (kind: Kind) => void): Promise<void> {
  try {
    const { text, note } = await linkOf(state);
    if (await copied(text)) {
      say(note ?? texts.linkCopied);
    } else {
      show("link");
    }
  } catch (error) {
    say(problemOf(error));
  }
}

async function linkOf(state: State): Promise<Copy> {
  const link = linkTo(location.href, await makeFragment(state));
  if (location.protocol === "file:") {
    return { text: link, note: texts.linkToDisk };
  }
  return { text: link, ...(link.length > limits.comfortable ? { note: texts.longLink(link.length) } : {}) };
}

/** Copies a text. Browsers refuse that on pages that are neither local nor encrypted. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns what the commands need of the state. */
function questionOf(state: State): Question {
  const fetched = state.source?.site !== undefined && sameContents(state.source, state);
  const held = [state.source?.site?.origin, ...state.sites.map(({ site }) => site.origin)];
  const live = fetched && state.urls.length > 0 && state.urls.every((url) => held.some((origin) => url.startsWith(`${origin}/`)));
  return { ...contentsOf(state), live, ...sitesOf(state), agents: state.agents, purposes: state.purposes, urls: state.urls, dialect: state.dialect };
}

async function copyOf(kind: Kind, shell: Shell, state: State): Promise<Copy> {
  const question = questionOf(state);
  const answered = state.answers?.text === state.text && state.answers.encoding === state.encoding ? state.answers : null;
  const answers = answered?.list ?? [];
  switch (kind) {
    case "link":
      return linkOf(state);
    case "robots":
      return { text: robotsCommand(question, shell), note: texts.needsFiles([...(question.live ? [] : ["robots.txt"]), ...(needsURLFile(question) ? ["urls.txt"] : [])]) };
    case "curl":
      return { text: curlCommand(question, location.href.replace(/[?#].*$/s, ""), shell) };
    case "expectations": {
      const robots = question.live ? (state.source?.site?.robots_url ?? "robots.txt") : "robots.txt";
      return { text: expectations(answers, robots, texts.expectationsNote, state.dialect), file: { name: "site.robots-test", type: "text/plain" }, note: texts.runExpectations };
    }
    case "csv":
      return { text: answersCSV(answers), file: { name: "answers.csv", type: "text/csv" } };
    case "changes": {
      const before = answered ? comparableBefore(state) : null;
      return { text: before ? changesCSV(before.list, answers) : "", file: { name: "changes.csv", type: "text/csv" } };
    }
    case "grid":
      return { text: answered ? gridCSV(answered) : "", file: { name: "grid.csv", type: "text/csv" } };
    case "markdown":
      return { text: answered ? gridMarkdown(answered) : "", file: { name: "grid.md", type: "text/markdown" } };
    case "json":
      return { text: answersJSON(answers), file: { name: "answers.jsonl", type: "application/jsonl" } };
    case "urls":
      return { text: urlFile(state.urls), file: { name: "urls.txt", type: "text/plain" } };
    case "file":
      return { text: state.text, file: { name: "robots.txt", type: "text/plain", bytes: encode(state) } };
  }
}

/** The dialog that shows a text before it is copied or saved. */
function newDialog(store: Store, available: readonly Kind[]): { element: HTMLDialogElement; show: (kind: Kind) => void } {
  const form = element("select", { id: "share-kind", onchange: () => void fill() }, ...available.map((kind) => element("option", { value: kind }, texts.kinds[kind])));
  const shell = element("select", { id: "share-shell", onchange: () => void fill() }, element("option", { value: "sh" }, texts.shells.sh), element("option", { value: "powershell" }, texts.shells.powershell));
  const shellField = element("p", {}, element("label", { for: "share-shell" }, texts.shell), " ", shell);
  const output = element("textarea", { id: "share-text", readonly: true, rows: 10, spellcheck: "false", class: "share-text" });
  const note = element("p", { class: "share-note" });
  const status = element("p", { role: "status" });
  let current: Copy = { text: "" };

  const copy = async (): Promise<void> => {
    if (await copied(current.text)) {
      status.textContent = texts.copied;
    } else {
      output.focus();
      output.select();
      status.textContent = texts.copyByHand;
    }
  };
  const save = element("button", { type: "button", onclick: () => current.file && download(current.file.bytes ?? current.text, current.file.name, current.file.type) }, texts.save);
  const dialog = element(
    "dialog",
    { "aria-labelledby": "share-heading", class: "share-dialog" },
    element("h2", { id: "share-heading" }, texts.heading),
    element("p", {}, element("label", { for: "share-kind" }, texts.form), " ", form),
    shellField,
    element("label", { for: "share-text", class: "hidden" }, texts.text),
    output,
    note,
    element("p", { class: "toolbar" }, element("button", { type: "button", onclick: () => void copy() }, texts.copy), save, element("button", { type: "button", onclick: () => dialog.close() }, texts.close)),
    status,
  );

  const fill = async (): Promise<void> => {
    const kind = form.value as Kind;
    shellField.hidden = !shellKinds.includes(kind);
    status.textContent = "";
    try {
      current = await copyOf(kind, shell.value as Shell, store.state);
      note.textContent = current.text === "" ? texts.empty : (current.note ?? "");
    } catch (error) {
      current = { text: "" };
      note.textContent = problemOf(error);
    }
    // A text area takes very long to show megabytes, and nobody reads them there.
    output.value = current.text.length > maxShown ? current.text.slice(0, maxShown) + "…" : current.text;
    save.hidden = current.file === undefined;
  };
  return {
    element: dialog,
    show: (kind) => {
      form.value = kind;
      void fill();
      dialog.showModal();
    },
  };
}

/** How many characters of a text the dialog shows. All of it is copied and saved. */
const maxShown = 200_000;

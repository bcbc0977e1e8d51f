// Opening, saving, formatting and fixing the file.

import { failureOf } from "./answers";
import { element } from "./dom";
import { type Engine, isOutdated } from "./engine";
import { messages } from "./messages";
import type { LineEnd, Store } from "./state";

/** Returns a text with LF at the end of each line, and how most of its lines end. */
export function readLines(text: string): { text: string; lineEnd: LineEnd } {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const crlf = count(/\r\n/g);
  const cr = count(/\r/g) - crlf;
  const lf = count(/\n/g) - crlf;
  const lineEnd = crlf > lf && crlf >= cr ? "\r\n" : cr > lf ? "\r" : "\n";
  return { text: text.replace(/\r\n?/g, "\n"), lineEnd };
}

/** Returns the file as it is saved. */
export function written(state: { text: string; lineEnd: LineEnd }): string {
  return state.lineEnd === "\n" ? state.text : state.text.replaceAll("\n", state.lineEnd);
}

/** Offers the file as a download. */
export function saveFile(store: Store): void {
  const url = URL.createObjectURL(new Blob([written(store.state)], { type: "text/plain" }));
  const link = element("a", { href: url, download: "robots.txt" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  store.update({ status: messages.files.saved });
}

/** The largest file that is opened: twice what the engine accepts would freeze nothing, but help nobody. */
const largestFile = 1 << 20;

/** Replaces the text by that of a file on this device, and keeps it to compare with. */
export async function openFile(store: Store, file: File): Promise<void> {
  if (file.size > largestFile) {
    store.update({ status: messages.files.tooLarge });
    return;
  }
  const bytes = await file.arrayBuffer();
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const { text, lineEnd } = readLines(decoded);
  const lossy = decoded.includes("\ufffd");
  store.update({
    text,
    lineEnd,
    before: { text, name: file.name },
    status: messages.files.opened(file.name) + (lossy ? ` ${messages.files.notUTF8}` : ""),
  });
}

/** Formats the file, if that changes no verdict. */
export async function formatFile(store: Store, engine: Engine): Promise<void> {
  const { text } = store.state;
  try {
    const result = await engine.call("format", { body: text, line_ends: "lf" }, { replaces: "format" });
    if (store.state.text !== text) {
      return; // somebody types
    }
    if (result.refused) {
      store.update({ status: messages.files.notFormatted(result.refused) });
    } else {
      store.update({ text: result.body, status: result.changed ? messages.files.formatted : messages.files.unchanged });
    }
  } catch (error) {
    report(store, error);
  }
}

/** Makes all fixes that are proved to change no verdict. */
export async function fixFile(store: Store, engine: Engine): Promise<void> {
  const { text } = store.state;
  try {
    const result = await engine.call("lint", { body: text, fix: "plain" }, { replaces: "fix" });
    if (store.state.text === text) {
      const body = readLines(result.body ?? text).text;
      store.update({ text: body, status: messages.files.fixed(result.fixed ?? 0, result.not_fixed?.length ?? 0) });
    }
  } catch (error) {
    report(store, error);
  }
}

function report(store: Store, error: unknown): void {
  if (!isOutdated(error)) {
    const failure = failureOf(error);
    store.update({ status: `${failure.message} ${failure.hint}` });
  }
}

// Opening, saving, formatting and fixing the file.

import { failureOf } from "./answers";
import { openDocument } from "./documents";
import { download, fromEngine, visible, withEngine } from "./dom";
import { bodyOf, bytesOfResult, countWrongBytes, decode, encode, sameContents } from "./encoding";
import { type Engine, isOutdated } from "./engine";
import { messages } from "./messages";
import type { Store } from "./state";

/** Offers the file as a download. */
export function saveFile(store: Store): void {
  download(encode(store.state), "robots.txt", "text/plain");
  store.update({ status: messages.files.saved });
}

/** The largest file that is opened: twice what the engine accepts would freeze nothing, but help nobody. */
export const largestFile = 1 << 20;

/** Replaces the text by that of a file on this device, and keeps it to compare with. */
export async function openFile(store: Store, file: File): Promise<void> {
  if (file.size > largestFile) {
    store.update({ status: messages.files.tooLarge });
    return;
  }
  const contents = decode(new Uint8Array(await file.arrayBuffer()));
  const wrong = countWrongBytes(contents);
  const source = { ...contents, name: file.name };
  const status = messages.files.opened(file.name) + (wrong > 0 ? ` ${messages.files.notUTF8(wrong)}` : "");
  await openDocument(store, file.name, { ...contents, before: source, source, status });
}

/** Formats the file, if that changes no verdict. */
export async function formatFile(store: Store, engine: Engine): Promise<void> {
  const { state } = store;
  try {
    const result = await engine.call("format", bodyOf(state), { replaces: "format" });
    if (!sameContents(store.state, state)) {
      return; // somebody types
    }
    if (result.refused) {
      store.update({ status: withEngine(messages.files.notFormatted(visible(result.refused)), visible(result.refused)) });
    } else {
      store.update({ ...decode(bytesOfResult(result), state.encoding), status: result.changed ? messages.files.formatted : messages.files.unchanged });
    }
  } catch (error) {
    report(store, error);
  }
}

/** Makes all fixes that are proved to change no verdict. */
export async function fixFile(store: Store, engine: Engine): Promise<void> {
  const { state } = store;
  try {
    const result = await engine.call("lint", { ...bodyOf(state), fix: "plain" }, { replaces: "fix" });
    if (sameContents(store.state, state)) {
      store.update({ ...decode(bytesOfResult(result), state.encoding), status: messages.files.fixed(result.fixed ?? 0, result.not_fixed?.length ?? 0) });
    }
  } catch (error) {
    report(store, error);
  }
}

function report(store: Store, error: unknown): void {
  if (!isOutdated(error)) {
    const failure = failureOf(error);
    store.update({ status: [fromEngine(`${failure.message} ${failure.hint}`)] });
  }
}

// Copying a cell of the grid copies the sentence that explains it.

import { byId } from "./dom";
import { messages } from "./messages";
import type { Store } from "./state";

/** Returns the answer in one sentence, "" if there is none. */
export function sentenceOfCell(): string {
  return (byId("explanation").querySelector(".why")?.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** Makes the keys for copying, and the menu of the browser, copy the sentence of the cell with the focus. */
export function copySentences(grid: HTMLElement, store: Store): void {
  document.addEventListener("copy", (event) => {
    const sentence = sentenceOfCell();
    const isCell = grid.contains(document.activeElement) && document.activeElement?.matches("td");
    if (isCell && sentence !== "" && document.getSelection()?.isCollapsed !== false) {
      event.clipboardData?.setData("text/plain", sentence);
      event.preventDefault();
      store.update({ status: messages.share.sentenceCopied(sentence) });
    }
  });
}

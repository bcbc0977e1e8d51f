// Copying a cell of the grid copies the sentence that explains it.

import { byId } from "./dom";
import { messages } from "./messages";
import type { Store } from "./state";

/** Returns the sentence with the verdict of the selected cell, "" if there is none. */
export function sentenceOfCell(store: Store): string {
  const { explanation, selected } = store.state;
  const said = byId("explanation").querySelector(".why")?.textContent ?? "";
  return explanation && explanation.url === selected?.url ? said.replace(/\s+/g, " ").trim() : "";
}

/** Makes the keys for copying, and the menu of the browser, copy the sentence of the cell with the focus. */
export function copySentences(grid: HTMLElement, store: Store): void {
  document.addEventListener("copy", (event) => {
    const sentence = sentenceOfCell(store);
    const isCell = grid.contains(document.activeElement) && document.activeElement?.matches("td");
    if (isCell && sentence !== "" && document.getSelection()?.isCollapsed !== false) {
      event.clipboardData?.setData("text/plain", sentence);
      event.preventDefault();
      store.update({ status: messages.share.sentenceCopied(sentence) });
    }
  });
}

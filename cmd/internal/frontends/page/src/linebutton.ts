import { element } from "./dom";
import { messages } from "./messages";
import type { Store } from "./state";

/** Returns a button that shows a line of the file in the editor. */
export function lineButton(line: number, text: string, store: Store): HTMLElement {
  return element("button", { type: "button", class: "link", title: messages.why.reveal(line), onclick: () => store.update({ reveal: { line } }) }, text);
}

// A question before something is lost.

import { element } from "./dom";
import { messages } from "./messages";

/** Asks a question and reports whether the answer is yes. Escape is no. */
export function ask(question: string, yes: string): Promise<boolean> {
  return new Promise((answer) => {
    const dialog = element(
      "dialog",
      { class: "share-dialog", role: "alertdialog", "aria-labelledby": "ask-question", onclose: () => (dialog.remove(), answer(dialog.returnValue === "yes")) },
      element("p", { id: "ask-question" }, question),
      element(
        "p",
        { class: "toolbar" },
        element("button", { type: "button", onclick: () => dialog.close("yes") }, yes),
        element("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, messages.documents.cancel),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

// The URLs and the dialect of the query. The panel in crawlers.ts has the crawlers.

import { element } from "./dom";
import { messages } from "./messages";
import { type Reading, readings, type Store } from "./state";

/** A field for URLs and paths. panels.ts has further sources of them. */
export function mountURLs(into: HTMLElement, store: Store): void {
  const field = element("textarea", {
    id: "url-list",
    rows: 3,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    inputmode: "url",
    placeholder: "/",
    "aria-describedby": "urls-help",
    oninput: () => store.update({ urls: linesOf(field.value) }),
  });
  into.append(
    element("label", { for: "url-list" }, messages.inputs.urls),
    element("span", { id: "urls-help", class: "help" }, messages.inputs.urlsHelp),
    field,
  );
  // What another part of the page changes is shown, but the cursor is never moved.
  const show = (): void => {
    const { urls } = store.state;
    if (linesOf(field.value).join("\n") !== urls.join("\n")) {
      field.value = urls.join("\n");
    }
  };
  store.subscribe(["urls"], show);
  show();
}

export function mountDialect(into: HTMLElement, store: Store): void {
  const choice = element(
    "select",
    { id: "dialect", onchange: () => store.update({ dialect: choice.value as Reading }) },
    ...readings.map((r) => element("option", { value: r }, r === "" ? messages.shell.eachAsItDoes : messages.dialects[r])),
  );
  into.append(element("label", { for: "dialect" }, messages.shell.dialect), choice);
  const show = (): void => {
    choice.value = store.state.dialect;
  };
  store.subscribe(["dialect"], show);
  show();
}

/** Returns the lines of a field, each once, without empty ones. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ""))];
}

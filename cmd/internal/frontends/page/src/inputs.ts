// The URLs and the dialect of the query. The panel in crawlers.ts has the crawlers.

import { masked } from "./credentials";
import { element, fromEngine, replaceChildren, visible } from "./dom";
import { messages } from "./messages";
import { type Reading, readings, type State, type Store } from "./state";
import { clipped } from "./text";

/** A field for URLs and paths. panels.ts has further sources of them. */
export function mountURLs(into: HTMLElement, store: Store): void {
  const field: HTMLTextAreaElement = element("textarea", {
    id: "url-list",
    rows: 3,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    inputmode: "url",
    placeholder: "/",
    "aria-describedby": "urls-help",
    oninput: () => store.update({ urls: linesOf(field.value) }),
    onchange: () => void (field.value = field.value.split("\n").map(masked).join("\n")),
  });
  const remarks = element("div", { class: "remarks", role: "status" });
  into.append(
    element("label", { for: "url-list" }, messages.inputs.urls),
    element("span", { id: "urls-help", class: "help" }, messages.inputs.urlsHelp),
    field,
    remarks,
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
  store.subscribe(["remarks"], (state) => replaceChildren(remarks, ...notChecked(state)));
}

/** How many texts that are no URLs are named. */
const maxNamed = 5;

/** Says which texts are no URLs, and why. */
function notChecked(state: State): HTMLElement[] {
  const byReason = new Map<string, string[]>();
  for (const { url, problem, hint } of state.remarks?.urls ?? []) {
    if (problem) {
      const reason = [problem, hint].filter(Boolean).join(": ");
      byReason.set(reason, [...(byReason.get(reason) ?? []), url]);
    }
  }
  // Links begin so, and browsers read a host.
  const hosts = (state.urls ?? []).filter((url) => url.startsWith("//"));
  const notes = hosts.slice(0, maxNamed).map((url) => element("p", { class: "remark" }, messages.inputs.readAsHost(clipped(visible(url), 60), visible(/^\/\/([^/?#]*)/.exec(url)?.[1] ?? ""))));
  return [...notes, ...[...byReason].map(([reason, urls]) => {
    const names = urls.slice(0, maxNamed).map((url) => `“${clipped(visible(url), 60)}”`);
    const list = urls.length > maxNamed ? messages.diff.andMore(names, urls.length - maxNamed) : messages.diff.list(names);
    return element("p", { class: "remark" }, messages.inputs.notChecked(list), " ", fromEngine(reason));
  })];
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

/** Returns the lines of a field, each once, without empty ones and without passwords. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => masked(line.trim()));
  return [...new Set(lines.filter((line) => line !== ""))];
}

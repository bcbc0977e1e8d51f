// The question: URLs and dialect. The panel in crawlers.ts has the crawlers.

import { agentList } from "./agentlist";
import { nameOf } from "./crawlers";
import { masked } from "./credentials";
import { element, replaceChildren, visible } from "./dom";
import { grouped } from "./grouped";
import { messages } from "./messages";
import { type Reading, readings, type State, type Store } from "./state";
import { clipped } from "./text";

/** A field for URLs and paths. panels.ts has further sources of them. */
export function mountURLs(into: HTMLElement, store: Store): void {
  const field: HTMLTextAreaElement = element("textarea", {
    id: "url-list",
    rows: 5,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    inputmode: "url",
    placeholder: "/",
    "aria-describedby": "urls-help",
    oninput: () => {
      const urls = linesOf(field.value);
      store.update({ urls });
      count(urls.length);
    },
    onchange: () => void (field.value = field.value.split("\n").map(masked).join("\n")),
  });
  const counts = element("span", { class: "help", role: "status", "data-counts": true });
  const count = (different: number): void => {
    const given = field.value.split("\n").filter((line) => line.trim() !== "").length;
    counts.textContent = given > different ? messages.inputs.counts(given, different) : "";
  };
  const remarks = element("div", { class: "remarks", role: "status" });
  into.append(
    element("label", { for: "url-list" }, messages.inputs.urls),
    element("span", { id: "urls-help", class: "help" }, messages.inputs.urlsHelp),
    " ",
    counts,
    field,
    remarks,
  );
  // What another part of the page changes is shown, but the cursor is never moved.
  const show = (): void => {
    const { urls } = store.state;
    if (linesOf(field.value).join("\n") !== urls.join("\n")) {
      field.value = urls.join("\n");
      count(urls.length);
    }
  };
  store.subscribe(["urls"], show);
  show();
  store.subscribe(["remarks"], (state) => replaceChildren(remarks, ...notChecked(state)));
}

/** Says in one line what is asked, while the fields are closed. */
export function mountQuestion(into: HTMLDetailsElement, store: Store): void {
  const asked = element("span", { class: "asked" });
  into.prepend(element("summary", {}, element("span", { class: "title" }, messages.inputs.question), asked));
  into.open = !matchMedia("(max-width: 34rem), (max-width: 56rem) and (max-height: 40rem)").matches; // the answers are on the first screen
  const show = (): void => {
    const { agents, dialect, purposes, urls } = store.state;
    const names = [...agents, ...purposes.map((purpose) => messages.crawlers.purposeChip(nameOf(purpose)))];
    asked.textContent = messages.inputs.asked(agentList(names, 3), urls.length, dialect === "" ? "" : messages.dialects[dialect]);
  };
  store.subscribe(["agents", "purposes", "urls", "dialect"], show);
  show();
}

/** How many texts that are no URLs are named. */
const maxNamed = 5;

/** Says which texts are no URLs, and why. */
function notChecked(state: State): HTMLElement[] {
  const wrong = (state.remarks?.urls ?? []).filter(({ problem }) => problem);
  const byReason = grouped(wrong, ({ problem, hint }) => [problem, hint].filter(Boolean).join(": "), ({ url }) => url);
  // Links begin so, and browsers read a host.
  const hosts = (state.urls ?? []).filter((url) => url.startsWith("//"));
  const notes = hosts.slice(0, maxNamed).map((url) => element("p", { class: "remark" }, messages.inputs.readAsHost(clipped(visible(url), 60), visible(/^\/\/([^/?#]*)/.exec(url)?.[1] ?? ""))));
  return [...notes, ...[...byReason].map(([reason, urls]) => {
    const names = urls.slice(0, maxNamed).map((url) => `“${clipped(visible(url), 60)}”`);
    const list = urls.length > maxNamed ? messages.diff.andMore(names, urls.length - maxNamed) : messages.diff.list(names);
    return element("p", { class: "remark" }, messages.inputs.notChecked(list), " ", element("bdi", {}, reason));
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

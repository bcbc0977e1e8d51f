// What the robots.txt says to AI services and search engines: the view of "robots ai".

import { debounced } from "./debounce";
import { agentList } from "./diff";
import { element, replaceChildren, visible } from "./dom";
import { isOutdated } from "./engine";
import { messages } from "./messages";
import type { Mount } from "./panels";
import type { Store } from "./state";
import { clipped } from "./text";
import type { AIView } from "./wire";

const texts = messages.ai;

type Access = AIView["purposes"][number];

/** Fills the view. */
export const mount: Mount = (into, store, engine) => {
  const status = element("p", { role: "status" });
  const content = element("div", { class: "ai" });
  replaceChildren(into, element("p", {}, texts.intro), status, content);
  let shown = "";

  const show = async (): Promise<void> => {
    const { text, dialect, view } = store.state;
    const key = dialect + text;
    if (view !== "ai" || key === shown) {
      return;
    }
    content.setAttribute("aria-busy", "true");
    try {
      const result = await engine.call("ai", { body: text, dialect }, { replaces: "ai" });
      shown = key;
      status.textContent = "";
      replaceChildren(content, accessTable(result.purposes, store), statements(result, store));
    } catch (error) {
      if (isOutdated(error)) {
        return;
      }
      status.textContent = texts.failed(error instanceof Error ? error.message : String(error));
      replaceChildren(content);
    }
    content.removeAttribute("aria-busy");
  };
  const later = debounced(300, () => void show());
  store.subscribe(["text", "dialect"], later);
  store.subscribe(["view"], () => void show());
  void show();
};

function accessTable(purposes: readonly Access[], store: Store): HTMLElement {
  const stated = purposes.some((access) => access.preferences.length > 0);
  const names = [texts.purpose, texts.access, ...(stated ? [texts.states] : []), texts.by, texts.crawlers];
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": texts.caption },
    element(
      "table",
      {},
      element("caption", {}, texts.caption),
      element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
      element(
        "tbody",
        {},
        ...purposes.map((access) =>
          element(
            "tr",
            {},
            element("th", { scope: "row", "data-label": texts.purpose }, texts.purposes[access.purpose as keyof typeof texts.purposes] ?? visible(access.purpose)),
            element("td", { class: `access ${access.access}`, "data-label": texts.access }, ...accessOf(access, store)),
            stated && element("td", { "data-label": texts.states }, access.preferences.map(visible).join(", ")),
            element("td", { "data-label": texts.by }, texts.matchedBy[access.matched_by]),
            element("td", { "data-label": texts.crawlers }, crawlersOf(access)),
          ),
        ),
      ),
    ),
  );
}

/** How many exceptions of a row are shown. */
const mostExceptions = 20;

function accessOf(access: Access, store: Store): (Node | string)[] {
  const parts: (Node | string)[] = [element("strong", {}, texts.accesses[access.access])];
  if (access.except.length > 0) {
    parts.push(" ", texts.except, " ");
    access.except.slice(0, mostExceptions).forEach((exception, i) => {
      const pattern = clipped(visible(exception.pattern), 100);
      parts.push(i > 0 ? ", " : "", lineButton(exception.line, exception.part ? texts.inPart(pattern) : pattern, store));
    });
    if (access.except.length > mostExceptions) {
      parts.push(" ", texts.more(access.except.length - mostExceptions));
    }
  }
  return parts;
}

function crawlersOf(access: Access): HTMLElement {
  const named = access.agents.map((agent) => (access.disobey.includes(agent) ? `${agent}*` : agent));
  if (named.length <= 6) {
    return element("span", {}, agentList(named, 6));
  }
  return element("details", {}, element("summary", {}, agentList(named, 3)), agentList(named, named.length));
}

function statements(view: AIView, store: Store): HTMLElement {
  const lines: HTMLElement[] = [];
  for (const preference of view.preferences) {
    const text = (preference.granted ? texts.grants : texts.refuses)(preference.use, preference.path === "" ? "" : clipped(visible(preference.path), 200), agentList(preference.agents, 4), preference.key);
    lines.push(element("li", {}, lineButton(preference.line, texts.line(preference.line), store), ": ", text));
  }
  for (const license of view.licenses) {
    lines.push(element("li", {}, lineButton(license.line, texts.line(license.line), store), ": ", texts.license(clipped(visible(license.value), 300))));
  }
  for (const problem of view.problems) {
    lines.push(element("li", { class: "problem" }, lineButton(problem.line, texts.line(problem.line), store), ": ", `${problem.code} ${clipped(visible(problem.message), 500)}`));
  }
  const disobey = view.purposes.reduce((sum, access) => sum + access.disobey.length, 0);
  return element(
    "div",
    {},
    element("h3", {}, texts.statements),
    lines.length > 0 ? element("ul", {}, ...lines) : element("p", {}, texts.noStatements),
    disobey > 0 && element("p", {}, texts.disobey(disobey)),
  );
}

function lineButton(line: number, text: string, store: Store): HTMLElement {
  return element("button", { type: "button", class: "link", title: texts.reveal(line), onclick: () => store.update({ reveal: { line } }) }, text);
}

// What may be done with one URL: "robots permit". The service fetches what the site says. About the text in
// the editor the engine answers, without a service. The answer is the table or letter of the tool.

import { element, replaceChildren, visible, withError } from "./dom";
import { bodyOf } from "./encoding";
import { type Engine, isOutdated } from "./engine";
import { writtenIn } from "./language";
import { lineButton } from "./linebutton";
import { messages } from "./messages";
import { copied } from "./share";
import { siteOf } from "./sites";
import { Stop } from "./stop";
import type { Store } from "./state";
import { withScheme } from "./urlsource";

const texts = messages.permit;

/** Returns the form and, after it, the last answer. */
export function thisURL(store: Store, engine: Engine): HTMLElement {
  const url = element("input", { id: "permit-url", type: "url", inputmode: "url", autocomplete: "off", spellcheck: "false", required: true });
  const operator = element("input", { id: "permit-operator", "data-operator": true, autocomplete: "off", spellcheck: "false" });
  const draft = element("input", { type: "checkbox", checked: !engine.live, disabled: !engine.live });
  const status = element("p", { role: "status" });
  const content = element("div", { "data-letter": true });
  const stop = new Stop(engine, { stopped: () => (status.textContent = messages.stop.stopped), back: () => url });
  let filled = "";
  const fill = (): void => {
    const site = siteOf(store.state);
    if (url.value === filled && site !== undefined) { // what was typed here stays
      const first = withScheme(store.state.urls[0] ?? "", site); // what was fetched, see ofFetch
      url.value = filled = first.startsWith(`${site}/`) ? first : `${site}/`;
    }
  };
  const show = async (): Promise<void> => {
    if (url.value.trim() === "") {
      url.reportValidity();
      return;
    }
    replaceChildren(content);
    status.textContent = texts.fetching;
    const of = operator.value.trim();
    const isDraft = draft.checked;
    const site = siteOf(store.state);
    const lang = writtenIn();
    try {
      const request = { url: withScheme(url.value, site), markdown: true, lang, ...(of === "" ? {} : { operator: of }) };
      const found = await (isDraft ? engine.call("permit", { ...request, ...bodyOf(store.state), ...(site === undefined ? {} : { site }) }, { replaces: "permit", live: false }) : stop.call("permit", request));
      const text = found.markdown ?? "";
      status.textContent = "";
      const shown = written(text, lang, isDraft ? store : null);
      const copy = async (): Promise<void> => {
        const done = await copied(text);
        status.textContent = done ? messages.share.copied : messages.share.copyByHand;
        if (!done) {
          getSelection()?.selectAllChildren(shown);
        }
      };
      replaceChildren(content, shown, element("p", { class: "toolbar" }, element("button", { type: "button", onclick: () => void copy() }, texts.copy)));
    } catch (error) {
      if (!isOutdated(error)) {
        replaceChildren(status, ...withError(texts.failed, error));
      }
    }
  };
  store.subscribe(["source", "urls"], fill);
  fill();
  return element(
    "form",
    {
      class: "permit",
      novalidate: true, // a host without a scheme will do
      onsubmit: () => void show(),
    },
    engine.live && element("p", {}, texts.intro),
    element("p", {}, element("label", { for: "permit-operator" }, texts.operator), " ", operator, " ", element("span", { class: "help" }, texts.operatorHelp)),
    element("p", {}, element("label", { for: "permit-url" }, texts.url), " ", url),
    element("p", {}, element("label", {}, draft, " ", texts.draft)),
    element("p", { class: "toolbar" }, element("button", { "data-write": true }, texts.ask), " ", stop.button),
    status,
    content,
  );
}

/** Shows what the tool writes in Markdown, whose lines are complete. If it is about the text in the editor, its lines are buttons. */
function written(text: string, lang: string, store: Store | null): HTMLElement {
  const root = element("div", { class: "written", lang, dir: "ltr" });
  for (const block of text.trim().split(/\n{2,}/)) {
    const lines = block.split("\n");
    if (block.startsWith("#")) {
      root.append(element("h4", {}, plain(block.replace(/^#+ /, ""))));
    } else if (block.startsWith("| ")) {
      root.append(tableOf(lines.map(cellsOf), store));
    } else if (block.startsWith("- ")) {
      root.append(element("ul", {}, ...lines.map((line) => element("li", {}, plain(line.slice(2))))));
    } else {
      root.append(...lines.map((line) => element("p", {}, plain(line))));
    }
  }
  return root;
}

/** Returns a text of Markdown without the backslashes before its punctuation. */
function plain(text: string): string {
  return visible(text.replace(/\\([\\|`*_<>[\]~&!$#@+-])/g, "$1"));
}

function cellsOf(line: string): string[] {
  return line.slice(2, -2).split(/ \| /).map(plain);
}

function tableOf([head = [], , ...rows]: readonly string[][], store: Store | null): HTMLElement {
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": texts.heading },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map((cell, i) => element(i === 0 ? "th" : "td", { ...(i === 0 ? { scope: "row" } : {}), "data-label": head[i] ?? "" }, ...withLines(cell, store)))))),
    ),
  );
}

/** Returns a cell, in which the lines of the editor are buttons. */
function withLines(cell: string, store: Store | null): (Node | string)[] {
  return cell.split(/\b((?:line|Zeile) \d+)(?= (?:of|der) robots\.txt|:)/).map((part, i) => {
    if (i % 2 === 0 || store === null) {
      return part;
    }
    const line = Number(part.replace(/\D/g, ""));
    return lineButton(line, messages.why.line(line), store);
  });
}

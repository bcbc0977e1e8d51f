// Which crawlers are checked: by name, with fallbacks, and by purpose.

import { agentOf, purposesOf, searchCrawlers, splitAgents } from "./crawlersearch";
import { element, replaceChildren, visible } from "./dom";
import { messages } from "./messages";
import type { Mount } from "./mount";
import type { State } from "./state";
import { clipped } from "./text";
import type { KnownCrawler } from "./wire";

const texts = messages.crawlers;

/** How many suggestions are shown. */
const maxSuggestions = 12;

/** Fills the panel with the selected crawlers, a search field and the purposes. */
export const mount: Mount = (into, store, engine) => {
  let known: readonly KnownCrawler[] = [];
  let suggestions: readonly KnownCrawler[] = [];
  let active = -1;

  const chips = element("ul", { class: "chips", "aria-label": texts.selected });
  const remarks = element("div", { class: "remarks", role: "status" });
  const status = element("p", { role: "status", class: "hidden" });
  const options = element("ul", { id: "crawler-options", role: "listbox", "aria-label": texts.suggestions, class: "options", hidden: true });
  const input = element("input", {
    id: "crawler-input", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
    "aria-expanded": "false", "aria-controls": "crawler-options", "aria-autocomplete": "list", "aria-describedby": "crawler-help", placeholder: texts.placeholder,
  });
  const purposes = element("div", { class: "purposes", role: "group", "aria-label": texts.byPurpose });
  replaceChildren(
    into,
    element("label", { for: "crawler-input" }, texts.label),
    chips,
    remarks,
    element("div", { class: "combobox" }, input, options),
    element("details", { class: "by-purpose" }, element("summary", {}, texts.byPurpose), purposes, element("p", { id: "crawler-help", class: "help" }, texts.help)),
    status,
  );

  const select = (agents: readonly string[]): void => {
    const added = agents.filter((agent) => !store.state.agents.includes(agent));
    if (added.length > 0) {
      store.update({ agents: [...store.state.agents, ...added] });
      status.textContent = texts.added(added.join(", "));
    }
    input.value = "";
    close();
  };
  const close = (): void => {
    suggestions = [];
    active = -1;
    options.hidden = true;
    replaceChildren(options);
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (index: number): void => {
    active = index;
    [...options.children].forEach((option, i) => option.setAttribute("aria-selected", String(i === index)));
    const option = options.children[index];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  };
  const open = (): void => {
    // In a fallback chain the last token is searched.
    const typed = input.value.slice(input.value.lastIndexOf(":") + 1);
    suggestions = known.length > 0 ? searchCrawlers(known, typed, maxSuggestions) : [];
    if (suggestions.length === 0) {
      close();
      return;
    }
    replaceChildren(
      options,
      ...suggestions.map((crawler, i) =>
        element(
          "li",
          {
            id: `crawler-option-${i}`, role: "option", "aria-selected": "false",
            // The field keeps the focus.
            onmousedown: (event: Event) => event.preventDefault(),
            onclick: () => choose(crawler),
          },
          element("strong", {}, crawler.token),
          " ",
          element("span", {}, describe(crawler)),
        ),
      ),
    );
    options.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(-1);
  };
  const choose = (crawler: KnownCrawler): void => {
    const chain = input.value.slice(0, input.value.lastIndexOf(":") + 1).trim();
    select([chain + agentOf(crawler.token)]);
  };

  input.addEventListener("input", () => open());
  input.addEventListener("focus", () => load());
  input.addEventListener("blur", () => close());
  input.addEventListener("keydown", (event) => {
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (options.hidden) {
          open();
        }
        const count = suggestions.length;
        if (count > 0) {
          mark(event.key === "ArrowDown" ? (active + 1) % count : active <= 0 ? count - 1 : active - 1);
        }
        break;
      }
      case "Enter": {
        event.preventDefault();
        const chosen = suggestions[active];
        if (chosen) {
          choose(chosen);
        } else {
          select(splitAgents(input.value));
        }
        break;
      }
      case "Escape":
        if (!options.hidden) {
          event.preventDefault();
          close();
        }
        break;
      case "Backspace":
        if (input.value === "" && store.state.agents.length > 0) {
          remove(store.state.agents.length - 1);
        }
    }
  });

  const remove = (index: number): void => {
    const agent = store.state.agents[index];
    store.update({ agents: store.state.agents.filter((_, i) => i !== index) });
    status.textContent = texts.removed(agent ?? "");
    input.focus();
  };

  const draw = (state: State): void => {
    replaceChildren(
      chips,
      ...state.agents.map((agent, i) =>
        element(
          "li",
          {},
          element("button", { type: "button", class: "chip", onclick: () => remove(i), "aria-label": texts.remove(visible(agent)), title: texts.remove(visible(agent)) }, clipped(visible(agent), 60), element("span", { "aria-hidden": "true" }, " ×")),
        ),
      ),
      ...state.purposes.map((purpose) =>
        element(
          "li",
          {},
          element("button", {
            type: "button", class: "chip purpose", "aria-label": texts.remove(nameOf(purpose)), title: texts.remove(nameOf(purpose)),
            onclick: () => {
              store.update({ purposes: store.state.purposes.filter((other) => other !== purpose) });
              status.textContent = texts.removed(nameOf(purpose));
              input.focus();
            },
          }, texts.purposeChip(nameOf(purpose)), element("span", { "aria-hidden": "true" }, " ×")),
        ),
      ),
    );
    chips.hidden = state.agents.length + state.purposes.length === 0;
  };

  const drawRemarks = (state: State): void => {
    replaceChildren(
      remarks,
      ...(state.remarks?.agents ?? [])
        .filter(({ agent }) => state.agents.includes(agent))
        .map(({ agent, nearest }) =>
          element(
            "p",
            { class: "remark" },
            `${texts.misspelt(clipped(visible(agent), 60))} `,
            element("button", { type: "button", class: "link", onclick: () => respell(agent, nearest) }, texts.replace(nearest)),
          ),
        ),
    );
  };
  const respell = (agent: string, nearest: string): void => {
    const agents = store.state.agents.map((other) => (other === agent ? nearest : other));
    store.update({ agents: [...new Set(agents)] });
    status.textContent = texts.added(nearest);
    input.focus();
  };

  const drawPurposes = (): void => {
    replaceChildren(
      purposes,
      ...purposesOf(known).map(({ purpose, crawlers }) =>
        element(
          "label",
          {},
          element("input", {
            type: "checkbox", value: purpose,
            onchange: (event: Event) => {
              const checked = (event.target as HTMLInputElement).checked;
              const others = store.state.purposes.filter((other) => other !== purpose);
              store.update({ purposes: checked ? [...others, purpose] : others });
            },
          }),
          " ",
          texts.purposeWithCount(nameOf(purpose), crawlers),
        ),
      ),
    );
    checkPurposes();
  };
  const checkPurposes = (): void => {
    for (const box of purposes.querySelectorAll("input")) {
      box.checked = store.state.purposes.includes(box.value);
    }
  };

  let loading = false;
  const load = (): void => {
    if (loading) {
      return;
    }
    loading = true;
    engine.call("crawlers", {}).then(
      (result) => {
        known = result.crawlers;
        drawPurposes();
        if (document.activeElement === input && input.value !== "") {
          open();
        }
      },
      () => (loading = false), // the next focus tries again
    );
  };
  into.querySelector("details")?.addEventListener("toggle", () => load());
  engine.whenReady(() => load());

  store.subscribe(["agents", "purposes"], (state) => {
    draw(state);
    checkPurposes();
  });
  store.subscribe(["agents", "remarks"], drawRemarks);
  draw(store.state);
  drawRemarks(store.state);
};

/** Returns the name of a purpose. */
export function nameOf(purpose: string): string {
  return texts.purposes[purpose as keyof typeof texts.purposes] ?? visible(purpose);
}

/** Returns what a suggestion says about a crawler. */
function describe(crawler: KnownCrawler): string {
  const parts = [crawler.operator === "unknown" ? "" : crawler.operator, crawler.purposes.map(nameOf).join(", ")];
  if (crawler.fallbacks.length > 0) {
    parts.push(texts.fallsBack(crawler.fallbacks.join(", ")));
  }
  if (crawler.obeys === "named" || crawler.obeys === "none") {
    parts.push(texts.obeys[crawler.obeys]);
  }
  if (crawler.status === "retired") {
    parts.push(texts.retired);
  }
  return parts.filter((part) => part !== "").join(" · ");
}

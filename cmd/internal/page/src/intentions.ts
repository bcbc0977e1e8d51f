// What crawlers may do, ticked, and written into the file where it belongs: "robots
// generate". The engine decides what it means for each crawler; this shows it.

import { agentList } from "./agentlist";
import { debounced } from "./debounce";
import { element, replaceChildren, visible, withError } from "./dom";
import { bodyOf, bytesOfResult, decode, sameContents } from "./encoding";
import { type Engine, isOutdated } from "./engine";
import { messages } from "./messages";
import type { State, Store } from "./state";
import { clipped } from "./text";
import type { Calls, Generated, GeneratedCrawler } from "./wire";

const texts = messages.intentions;

const purposes = ["ai-training", "ai-search", "ai-fetch", "search"] as const;
const signals = ["content-usage", "content-signal"] as const;

/** Returns the form, with what becomes of each crawler and a button that edits the text. */
export function intentions(store: Store, engine: Engine): HTMLElement {
  const refused = purposes.map((name) => element("input", { type: "checkbox", value: name }));
  const stated = signals.map((name) => element("input", { type: "checkbox", value: name }));
  const path = element("input", { id: "intentions-path", autocomplete: "off", spellcheck: "false", placeholder: "/members/" });
  const preferNo = element("input", { type: "checkbox" });
  const status = element("p", { role: "status" });
  const effects = element("div", {});
  const put = element("button", { type: "button", "aria-disabled": "true" }, texts.put);
  let result: { of: State; value: Generated } | null = null;

  const clear = (): void => {
    result = null;
    put.setAttribute("aria-disabled", "true");
    replaceChildren(effects);
  };

  /** What is ticked, null if no purpose is. */
  const request = (): Calls["generate"]["request"] | null => {
    const where = path.value.trim() === "" ? "" : `=${path.value.trim()}`;
    const no = refused.filter((box) => box.checked).map((box) => box.value + where);
    const lines = no.some((text) => !text.startsWith("ai-fetch")) ? stated.filter((box) => box.checked).map((box) => box.value) : [];
    return no.length === 0 ? null : { ...bodyOf(store.state), no, signals: lines, prefer_no: preferNo.checked };
  };

  const show = async (): Promise<void> => {
    const asked = request();
    if (store.state.view !== "ai" || !asked) {
      clear();
      status.textContent = "";
      return;
    }
    const of = store.state;
    try {
      const value = await engine.call("generate", asked, { replaces: "generate" });
      result = { of, value };
      status.textContent = value.changed ? "" : texts.unchanged;
      put.setAttribute("aria-disabled", String(!value.changed));
      replaceChildren(effects, effectsOf(value));
    } catch (error) {
      if (!isOutdated(error)) {
        clear();
        replaceChildren(status, ...withError(texts.failed, error));
      }
    }
  };
  put.addEventListener("click", () => {
    if (result?.value.changed && sameContents(result.of, store.state)) {
      store.update({ ...decode(bytesOfResult(result.value), store.state.encoding), status: texts.done });
    }
  });

  const later = debounced(300, () => void show());
  store.subscribe(["text", "lineEnd", "encoding", "view"], later);
  return element(
    "form",
    {
      class: "intentions",
      onsubmit: (event: Event) => event.preventDefault(),
      oninput: () => {
        clear(); // what is shown is about other ticks
        later();
      },
    },
    element("h3", {}, texts.heading),
    element("p", {}, texts.intro),
    boxes(texts.refuse, purposes.map((name, i) => [refused[i] as HTMLInputElement, messages.ai.purposes[name]])),
    element("p", {}, element("label", { for: "intentions-path" }, texts.path), " ", path),
    boxes(texts.signals, signals.map((name, i) => [stated[i] as HTMLInputElement, texts.signalNames[name]])),
    element("p", { class: "purposes" }, element("label", {}, preferNo, " ", texts.preferNo)),
    element("p", { class: "toolbar" }, put),
    status,
    effects,
  );
}

function boxes(legend: string, list: readonly (readonly [HTMLInputElement, string])[]): HTMLElement {
  return element("fieldset", {}, element("legend", {}, legend), element("span", { class: "purposes" }, ...list.map(([box, text]) => element("label", {}, box, " ", text))));
}

/** What becomes of the crawlers: a list for each outcome, with all names. */
function effectsOf(value: Generated): HTMLElement {
  const outcomes = new Map<string, GeneratedCrawler[]>();
  for (const crawler of value.crawlers) {
    const key = crawler.outcome === "written" && crawler.control ? "control" : crawler.outcome;
    outcomes.set(key, [...(outcomes.get(key) ?? []), crawler]);
  }
  const items = Object.entries(texts.outcomes).flatMap(([outcome, text]) => {
    const list = outcomes.get(outcome);
    return list ? [element("li", {}, element("strong", {}, text), " ", namesOf(list))] : [];
  });
  return element("ul", {}, ...items);
}

function namesOf(list: readonly GeneratedCrawler[]): HTMLElement {
  const names = list.map(({ agent, others }) => (others.length > 0 ? `${agent} (${others.map((p) => messages.ai.purposes[p as keyof typeof messages.ai.purposes] ?? clipped(visible(p), 80)).join(", ")})` : agent));
  if (names.length <= 8) {
    return element("span", {}, agentList(names, 8));
  }
  return element("details", {}, element("summary", {}, agentList(names, 4)), agentList(names, names.length));
}

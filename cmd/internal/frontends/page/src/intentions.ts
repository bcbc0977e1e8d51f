// What crawlers may do, ticked, and written into the file where it belongs: "robots
// generate". The engine decides what it means for each crawler; this shows it.

import { debounced } from "./debounce";
import { element, replaceChildren, visible, withError } from "./dom";
import { bodyOf, bytesOfResult, decode, sameContents } from "./encoding";
import { type Engine, isOutdated } from "./engine";
import { writtenIn } from "./language";
import { messages } from "./messages";
import type { State, Store } from "./state";
import { clipped } from "./text";
import type { Calls, Generated } from "./wire";

const texts = messages.intentions;

const choices = ["ai-training", "ai-search", "ai-fetch", "search", "all"] as const; // "all" means every crawler
const signals = ["content-usage", "content-signal"] as const;

const titleOf = (name: (typeof choices)[number]): string => (name === "all" ? texts.everybody : messages.ai.purposes[name]);

/** Returns the form, with the lines that will be written, what they do, and a button that writes them. */
export function intentions(store: Store, engine: Engine): HTMLElement {
  const chosen = choices.map((name) => element("select", { "aria-label": titleOf(name) }, ...(["", "no", "yes"] as const).map((value) => element("option", { value }, texts.choices[value || "nothing"]))));
  const names = (["no", "yes"] as const).map((value) => element("input", { id: `intentions-${value}`, autocomplete: "off", spellcheck: "false", placeholder: value === "no" ? "CCBot, OpenAI" : "OAI-SearchBot" }));
  const stated = signals.map((name) => element("input", { type: "checkbox", value: name }));
  const path = element("input", { id: "intentions-path", autocomplete: "off", spellcheck: "false", placeholder: "/members/" });
  const [status, effects] = [element("p", { role: "status" }), element("div", {})];
  const put = element("button", { type: "button", class: "primary", hidden: true }, texts.put);
  let result: { of: State; value: Generated } | null = null;
  let written = ""; // the text with what was written last

  const clear = (): void => {
    result = null;
    put.hidden = true;
    replaceChildren(effects);
  };

  /** What is chosen, null if nothing is. */
  const request = (): Calls["generate"]["request"] | null => {
    const where = path.value.trim() === "" ? "" : `=${path.value.trim()}`;
    const said = (value: string, list: string): string[] => [
      ...choices.filter((_, i) => chosen[i]?.value === value),
      ...list.split(",").map((name) => name.trim()).filter((name) => name !== ""),
    ].map((name) => name + where);
    const [no, yes] = [said("no", names[0]?.value ?? ""), said("yes", names[1]?.value ?? "")];
    const stateable = choices.some((name, i) => name !== "all" && name !== "ai-fetch" && chosen[i]?.value !== "");
    const lines = stateable ? stated.filter((box) => box.checked).map((box) => box.value) : [];
    return no.length + yes.length === 0 ? null : { ...bodyOf(store.state), no, yes, signals: lines, lang: writtenIn() };
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
      status.textContent = value.changed ? "" : of.text === written ? texts.done : texts.unchanged;
      put.hidden = !value.changed;
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
      store.update(decode(bytesOfResult(result.value), store.state.encoding));
      written = store.state.text;
    }
  });

  const later = debounced(300, () => void show());
  store.subscribe(["text", "lineEnd", "encoding", "view"], later);
  return element(
    "form",
    {
      class: "intentions",
      oninput: () => {
        clear(); // what is shown is about other ticks
        later();
      },
    },
    element("p", {}, texts.intro),
    element("fieldset", {}, element("legend", {}, texts.purposes), element("span", { class: "purposes" }, ...choices.map((name, i) => element("label", {}, titleOf(name), " ", chosen[i])))),
    ...(["no", "yes"] as const).map((value, i) => element("p", {}, element("label", { for: `intentions-${value}` }, texts.names[value]), " ", names[i])),
    element("p", {}, element("label", { for: "intentions-path" }, texts.path), " ", path),
    boxes(texts.signals, signals.map((name, i) => [stated[i] as HTMLInputElement, texts.signalNames[name]])),
    element("p", { class: "toolbar" }, put),
    status,
    effects,
  );
}

function boxes(legend: string, list: readonly (readonly [HTMLInputElement, string])[]): HTMLElement {
  return element("fieldset", {}, element("legend", {}, legend), element("span", { class: "purposes" }, ...list.map(([box, text]) => element("label", {}, box, " ", text))));
}

const mostLines = 300;

/** A line of the difference. For the head of a part, it says where that begins. */
function lineOf(line: string): HTMLElement {
  const at = /^@@ -(\d+)/.exec(line)?.[1];
  return element(line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span", {}, at ? `${messages.problems.line(Number(at) || 1)}:` : clipped(visible(line), 500), "\n");
}

/** What the new lines do, in sentences, and the lines themselves. */
function effectsOf({ sentences = [], patch = "" }: Generated): HTMLElement {
  const lines = patch.split("\n").filter((line) => /^[-+ @]/.test(line));
  return element(
    "div",
    {},
    element("ul", {}, ...sentences.map((sentence) => element("li", {}, clipped(visible(sentence), 2000)))),
    lines.length > 0 && element("details", { open: true }, element("summary", {}, texts.lines), element("pre", { dir: "ltr" }, element("code", {}, ...lines.slice(0, mostLines).map(lineOf))), lines.length > mostLines && element("p", {}, messages.ai.more(lines.length - mostLines)), element("p", { class: "help" }, texts.comments)),
  );
}

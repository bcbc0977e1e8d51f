// What may be done with one URL: "robots permit". The service fetches what the site says.

import { element, fromEngine, replaceChildren, visible, withError } from "./dom";
import { type Engine, isOutdated } from "./engine";
import { messages } from "./messages";
import type { Store } from "./state";
import { clipped } from "./text";
import { withScheme } from "./urlsource";
import type { Permit, PermitAnswer, PermitPlace, PermitReason } from "./wire";

const texts = messages.permit;

/** Returns the form and, after it, the last answer. */
export function thisURL(store: Store, engine: Engine): HTMLElement {
  const url = element("input", { id: "permit-url", type: "url", inputmode: "url", autocomplete: "off", spellcheck: "false" });
  const status = element("p", { role: "status" });
  const content = element("div", {});
  let filled = "";
  const fill = (): void => {
    const origin = store.state.source?.site?.origin ?? "";
    if (url.value === filled && origin !== "") { // what was typed stays
      url.value = filled = `${origin}/`;
    }
  };
  const show = async (): Promise<void> => {
    if (url.value.trim() === "") {
      url.focus();
      return;
    }
    replaceChildren(content);
    status.textContent = texts.fetching;
    try {
      const found = await engine.call("permit", { url: withScheme(url.value) }, { replaces: "permit" });
      status.textContent = "";
      replaceChildren(content, tableOf(found));
    } catch (error) {
      if (!isOutdated(error)) {
        replaceChildren(status, ...withError(texts.failed, error));
      }
    }
  };
  store.subscribe(["source"], fill);
  fill();
  return element(
    "form",
    {
      class: "permit",
      novalidate: true, // a host without a scheme will do
      onsubmit: (event: Event) => {
        event.preventDefault();
        void show();
      },
    },
    element("h3", {}, texts.heading),
    element("p", {}, texts.intro),
    element("p", {}, element("label", { for: "permit-url" }, texts.url), " ", url),
    element("p", { class: "toolbar" }, element("button", {}, texts.ask)),
    status,
    content,
  );
}

function tableOf(found: Permit): HTMLElement {
  const caption = texts.caption(clipped(visible(found.url), 200));
  const names = [texts.purpose, texts.crawler, texts.verdict, texts.reason];
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...[...found.answers, ...found.differing].map(rowOf)),
    ),
  );
}

function rowOf(answer: PermitAnswer): HTMLElement {
  const { purpose, crawler, verdict, provisional, reasons, conflicts, missing } = answer;
  const purposes: Record<string, string> = { ...messages.ai.purposes, ...texts.purposes };
  const [first] = reasons;
  return element(
    "tr",
    {},
    element("th", { scope: "row", "data-label": texts.purpose }, purposes[purpose] ?? visible(purpose)),
    element("td", { "data-label": texts.crawler }, crawler === "*" ? texts.any : element("bdi", {}, visible(crawler))),
    element("td", { "data-label": texts.verdict }, element("span", { class: `verdict ${verdict}` }, texts.verdicts[verdict as keyof typeof texts.verdicts] ?? visible(verdict)), provisional && ` ${texts.soFar}`),
    element(
      "td",
      { "data-label": texts.reason },
      ...(first ? [fromEngine(clipped(first.text, 300)), ", ", placeOf(first.place), first.reading && ` ${texts.reading}`] : [texts.none]),
      ...conflicts.map(({ reasons: [yes, no], rule }) => element("p", {}, texts.conflict(nameOf(reasons[yes]), nameOf(reasons[no])), " ", ruleOf(rule))),
      missing.length > 0 && element("p", { class: "help" }, `${texts.missing} `, fromEngine(missing.join("; "))),
    ),
  );
}

/** Says how a conflict is decided; see Conflict.Rule of package permission. */
function ruleOf(rule: string): string {
  const { none, usage, license, mining } = texts.rules;
  return rule.startsWith("vocab") ? usage : rule.startsWith("RSL") ? license : rule.startsWith("TDMRep") ? mining : none;
}

function nameOf(reason: PermitReason | undefined): string {
  return reason ? `${clipped(visible(reason.text), 100)} (${placeOf(reason.place)})` : "";
}

function placeOf({ line, header, url = "", pointer = "" }: PermitPlace): string {
  if (header) {
    return texts.header(visible(header));
  }
  if (line) {
    return (url === "" || url.endsWith("/robots.txt") ? texts.robots : texts.page)(line);
  }
  return clipped(visible(url + (pointer && `#${pointer}`)), 200) || "robots.txt";
}

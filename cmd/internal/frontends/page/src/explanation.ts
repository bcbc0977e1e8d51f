// Why: the explanation of the selected cell, in sentences.

import { element, fromEngine, reasonOf, replaceChildren, visible } from "./dom";
import { messages } from "./messages";
import { ownDecision } from "./sites";
import type { Store } from "./state";
import { clipped } from "./text";
import type { Explanation, OtherDialect, Rule } from "./wire";

export function mountExplanation(into: HTMLElement, store: Store): void {
  // Screen readers read the first sentence only; the rest can be explored.
  const said = element("p", { class: "why", "aria-live": "polite", "aria-atomic": "true" });
  const rest = element("div", { class: "details" });
  into.append(element("h3", { class: "hidden" }, messages.why.title), said, rest);
  let shown = "";
  const show = (): void => {
    const { explanation } = store.state;
    const text = JSON.stringify(explanation);
    if (text === shown) {
      return; // an unchanged sentence is not read again at each keystroke
    }
    shown = text;
    into.classList.toggle("empty", !explanation);
    if (!explanation) {
      replaceChildren(said, messages.why.none);
      replaceChildren(rest);
      return;
    }
    replaceChildren(said, ...sentence(explanation, store));
    replaceChildren(rest, ...details(explanation, store));
  };
  store.subscribe(["explanation"], show);
  show();
}

/** Returns the sentence with the verdict and its reason. */
function sentence(explanation: Explanation, store: Store): (Node | string)[] {
  const { decision, verdict } = explanation;
  const parts: (Node | string)[] = [
    element("strong", { class: `verdict ${verdict}` }, messages.verdicts[verdict]),
    ": ",
    element("span", { class: "who" }, who(explanation.agent)),
    ` ${messages.why.may[verdict]} `,
    code(explanation.url),
    " – ",
  ];
  const rule = decision.rule;
  switch (decision.reason) {
    case "rule":
    case "empty-rule":
      if (rule) {
        parts.push(lineButton(decision.line, store, explanation), " ", code(ruleText(rule)), ` ${decision.reason === "rule" ? messages.why.decides : messages.why.empty}`);
      } else {
        parts.push(messages.why.reasons[decision.reason]);
      }
      break;
    case "no-file":
      parts.push(...(explanation.fetch ? [reasonOf(explanation.fetch), "."] : [messages.why.reasons["no-file"]]));
      break;
    default:
      parts.push(messages.why.reasons[decision.reason] ?? decision.reason);
  }
  const robots = explanation.fetch?.robots_url ?? explanation.governed_by;
  if (robots !== undefined) {
    parts.push(" ", messages.why.by(explanation.fetch !== undefined, clipped(visible(robots), 100)));
  }
  return parts;
}

function who(agent: string): string {
  return agent === "*" ? messages.grid.anyCrawler : visible(agent);
}

/** Returns the group, the losing rules and the other dialects. */
function details(explanation: Explanation, store: Store): Node[] {
  const { decision } = explanation;
  const rows: Node[] = [];
  const add = (name: string, ...content: (Node | string)[]): void => {
    rows.push(element("dt", {}, name), element("dd", {}, ...content));
  };
  add(messages.why.group, ...groupText(explanation, store));
  if (explanation.joined_line !== undefined) {
    const own = (decision.agent_lines ?? []).findLast((line) => line < decision.line) ?? 0;
    add(messages.why.joined, lineButton(explanation.joined_line, store, explanation), ` – ${messages.why.joinedWhy(own)}`);
  }
  if (explanation.fetched_anyway) {
    add("robots.txt", messages.grid.anyway);
  }
  if (explanation.compared_url) {
    add(messages.why.compared, code(explanation.compared_url));
  }
  const losing = decision.others ?? [];
  if (losing.length > 0) {
    add(messages.why.loses, element("ul", {}, ...losing.slice(0, 20).map((rule) => losingRule(rule, explanation, store))), losing.length > 20 ? messages.why.more(losing.length - 20) : "");
  }
  add(
    messages.why.dialects,
    element("ul", { class: "dialects" }, ...explanation.other_dialects.map((other) => dialectRow(other, explanation, store))),
  );
  return [element("dl", {}, ...rows)];
}

function groupText(explanation: Explanation, store: Store): (Node | string)[] {
  const { decision, matched_by: by } = explanation;
  const lines = decision.agent_lines ?? [];
  if (by === "none" || lines.length === 0) {
    return [messages.why.noGroup];
  }
  const shown = lines.slice(0, 6).flatMap((line, i) => [i > 0 ? ", " : "", lineButton(line, store, explanation)]);
  const more = lines.length > 6 ? [` ${messages.why.more(lines.length - 6)}`] : [];
  return [code(`User-agent: ${decision.agent}`), " · ", ...shown, ...more, by === "star" ? ` · ${messages.why.star}` : ""];
}

function losingRule(rule: Rule, explanation: Explanation, store: Store): HTMLElement {
  const { decision } = explanation;
  const winner = decision.rule;
  let why = "";
  if (winner && decision.dialect !== "koster1996") {
    if (rule.length < winner.length) {
      why = messages.why.shorter(rule.length, winner.length);
    } else if (rule.allow !== winner.allow) {
      why = messages.why.tie;
    } else {
      why = messages.why.same;
    }
  } else if (winner) {
    why = messages.why.later;
  }
  return element("li", {}, lineButton(rule.line, store, explanation), " ", code(ruleText(rule)), why && ` – ${why}`);
}

function dialectRow(other: OtherDialect, explanation: Explanation, store: Store): HTMLElement {
  const { decision, why } = other;
  const verdict = decision.allowed ? "allowed" : "disallowed";
  const differs = decision.allowed !== explanation.decision.allowed;
  return element(
    "li",
    { class: differs ? "differs" : "" },
    element("span", { class: "dialect" }, decision.dialect ? messages.dialects[decision.dialect] : ""),
    " ",
    element("span", { class: `verdict ${verdict}` }, messages.verdicts[verdict]),
    ...(decision.line > 0 ? [" · ", lineButton(decision.line, store, explanation)] : []),
    why && " – ",
    why && fromEngine(why),
  );
}

function ruleText(rule: Rule): string {
  return `${rule.allow ? "Allow" : "Disallow"}: ${rule.pattern}`;
}

function code(text: string): HTMLElement {
  return element("code", {}, element("bdi", {}, visible(text)));
}

function lineButton(line: number, store: Store, explanation: Explanation): HTMLElement {
  if (!ownDecision(explanation)) {
    return element("span", { class: "line" }, messages.why.line(line)); // of a file that is not in the editor
  }
  return element("button", { type: "button", class: "line", onclick: () => store.update({ reveal: { line } }) }, messages.why.line(line));
}

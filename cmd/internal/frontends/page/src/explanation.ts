// The answer: what the selected crawler may do with the selected URL, by which line, and why. If no
// cell is selected, how many URLs each crawler may not fetch.

import { answerAt } from "./answers";
import { element, fromEngine, replaceChildren, visible } from "./dom";
import { nameOf } from "./grid";
import { grouped } from "./grouped";
import { countsOf } from "./gridrows";
import { messages } from "./messages";
import { reasonOf } from "./reasons";
import { ownDecision } from "./sites";
import type { Answers, State, Store } from "./state";
import { clipped } from "./text";
import type { Answer, Explanation, OtherDialect, Rule } from "./wire";

export function mountExplanation(into: HTMLElement, store: Store): void {
  // Screen readers read the sentence only; the rest can be explored.
  const said = element("p", { class: "why", "aria-live": "polite", "aria-atomic": "true" });
  const summary = element("summary");
  const rest = element("dl");
  const more = element("details", { hidden: true }, summary, rest);
  const hint = element("p", { class: "help" }, messages.why.none);
  into.append(element("h3", { class: "hidden" }, messages.why.title), said, hint, more);
  let [sentence, reasons] = ["", ""];
  const show = (): void => {
    const { answers, explanation, selected, view } = store.state;
    const why = selected && explanation?.agent === selected.agent && explanation.url === selected.url ? explanation : null;
    const answer = selectedAnswer(store.state) ?? (why && answerOf(why));
    const counts = answer ? "" : countsSentence(answers);
    const key = JSON.stringify(answer ?? counts);
    hint.hidden = answer !== null || !answers || view !== "grid";
    if (key !== sentence) { // an unchanged sentence is not read again at each keystroke
      sentence = key;
      into.dataset["verdict"] = answer?.verdict ?? commonVerdict(answers);
      replaceChildren(said, ...(answer ? sentenceOf(answer, store) : [counts]));
    }
    const text = JSON.stringify(why);
    more.hidden = !why;
    if (why && text !== reasons) {
      reasons = text;
      summary.textContent = summaryOf(why);
      replaceChildren(rest, ...details(why, store));
    }
  };
  store.subscribe(["answers", "selected", "explanation", "view"], show);
  show();
}

/** What the sentence is about. */
type Said = Pick<Answer, "agent" | "url" | "verdict" | "line" | "rule" | "reason" | "robots_url" | "fetch_reason" | "cause" | "status" | "fault" | "governed_by">;

/** Returns the answer of a crawler that the grid does not have. */
function answerOf({ agent, url, verdict, rule, decision, fetch, governed_by: other }: Explanation): Said {
  const { line, reason } = decision;
  return { agent, url, verdict, line, rule, reason, ...fetch, ...(other === undefined ? {} : { governed_by: other }) };
}

/** Returns the answer of the selected cell, if there is one. */
function selectedAnswer({ answers, selected }: State): Answer | undefined {
  const [url, agent] = [answers?.urls.indexOf(selected?.url ?? "") ?? -1, answers?.agents.indexOf(selected?.agent ?? "") ?? -1];
  return answers && selected && url >= 0 && agent >= 0 ? answerAt(answers, url, agent) : undefined;
}

/** Returns the verdict of all answers, "mixed" if they differ. */
function commonVerdict(answers: Answers | null): string {
  const verdicts = new Set(answers?.list.map(({ verdict }) => verdict));
  return verdicts.size > 1 ? "mixed" : ([...verdicts][0] ?? "");
}

/** How many crawlers are named with the number of URLs that they may not fetch. */
const mostCounted = 4;

function countsSentence(answers: Answers | null): string {
  if (!answers || answers.urls.length === 0) {
    return "";
  }
  const { agents, verdicts } = countsOf(answers);
  const refused = agents.map((urls, i) => ({ urls, name: nameOf(answers.agents[i] ?? "") })).filter(({ urls }) => urls > 0).sort((a, b) => b.urls - a.urls);
  const named = grouped(refused.slice(0, mostCounted), ({ urls }) => urls, ({ name }) => clipped(name, 60));
  const groups = [...named].map(([urls, names]) => [messages.diff.list(names), names.length, urls] as const);
  return messages.why.counts(groups, Math.max(0, refused.length - mostCounted), answers.urls.length, verdicts.unknown, clipped(visible(answers.urls[0] ?? ""), 60));
}

/** Returns the sentence with the verdict and its reason. */
function sentenceOf(answer: Said, store: Store): (Node | string)[] {
  const { agent, line, reason, robots_url: fetched, url, verdict } = answer;
  const robots = fetched ?? answer.governed_by;
  return [
    element("strong", { class: `verdict ${verdict}` }, element("span", { class: "who" }, nameOf(agent)), ` ${messages.why.may[verdict]} `),
    code(url),
    element("span", { class: "hidden" }, " – "),
    element(
      "span",
      { class: "reason" },
      ...(line > 0
        ? [lineButton(line, store, fetched === undefined), " ", code(answer.rule.trim()), ` ${reason === "empty-rule" ? messages.why.empty : messages.why.decides}`]
        : reason === "no-file" && answer.fetch_reason
          ? [reasonOf(answer), "."]
          : [messages.why.reasons[reason] ?? reason]),
      ...(robots === undefined ? [] : [" ", messages.why.by(fetched !== undefined, clipped(visible(robots), 100))]),
    ),
  ];
}

/** Returns what the details are about: the group, the lines that lose, and whether dialects differ. */
function summaryOf({ decision, matched_by: by, other_dialects: others }: Explanation): string {
  const group = by === "none" || (decision.agent_lines ?? []).length === 0 ? messages.why.noGroup : `${messages.why.group}: ${clipped(visible(decision.agent), 60)}`;
  const losing = decision.others?.length ?? 0;
  const differing = others.filter((other) => other.decision.allowed !== decision.allowed).length;
  return [group, ...(losing > 0 ? [messages.why.lose(losing)] : []), messages.why.agree(differing)].join(" · ");
}

/** Returns the group, the losing rules and the other dialects. */
function details(explanation: Explanation, store: Store): Node[] {
  const own = ownDecision(explanation) !== undefined;
  const { decision } = explanation;
  const rows: Node[] = [];
  const add = (name: string, ...content: (Node | string)[]): void => {
    rows.push(element("dt", {}, name), element("dd", {}, ...content));
  };
  add(messages.why.group, ...groupText(explanation, store, own));
  if (explanation.joined_line !== undefined) {
    const above = (decision.agent_lines ?? []).findLast((line) => line < decision.line) ?? 0;
    add(messages.why.joined, lineButton(explanation.joined_line, store, own), ` – ${messages.why.joinedWhy(above)}`);
  }
  if (explanation.fetched_anyway) {
    add("robots.txt", messages.grid.anyway);
  }
  if (explanation.compared_url) {
    add(messages.why.compared, code(explanation.compared_url));
  }
  const losing = decision.others ?? [];
  if (losing.length > 0) {
    add(messages.why.loses, element("ul", {}, ...losing.slice(0, 20).map((rule) => losingRule(rule, explanation, store, own))), losing.length > 20 ? messages.why.more(losing.length - 20) : "");
  }
  add(
    messages.why.dialects,
    element("ul", { class: "dialects" }, ...explanation.other_dialects.map((other) => dialectRow(other, explanation, store, own))),
  );
  return rows;
}

function groupText(explanation: Explanation, store: Store, own: boolean): (Node | string)[] {
  const { decision, matched_by: by } = explanation;
  const lines = decision.agent_lines ?? [];
  if (by === "none" || lines.length === 0) {
    return [messages.why.noGroup];
  }
  const shown = lines.slice(0, 6).flatMap((line, i) => [i > 0 ? ", " : "", lineButton(line, store, own)]);
  const more = lines.length > 6 ? [` ${messages.why.more(lines.length - 6)}`] : [];
  return [code(`User-agent: ${decision.agent}`), " · ", ...shown, ...more, by === "star" ? ` · ${messages.why.star}` : ""];
}

function losingRule(rule: Rule, explanation: Explanation, store: Store, own: boolean): HTMLElement {
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
  return element("li", {}, lineButton(rule.line, store, own), " ", code(ruleText(rule)), why && ` – ${why}`);
}

function dialectRow(other: OtherDialect, explanation: Explanation, store: Store, own: boolean): HTMLElement {
  const { decision, why } = other;
  const verdict = decision.allowed ? "allowed" : "disallowed";
  const differs = decision.allowed !== explanation.decision.allowed;
  return element(
    "li",
    { class: differs ? "differs" : "" },
    element("span", { class: "dialect" }, decision.dialect ? messages.dialects[decision.dialect] : ""),
    " ",
    element("span", { class: `verdict ${verdict}` }, messages.verdicts[verdict]),
    ...(decision.line > 0 ? [" · ", lineButton(decision.line, store, own)] : []),
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

/** Returns a line of a file, a button if that is the one in the editor. */
function lineButton(line: number, store: Store, own: boolean): HTMLElement {
  if (!own) {
    return element("span", { class: "line" }, messages.why.line(line));
  }
  return element("button", { type: "button", class: "line", onclick: () => store.update({ reveal: { line } }) }, messages.why.line(line));
}

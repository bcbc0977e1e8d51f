// The list of findings below the editor: the same as the marks in it, for the keyboard
// and for screen readers.

import type { EditorView } from "@codemirror/view";

import { element, fromEngine, replaceChildren } from "./dom";
import type { Engine } from "./engine";
import { fixFile } from "./files";
import { makeFix, titleOf } from "./findings";
import { grouped } from "./grouped";
import { messages } from "./messages";
import type { Findings, Store } from "./state";
import type { Diagnostic } from "./wire";

/** How many findings are listed; the others are in the editor. */
const most = 200;

export function mountProblems(into: HTMLElement, store: Store, engine: Engine, view: EditorView): void {
  const fix = element("button", { type: "button", class: "fix-all", title: messages.tools.fixHelp, onclick: () => void fixFile(store, engine) });
  const summary = element("summary");
  const list = element("ol", { class: "findings" });
  const details = element("details", { open: true }, summary, list);
  const checking = element("span", { class: "checking help" }, messages.grid.waiting);
  into.append(fix, details);
  /** Says that the findings are those of the text before the last edit. */
  const mark = (): void => void into.classList.toggle("stale", store.state.findings !== null && store.state.findings.text !== store.state.text);
  const show = (): void => {
    const { findings } = store.state;
    replaceChildren(summary, ...summaryOf(findings), " ", checking);
    const safe = findings?.list.filter((found) => found.fix && !found.fix.meaning) ?? [];
    fix.textContent = messages.tools.fix([...new Set(safe.map((found) => found.range.start.line + 1))]);
    const rows = (findings?.list ?? []).slice(0, most).map((found) => row(found, findings?.text ?? "", store, view));
    const more = (findings?.list.length ?? 0) - most;
    fix.hidden = safe.length < (more > 0 ? 1 : 2); // the only one has its own button in the list
    replaceChildren(list, ...rows, more > 0 ? element("li", { class: "more" }, messages.problems.more(more)) : null);
    details.classList.toggle("none", rows.length === 0);
  };
  store.subscribe(["findings"], show);
  store.subscribe(["findings", "text"], mark);
  show();
}

function summaryOf(findings: Findings | null): (Node | string)[] {
  if (!findings) {
    return [messages.problems.title, " ", element("span", { class: "count" }, "…")];
  }
  const counts = grouped(findings.list, ({ severity }) => severity);
  if (counts.size === 0) {
    return [messages.problems.title, " ", element("span", { class: "count ok" }, messages.problems.none)];
  }
  const parts: (Node | string)[] = [messages.problems.title];
  for (const severity of ["error", "warning", "info"] as const) {
    const n = counts.get(severity)?.length;
    if (n) {
      parts.push(" ", element("span", { class: `count ${severity}` }, messages.problems.count(n, severity)));
    }
  }
  return [...parts, " ", element("span", { class: "help" }, messages.problems.english)];
}

function row(found: Diagnostic, text: string, store: Store, view: EditorView): HTMLElement {
  const line = found.range.start.line + 1;
  const fix = found.fix;
  const heading = messages.problems.heading(found.code);
  return element(
    "li",
    { class: `finding ${found.severity}`, "data-problem": found.code },
    element(
      "button",
      { type: "button", class: "go", onclick: () => store.update({ reveal: { line } }) },
      element("span", { class: "where" }, messages.problems.line(line)),
      element("span", { class: "severity" }, messages.problems.severities[found.severity as "error"] ?? found.severity),
      element("span", { class: "what" }, heading && element("strong", { "data-title": true }, heading), " ", fromEngine(found.message), " ", element("span", { class: "code" }, found.code)),
    ),
    fix && element("button", { type: "button", class: "fix", onclick: () => store.state.text === text && makeFix(found, view, store) }, titleOf(fix)),
  );
}

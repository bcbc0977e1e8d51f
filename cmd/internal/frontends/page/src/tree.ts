// The paths of the checked URLs as a tree, by verdict, below the grid. Folders are native
// disclosures, so they open with the keyboard, and what is closed is not made.

import { agentList } from "./agentlist";
import { debounced } from "./debounce";
import { element, replaceChildren, visible } from "./dom";
import { messages } from "./messages";
import { type PathNode, pathTree, type TreeVerdict, verdictOf } from "./pathtree";
import type { Store } from "./state";
import { clipped } from "./text";
import type { Answer } from "./wire";

const texts = messages.tree;

/** How many entries of a folder are shown at first, and with each "more". */
const most = 200;

/** Folders are opened at first while this many entries are visible. */
const maxOpen = 60;

/** Fills a disclosure. */
export function mountTree(into: HTMLDetailsElement, store: Store): void {
  const crawler = element("select", { id: "tree-crawler", onchange: () => show() });
  const summary = element("p", { role: "status" });
  const tree = element("div", { class: "tree" });
  replaceChildren(into, element("summary", {}, texts.heading), element("p", { class: "toolbar" }, element("label", { for: "tree-crawler" }, texts.crawler), " ", crawler), summary, tree);

  const show = (): void => {
    const answers = store.state.answers;
    into.hidden = !answers?.urls.length;
    if (!into.open) {
      return;
    }
    const agents = answers?.agents ?? [];
    fillCrawlers(crawler, agents);
    const chosen = crawler.value;
    const list = (answers?.list ?? []).filter((answer) => chosen === "" || answer.agent === chosen);
    const roots = pathTree(list);
    const counts = { allowed: 0, disallowed: 0, unknown: 0 };
    for (const root of roots) {
      for (const verdict of ["allowed", "disallowed", "unknown"] as const) {
        counts[verdict] += root.counts[verdict];
      }
    }
    summary.textContent = list.length === 0 ? texts.nothing : texts.counts(counts);
    const budget = { left: maxOpen };
    replaceChildren(tree, listOf(roots, store, budget));
  };
  store.subscribe(["answers"], debounced(60, show));
  into.addEventListener("toggle", show);
  show();
}

function fillCrawlers(select: HTMLSelectElement, agents: readonly string[]): void {
  const chosen = agents.includes(select.value) ? select.value : "";
  replaceChildren(select, element("option", { value: "" }, texts.allCrawlers), ...agents.map((agent) => element("option", { value: agent }, visible(agent))));
  select.value = chosen;
}

function listOf(nodes: readonly PathNode[], store: Store, budget: { left: number }): HTMLElement {
  const list = element("ul");
  const more = (from: number): void => {
    for (const node of nodes.slice(from, from + most)) {
      list.append(entry(node, store, budget));
    }
    const left = nodes.length - from - most;
    if (left > 0) {
      const item = element(
        "li",
        {},
        element("button", {
          type: "button",
          onclick: () => {
            const last = item.previousElementSibling;
            item.remove();
            more(from + most);
            last?.nextElementSibling?.querySelector<HTMLElement>("button, summary")?.focus();
          },
        }, texts.more(left)),
      );
      list.append(item);
    }
  };
  more(0);
  return list;
}

function entry(node: PathNode, store: Store, budget: { left: number }): HTMLElement {
  const verdict = verdictOf(node);
  const isLeaf = node.children.length === 0;
  if (isLeaf && node.answers.length === 1 && node.answers[0]) {
    return element("li", { class: verdict }, mark(verdict), " ", answerButton(node.answers[0], visible(node.name), store));
  }
  const details = element("details", { class: verdict });
  const summary = element("summary", {}, mark(verdict), " ", element("code", {}, clipped(visible(node.name), 200)), " ", element("span", { class: "tree-counts" }, texts.counts(node.counts)));
  details.append(summary);
  const fill = (): void => {
    if (details.childElementCount > 1) {
      return;
    }
    if (node.answers.length > 0) {
      details.append(element("ul", {}, ...node.answers.slice(0, most).map((answer) => element("li", { class: answer.verdict }, mark(answer.verdict), " ", answerButton(answer, texts.here(clipped(visible(node.name), 200), agentList([answer.agent], 1)), store)))));
    }
    if (!isLeaf) {
      details.append(listOf(node.children, store, budget));
    }
  };
  details.addEventListener("toggle", () => details.open && fill());
  budget.left -= node.children.length;
  if (!isLeaf && budget.left >= 0) {
    details.open = true;
    fill();
  }
  return element("li", {}, details);
}

function mark(verdict: TreeVerdict): HTMLElement {
  return element("span", { class: `verdict ${verdict}` }, texts.verdicts[verdict]);
}

/** A button that shows the answer in the grid, with its reasons. */
function answerButton(answer: Answer, name: string, store: Store): HTMLElement {
  return element(
    "button",
    {
      type: "button",
      class: "link",
      title: texts.explain,
      onclick: () => store.update({ selected: { agent: answer.agent, url: answer.url }, ...(answer.line > 0 && answer.robots_url === undefined ? { reveal: { line: answer.line } } : {}) }),
    },
    clipped(name, 200),
    answer.line > 0 && element("span", { class: "tree-rule" }, " ", messages.why.line(answer.line)),
  );
}

// The filter above the grid: kinds of answers and deciding lines with their counts, a text,
// and the order. It is shown for lists that are longer than a glance.

import { element, replaceChildren } from "./dom";
import { type Counts, everything, type Filter, kinds, type Order, orders } from "./gridrows";
import { messages } from "./messages";

/** Shorter lists have no filter. */
const fewest = 12;

/** How many lines are offered, and how many crawlers. */
const maxLines = 8;
const maxAgents = 12;

export class FilterBar {
  readonly root = element("div", { class: "filter", role: "group", "aria-label": messages.grid.filter, hidden: true });
  private readonly kinds = element("span", { class: "choices" });
  private readonly lines = element("span", { class: "choices" });
  private readonly agents = element("span", { class: "choices" });
  private readonly text = element("input", {
    id: "grid-text", type: "search", autocomplete: "off", spellcheck: "false", "aria-label": messages.grid.containing, placeholder: messages.grid.containing,
    oninput: () => this.change({ ...this.filter, text: this.text.value.trim() }),
  });
  private readonly order = element(
    "select",
    { id: "grid-order", onchange: () => this.change({ ...this.filter, order: this.order.value as Order }) },
    ...orders.map((order) => element("option", { value: order }, messages.grid.orders[order])),
  );
  private filter = everything;
  private shown = "";

  constructor(private readonly change: (filter: Filter) => void) {
    this.root.append(
      this.kinds,
      this.text,
      element("span", { class: "order" }, element("label", { for: "grid-order" }, messages.grid.order), " ", this.order),
      this.lines,
      this.agents,
    );
  }

  hide(): void {
    this.root.hidden = true;
  }

  /** Shows the counts and the filter. The crawlers are offered here if no heads of columns do. */
  show(counts: Counts, filter: Filter, crawlers: readonly string[]): void {
    this.filter = filter;
    this.root.hidden = counts.kinds.all < fewest;
    if (this.text.value.trim() !== filter.text) {
      this.text.value = filter.text;
    }
    this.order.value = filter.order;
    const lines = [...counts.lines].sort(([a, n], [b, m]) => m - n || a - b).slice(0, maxLines);
    // A line whose URLs are shown stays, so that it can be chosen again.
    if (filter.line !== null && !lines.some(([line]) => line === filter.line)) {
      lines.push([filter.line, counts.lines.get(filter.line) ?? 0]);
    }
    const refused = counts.agents.map((urls, agent) => ({ agent, urls, name: crawlers[agent] }));
    const agents = refused.sort((a, b) => b.urls - a.urls).filter(({ agent, name }, place) => name !== undefined && (place < maxAgents || agent === filter.agent));
    const shown = JSON.stringify([counts.kinds, lines, agents, filter.kind, filter.line, filter.agent]);
    if (shown === this.shown) {
      return; // a button that is replaced loses the focus
    }
    this.shown = shown;
    const focused = [...this.root.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    replaceChildren(
      this.kinds,
      ...kinds.map((kind) => choice(messages.grid.kinds[kind], counts.kinds[kind], filter.kind === kind, () => this.change({ ...this.filter, kind: kind === this.filter.kind ? "all" : kind }))),
    );
    replaceChildren(
      this.lines,
      element("span", { class: "help" }, messages.grid.decidedBy),
      ...lines.map(([line, urls]) =>
        choice(line === 0 ? messages.grid.noLine : messages.why.line(line), urls, filter.line === line, () => this.change({ ...this.filter, line: line === this.filter.line ? null : line })),
      ),
    );
    replaceChildren(
      this.agents,
      agents.length > 0 && element("span", { class: "help" }, messages.grid.disallowedFor),
      ...agents.map(({ agent, urls, name = "" }) => choice(element("bdi", {}, name), urls, filter.agent === agent, () => this.change({ ...this.filter, agent: agent === this.filter.agent ? null : agent }))),
    );
    this.root.querySelectorAll("button")[focused]?.focus();
  }
}

function choice(name: Node | string, count: number, pressed: boolean, onclick: () => void): HTMLElement {
  return element("button", { type: "button", class: "choice", "aria-pressed": String(pressed), onclick }, name, " ", element("span", { class: "number" }, messages.grid.number(count)));
}

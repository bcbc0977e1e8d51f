// The filter above the grid: kinds of answers and deciding lines with their counts, a text,
// and the order. It is shown for lists that are longer than a glance.

import { element, replaceChildren, visible } from "./dom";
import { type Counts, everything, type Filter, kinds, type Line, type Order, orders } from "./gridrows";
import { messages } from "./messages";
import { clipped } from "./text";

/** Shorter lists have no filter. */
const fewest = 12;

/** How many lines of a file are shown before the others, and how many crawlers. */
const firstLines = 12;
const maxAgents = 12;

export class FilterBar {
  readonly root = element("div", { class: "filter", role: "group", "aria-label": messages.grid.filter, hidden: true });
  private readonly kinds = element("span", { class: "choices" });
  private readonly lines = element("div", { class: "lines" });
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
    const files = [...counts.lines].map(([robots, lines]) => [robots, [...lines].sort(([a, n], [b, m]) => m - n || a - b)] as const);
    const refused = counts.agents.map((urls, agent) => ({ agent, urls, name: crawlers[agent] }));
    const agents = refused.sort((a, b) => b.urls - a.urls).filter(({ agent, name }, place) => name !== undefined && (place < maxAgents || agent === filter.agent));
    const shown = JSON.stringify([counts.kinds, files, agents, filter.kind, filter.line, filter.agent]);
    if (shown === this.shown) {
      return; // a button that is replaced loses the focus
    }
    this.shown = shown;
    const focused = [...this.root.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    replaceChildren(
      this.kinds,
      ...kinds.map((kind) => choice(messages.grid.kinds[kind], counts.kinds[kind], filter.kind === kind, () => this.change({ ...this.filter, kind: kind === this.filter.kind ? "all" : kind }))),
    );
    const chip = (of: Line, urls: number): HTMLElement => {
      const pressed = filter.line?.line === of.line && filter.line.robots === of.robots;
      const made = choice(of.line === 0 ? messages.grid.noLine : messages.why.line(of.line), urls, pressed, () => this.change({ ...this.filter, line: pressed ? null : of }));
      if (of.line > 0) {
        Object.assign(made.dataset, { chip: "", line: of.line, robots: of.robots });
      }
      return made;
    };
    const known = files.filter(([robots]) => robots !== "").length;
    const more = [...this.lines.querySelectorAll("details")].map((details) => details.open);
    replaceChildren(
      this.lines,
      ...files.map(([robots, lines], i) => {
        const name = known > 1 && robots !== "" ? clipped(visible(robots.replace(/^https?:\/\//, "")), 60) : messages.grid.decidedBy;
        const chips = lines.map(([line, urls]) => chip({ robots: line === 0 ? "" : robots, line }, urls));
        const rest = chips.splice(firstLines);
        return element(
          "div",
          { class: "choices", role: "group", "aria-label": name },
          (known < 2 || robots !== "") && element("span", { class: "help", title: visible(robots) }, name),
          ...chips,
          rest.length > 0 && element("details", { open: more[i] === true }, element("summary", {}, messages.why.more(rest.length)), element("div", { class: "choices" }, ...rest)),
        );
      }),
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

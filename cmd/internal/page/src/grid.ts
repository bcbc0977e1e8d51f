// The grid of answers: a table with crawlers on one side and URLs on the other. The longer
// list is that of the rows. Arrow keys move between cells; the cell with the focus is
// explained.

import { answerAt } from "./answers";
import { element, replaceChildren, visible } from "./dom";
import { messages } from "./messages";
import type { Answers, Cell, Store } from "./state";
import type { Answer, Verdict } from "./wire";

/** How many rows are shown at first, and how many each further step adds. */
const step = 100;

/** How many columns are shown. */
const mostColumns = 200;

export function mountGrid(into: HTMLElement, store: Store): void {
  const grid = new Grid(store);
  into.append(grid.root);
  store.subscribe(["answers", "answersBefore", "failure"], () => grid.show());
  store.subscribe(["selected"], () => grid.select(false));
  store.subscribe(["remarks"], () => grid.remark());
  grid.show();
}

/** The axes of a table. */
interface Axes {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly crawlersAreRows: boolean;
}

class Grid {
  readonly root = element("div", { class: "grid" });
  private readonly note = element("p", { class: "note" });
  private readonly summary = element("p", { class: "summary", role: "status" });
  private readonly help = element("p", { id: "grid-help", class: "hidden" }, messages.grid.help);
  private readonly frame = element("div", { class: "frame" });
  private readonly more = element("button", { type: "button", class: "more", hidden: true, onclick: () => this.showMore() });
  private table: HTMLTableElement | null = null;
  private cells: HTMLTableCellElement[][] = [];
  private heads = new Map<string, HTMLElement>(); // of the URLs
  private keys: string[][] = []; // what each cell shows
  private axes: Axes | null = null;
  private shownRows = step;
  private tabStop: HTMLTableCellElement | null = null;

  constructor(private readonly store: Store) {
    this.root.append(this.note, this.summary, this.help, this.frame, this.more);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("click", (event) => this.take(event.target));
    this.frame.addEventListener("focusin", (event) => this.take(event.target));
  }

  show(): void {
    const { answers, failure, urls } = this.store.state;
    const text = failure ? `${failure.message} ${failure.hint}` : urls.length === 0 ? messages.grid.noURLs : answers ? "" : messages.grid.waiting;
    replaceChildren(this.note, text);
    this.note.hidden = text === "";
    this.note.classList.toggle("error", failure !== null);
    this.root.classList.toggle("stale", failure !== null);
    if (!answers) {
      this.frame.replaceChildren();
      this.summary.hidden = true;
      this.more.hidden = true;
      this.axes = null;
      return;
    }
    this.summary.hidden = false;
    const axes = axesOf(answers);
    if (!this.axes || !sameAxes(this.axes, axes)) {
      this.axes = axes;
      this.shownRows = step;
      this.build();
    }
    this.fill(answers);
    const summary = summaryOf(answers);
    if (this.summary.textContent !== summary) {
      this.summary.textContent = summary; // a status is read when it changes
    }
  }

  /** Makes the table for the axes; fill writes the answers into it. */
  private build(): void {
    const axes = this.axes as Axes;
    const columns = axes.columns.slice(0, mostColumns);
    const rows = axes.rows.slice(0, this.shownRows);
    this.cells = [];
    this.keys = rows.map(() => []);
    this.heads.clear();
    const headOf = (name: string, crawler: boolean, properties: Readonly<Record<string, string>>): HTMLElement => {
      const head = element("th", properties, label(name, crawler));
      if (!crawler) {
        this.heads.set(name, head);
      }
      return head;
    };
    const head = element(
      "tr",
      { role: "row" },
      element("th", { scope: "col", class: "corner" }, axes.crawlersAreRows ? messages.grid.crawler : messages.grid.url),
      ...columns.map((name) => headOf(name, !axes.crawlersAreRows, { scope: "col", role: "columnheader" })),
    );
    const body = element("tbody", { role: "rowgroup" });
    rows.forEach((name, r) => {
      const cells = columns.map((_, c) => element("td", { role: "gridcell", tabindex: -1, "data-row": r, "data-column": c, "aria-selected": "false" }));
      this.cells.push(cells);
      body.append(element("tr", { role: "row" }, headOf(name, axes.crawlersAreRows, { scope: "row", role: "rowheader" }), ...cells));
    });
    this.table = element(
      "table",
      { role: "grid", "aria-label": messages.grid.label, "aria-describedby": "grid-help", "aria-rowcount": axes.rows.length + 1, class: axes.crawlersAreRows ? "by-crawler" : "by-url" },
      element("thead", { role: "rowgroup" }, head),
      body,
    );
    this.frame.replaceChildren(this.table);
    const left = axes.rows.length - rows.length;
    const hiddenColumns = axes.columns.length - columns.length;
    this.more.hidden = left <= 0;
    replaceChildren(this.more, messages.grid.more(Math.min(left, step), left));
    if (hiddenColumns > 0) {
      this.frame.append(element("p", { class: "note" }, messages.grid.columnsLeft(hiddenColumns)));
    }
    this.tabStop = null;
    this.select(false);
    this.remark();
  }

  /** Says beside URLs that they are none, or that another robots.txt governs them. */
  remark(): void {
    for (const old of this.frame.querySelectorAll(".remark")) {
      old.remove();
    }
    for (const remark of this.store.state.remarks?.urls ?? []) {
      const text = remark.problem ? [remark.problem, remark.hint].filter(Boolean).join(": ") : messages.grid.elsewhere(remark.robots_url ?? "");
      this.heads.get(remark.url)?.append(element("span", { class: "remark" }, element("bdi", {}, visible(text))));
    }
  }

  /** Writes the answers into the cells whose verdict or line changed. */
  private fill(answers: Answers): void {
    const swapped = (this.axes as Axes).crawlersAreRows;
    const before = comparable(this.store.state.answersBefore, answers);
    this.cells.forEach((row, r) => {
      row.forEach((cell, c) => {
        const [url, agent] = swapped ? [c, r] : [r, c];
        const answer = answerAt(answers, url, agent);
        const was = before && answerAt(before, url, agent)?.verdict;
        const changed = was && was !== answer?.verdict ? was : "";
        const key = answer ? `${answer.verdict} ${answer.line} ${changed}` : "";
        const keys = this.keys[r] as string[];
        if (keys[c] !== key) {
          keys[c] = key;
          fillCell(cell, answer, changed);
        }
      });
    });
  }

  private showMore(): void {
    const first = this.shownRows;
    this.shownRows += step;
    this.build();
    const { answers } = this.store.state;
    if (answers) {
      this.fill(answers);
    }
    this.cells[first]?.[0]?.focus();
  }

  /** Marks the selected cell, and makes it the one that Tab reaches. */
  select(focus: boolean): void {
    const { selected } = this.store.state;
    let found: HTMLTableCellElement | undefined;
    if (selected && this.axes) {
      const { rows, columns, crawlersAreRows } = this.axes;
      const row = rows.indexOf(crawlersAreRows ? selected.agent : selected.url);
      const column = columns.indexOf(crawlersAreRows ? selected.url : selected.agent);
      found = this.cells[row]?.[column];
    }
    for (const cell of this.frame.querySelectorAll('[aria-selected="true"]')) {
      cell.setAttribute("aria-selected", "false");
    }
    found?.setAttribute("aria-selected", "true");
    const stop = found ?? this.cells[0]?.[0] ?? null;
    if (stop !== this.tabStop) {
      this.tabStop?.setAttribute("tabindex", "-1");
      stop?.setAttribute("tabindex", "0");
      this.tabStop = stop;
    }
    if (focus) {
      found?.focus();
    }
  }

  /** Selects the cell that an event is about. */
  private take(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest("td") : null;
    const at = cell && this.cellAt(Number(cell.dataset["row"]), Number(cell.dataset["column"]));
    const { selected } = this.store.state;
    if (at && (at.agent !== selected?.agent || at.url !== selected.url)) {
      this.store.update({ selected: at });
    }
    if (cell && document.activeElement !== cell) {
      cell.focus({ preventScroll: true });
    }
  }

  private cellAt(row: number, column: number): Cell | null {
    const axes = this.axes;
    const [r, c] = [axes?.rows[row], axes?.columns[column]];
    if (r === undefined || c === undefined) {
      return null;
    }
    return axes?.crawlersAreRows ? { agent: r, url: c } : { agent: c, url: r };
  }

  private key(event: KeyboardEvent): void {
    const cell = event.target instanceof HTMLTableCellElement ? event.target : null;
    if (!cell || event.altKey || event.metaKey) {
      return;
    }
    const [row, column] = [Number(cell.dataset["row"]), Number(cell.dataset["column"])];
    const last = { row: this.cells.length - 1, column: (this.cells[0]?.length ?? 1) - 1 };
    const to = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? last.row : row, last.column],
      PageUp: [Math.max(0, row - 10), column],
      PageDown: [Math.min(last.row, row + 10), column],
      Enter: [row, column],
    }[event.key];
    if (!to) {
      return;
    }
    event.preventDefault();
    if (event.key === "Enter") {
      const answer = this.store.state.explanation?.decision.line ?? 0;
      if (answer > 0) {
        this.store.update({ reveal: { line: answer } });
      }
      return;
    }
    const [r = 0, c = 0] = to;
    const next = this.cells[r]?.[c];
    if (next) {
      next.focus();
      next.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

function axesOf(answers: Answers): Axes {
  const crawlersAreRows = answers.agents.length > answers.urls.length;
  return crawlersAreRows
    ? { rows: answers.agents, columns: answers.urls, crawlersAreRows }
    : { rows: answers.urls, columns: answers.agents, crawlersAreRows };
}

function sameAxes(a: Axes, b: Axes): boolean {
  const same = (x: readonly string[], y: readonly string[]): boolean => x === y || (x.length === y.length && x.every((text, i) => text === y[i]));
  return a.crawlersAreRows === b.crawlersAreRows && same(a.rows, b.rows) && same(a.columns, b.columns);
}

function label(name: string, crawler: boolean): HTMLElement {
  const text = crawler && name === "*" ? messages.grid.anyCrawler : visible(name);
  return element("span", { class: crawler ? "crawler" : "url", title: text }, element("bdi", {}, text));
}

/** Returns the answers by the file before, if they are for the same crawlers and URLs. */
function comparable(before: Answers | null, answers: Answers): Answers | null {
  return before && before.urls === answers.urls && before.agents.length === answers.agents.length && before.text !== answers.text ? before : null;
}

function fillCell(cell: HTMLTableCellElement, answer: Answer | undefined, was: Verdict | ""): void {
  if (!answer) {
    cell.className = "";
    cell.replaceChildren();
    return;
  }
  cell.className = `verdict ${answer.verdict}${was ? " changed" : ""}`;
  replaceChildren(
    cell,
    element("span", { class: "word" }, messages.verdicts[answer.verdict]),
    answer.line > 0 && element("span", { class: "hidden" }, `, ${messages.grid.line} `),
    answer.line > 0 && element("span", { class: "line" }, answer.line),
    was && element("span", { class: "was" }, element("span", { class: "hidden" }, ", "), messages.grid.was(messages.verdicts[was])),
  );
}

function summaryOf(answers: Answers): string {
  const counts = { allowed: 0, disallowed: 0, unknown: 0 };
  for (const answer of answers.list) {
    counts[answer.verdict]++;
  }
  return messages.grid.summary(answers.agents.length, answers.urls.length, counts.allowed, counts.disallowed, counts.unknown);
}

// The grid of answers: a row for each URL and a column for each crawler; on a phone a card
// for each URL. Only the rows in view are in the document. Arrow keys move between cells;
// the cell with the focus is explained.

import { answerAt, comparableBefore, isChanged, isOther } from "./answers";
import { element, fromEngine, replaceChildren, visible } from "./dom";
import { FilterBar } from "./gridfilter";
import { digitsOf, Layout } from "./gridlayout";
import { commonBeginning, type Counts, countsOf, everything, type Filter, rowAt, rowsOf, sectionsOf, topsOf } from "./gridrows";
import { messages } from "./messages";
import { ownDecision, rowRemark } from "./sites";
import type { Answers, Cell, Store } from "./state";
import { clipped, clippedAt } from "./text";
import type { Answer, Verdict } from "./wire";

/** The name of the performance measures of the scripts that a scroll event runs. */
export const scrollMeasure = "robots:scroll";

/** Lists of more URLs scroll in a frame. */
const long = 60;

/** How much of a screen is drawn above and below the one in view. */
const margin = 0.3;

export function mountGrid(into: HTMLElement, store: Store): void {
  const grid = new Grid(store);
  into.append(grid.root);
  store.subscribe(["answers", "answersBefore", "failure"], () => grid.show());
  store.subscribe(["selected"], () => grid.select());
  grid.show();
}

/** A row in the document. It is used again for another URL when it is scrolled out of view. */
interface Row {
  readonly element: HTMLTableRowElement;
  readonly head: HTMLTableCellElement;
  readonly cells: readonly HTMLTableCellElement[];
  readonly parts: readonly Parts[]; // of the cells
  readonly keys: string[]; // what each cell shows
  shown: string; // what the head shows
  place: number;
  version: number; // of the grid when the row was filled
}

/** The head of a column. */
interface Head {
  readonly head: HTMLTableCellElement;
  readonly button: HTMLButtonElement;
  readonly count: HTMLElement;
}

/** The elements in a cell. */
interface Parts {
  readonly word: HTMLElement;
  readonly line: HTMLElement;
  readonly said: HTMLElement; // for screen readers
}

class Grid {
  readonly root = element("div", { class: "grid" });
  private readonly note = element("p", { class: "note" });
  private readonly summary = element("p", { class: "summary", role: "status" });
  private readonly help = element("p", { id: "grid-help", class: "hidden" }, messages.grid.help);
  private readonly frame = element("div", { class: "frame" });
  private readonly bar = new FilterBar((filter) => this.setFilter(filter));
  private filter: Filter = everything;
  private answers: Answers | null = null;
  private before: Answers | null = null;
  private counts: Counts | null = null;
  private sections: readonly string[] = []; // of the URLs
  private corner = element("bdi");
  private layout: Layout | null = null;
  private table: HTMLTableElement | null = null;
  private body = element("tbody");
  private order: readonly number[] = []; // the URLs of the rows
  private tops: readonly number[] = [0];
  private heads: readonly Head[] = [];
  private remarks: readonly string[] = []; // about the URLs, "" if there is none
  private rows = new Map<number, Row>(); // by their places
  private free: Row[] = [];
  private version = 0; // of what the rows show
  private tabStop: HTMLTableCellElement | null = null;
  private lastSelected: Cell | null = null;
  // The browser would lay out the page to tell these after each keystroke.
  private height = 0;
  private scrolled = 0;

  constructor(private readonly store: Store) {
    this.lastSelected = store.state.selected; // the first view begins with the first row
    this.root.append(this.note, this.summary, this.bar.root, this.help, this.frame);
    this.frame.addEventListener("keydown", (event) => this.key(event));
    this.frame.addEventListener("click", (event) => this.take(event.target));
    this.frame.addEventListener("focusin", (event) => this.take(event.target));
    this.frame.addEventListener("scroll", () => {
      const start = performance.now();
      this.scrolled = this.frame.scrollTop;
      this.draw();
      performance.measure(scrollMeasure, { start });
    });
    let width = 0;
    new ResizeObserver(() => {
      this.height = this.frame.clientHeight;
      this.scrolled = this.frame.scrollTop;
      const resized = this.frame.clientWidth !== width;
      width = this.frame.clientWidth;
      if (resized && this.answers) {
        const focused = document.activeElement instanceof HTMLTableCellElement ? this.placeOf(document.activeElement) : null;
        this.build(this.answers);
        this.arrange();
        if (focused) {
          this.rows.get(focused.place)?.cells[focused.column]?.focus({ preventScroll: true });
        }
      } else {
        this.draw();
      }
    }).observe(this.frame);
  }

  show(): void {
    const { answers, failure } = this.store.state;
    const text = failure ? fromEngine(`${failure.message} ${failure.hint}`) : (answers ?? this.store.state).urls.length === 0 ? messages.grid.noURLs : answers ? "" : messages.grid.waiting;
    replaceChildren(this.note, text);
    this.note.hidden = text === "";
    this.note.classList.toggle("error", failure !== null);
    this.root.classList.toggle("stale", failure !== null);
    this.summary.hidden = !answers?.urls.length;
    if (!answers?.urls.length) {
      this.bar.hide();
      this.forget();
      return;
    }
    const old = this.answers;
    this.answers = answers;
    if (old !== answers) {
      this.counts = countsOf(answers);
    }
    this.before = comparableBefore(this.store.state);
    const others = !old || !same(old.urls, answers.urls) || !same(old.agents, answers.agents);
    if (others) {
      [this.filter, this.sections] = [everything, sectionsOf(answers.urls)];
    }
    if (others || digitsOf(old) !== digitsOf(answers)) {
      this.build(answers);
    }
    this.arrange();
  }

  private forget(): void {
    this.answers = null;
    this.table = null;
    this.rows.clear();
    this.free = [];
    this.frame.replaceChildren();
  }

  private setFilter(filter: Filter): void {
    this.filter = filter;
    this.scrollTo(0);
    this.arrange();
  }

  /** Makes the table with its head. The rows are drawn later. */
  private build(answers: Answers): void {
    const layout = new Layout(answers, this.sections, this.frame);
    this.layout = layout;
    this.rows.clear();
    this.free = [];
    this.tabStop = null;
    this.body = element("tbody", { role: "rowgroup" });
    this.heads = answers.agents.map((agent, i) => this.newHead(agent, i));
    this.table = element(
      "table",
      { role: "grid", "aria-label": messages.grid.label, "aria-describedby": "grid-help", "aria-colcount": answers.agents.length + 1, class: `${layout.form}${layout.dense ? " dense" : ""}` },
      element(
        "thead",
        { role: "rowgroup" },
        element(
          "tr",
          { role: "row", "aria-rowindex": 1 },
          element("th", { scope: "col", role: "columnheader", class: "corner" }, this.sections.some((origin) => origin !== "") ? element("span", { class: "origin" }, this.corner) : messages.grid.url),
          ...this.heads.map(({ head }) => head),
        ),
      ),
      this.body,
    );
    this.table.style.setProperty("--columns", layout.columns);
    this.table.style.setProperty("--line", JSON.stringify(messages.grid.lineSign));
    this.frame.classList.toggle("long", answers.urls.length > long);
    this.frame.replaceChildren(this.table);
    this.height ||= innerHeight / 2; // until the observer tells it
  }

  /** The head of a column: the crawler, and how many URLs it may not fetch. A click shows these. */
  private newHead(agent: string, column: number): Head {
    const count = element("span", { class: "count" });
    const button = element(
      "button",
      { type: "button", class: "column", tabindex: -1, onclick: () => this.setFilter({ ...this.filter, agent: this.filter.agent === column ? null : column }) },
      label(nameOf(agent), "crawler", shortName(agent)),
      count,
    );
    return { head: element("th", { scope: "col", role: "columnheader" }, button), button, count };
  }

  /** Finds the rows of the filter and their places, and draws those in view. */
  private arrange(): void {
    const { answers, counts, layout } = this;
    if (!answers || !counts || !layout) {
      return;
    }
    this.remarks = remarksOf(answers);
    this.version++;
    this.order = rowsOf(answers, this.filter, this.sections);
    this.tops = topsOf(this.order.map((url, place) => layout.heightOf(url, this.begins(place) !== "", this.remarkAt(place), this.changed(url))));
    const size = `${this.tops.at(-1)}px`;
    if (this.body.style.blockSize !== size) {
      this.body.style.blockSize = size;
    }
    this.table?.setAttribute("aria-rowcount", String(this.order.length + 1));
    this.bar.show(counts, this.filter, layout.form === "cards" ? answers.agents.map(shortName) : []);
    this.heads.forEach(({ button, count }, i) => {
      const disallowed = counts.agents[i] ?? 0;
      const text = messages.grid.number(disallowed);
      if (count.textContent !== text) {
        count.textContent = text;
      }
      const title = messages.grid.filterAgent(nameOf(answers.agents[i] ?? ""), disallowed);
      button.title = title;
      button.setAttribute("aria-pressed", String(this.filter.agent === i));
    });
    const { allowed, disallowed, unknown } = counts.verdicts;
    const summary = [
      messages.grid.summary(answers.agents.length, answers.urls.length, allowed, disallowed, unknown),
      ...(this.order.length < answers.urls.length ? [messages.grid.filtered(this.order.length)] : []),
    ].join(" · ");
    if (this.summary.textContent !== summary) {
      this.summary.textContent = summary; // a status is read when it changes
    }
    this.draw();
    this.select();
  }

  /** Returns the section that begins with a row, "" if none does. The head of the table has that of the first row in view. */
  private begins(place: number): string {
    const section = this.sections[this.order[place] ?? -1] ?? "";
    return place > 0 && section !== this.sections[this.order[place - 1] ?? -1] ? section : "";
  }

  /** Returns the remark about a row, "" if it is that of the row above, of the same site. */
  private remarkAt(place: number): string {
    const [url = -1, above = -1] = [this.order[place], this.order[place - 1]];
    const remark = this.remarks[url] ?? "";
    return this.sections[url] !== "" && this.sections[url] === this.sections[above] && remark === this.remarks[above] ? "" : remark;
  }

  /** Reports whether a verdict about a URL is another one than before the edit. */
  private changed(url: number): boolean {
    const { before, answers } = this;
    return before !== null && answers !== null && isChanged(before, answers, url);
  }

  /** Draws the rows in view, and a part of a screen around them. */
  private draw(): void {
    const { answers, tops, body, order } = this;
    if (!answers || !this.table) {
      return;
    }
    const height = this.height;
    const top = this.scrolled;
    const section = visible(this.sections[order[rowAt(tops, top)] ?? -1] ?? "") || messages.grid.url;
    if (this.corner.textContent !== section) {
      this.corner.textContent = this.corner.title = section;
    }
    const first = rowAt(tops, top - margin * height);
    const last = order.length === 0 ? -1 : rowAt(tops, top + (1 + margin) * height);
    for (const [place, row] of this.rows) {
      // The row with the focus stays, or the keyboard would lose its place.
      const focused = row.element.contains(document.activeElement) && place < order.length;
      if ((place < first || place > last) && !focused) {
        this.rows.delete(place);
        this.free.push(row);
      }
    }
    for (let place = first; place <= last; place++) {
      const row = this.rows.get(place) ?? this.free.pop() ?? newRow(answers.agents.length);
      this.rows.set(place, row);
    }
    this.free.forEach((row) => row.element.remove());
    let next = body.firstChild;
    for (const place of [...this.rows.keys()].sort((a, b) => a - b)) {
      const row = this.rows.get(place) as Row;
      if (row.element === next) {
        next = next.nextSibling;
      } else {
        body.insertBefore(row.element, next);
      }
      this.fill(row, place, answers);
    }
    if (!this.tabStop?.isConnected) {
      this.stopAt(this.rows.get(first)?.cells[0] ?? null);
    }
  }

  /** Writes a URL and its answers into a row, as far as it shows others. */
  private fill(row: Row, place: number, answers: Answers): void {
    if (row.version === this.version && row.place === place) {
      return;
    }
    row.version = this.version;
    row.place = place;
    const url = this.order[place] ?? 0;
    const name = answers.urls[url] ?? "";
    const top = `translateY(${this.tops[place]}px)`;
    const height = `${(this.tops[place + 1] ?? 0) - (this.tops[place] ?? 0)}px`;
    if (row.element.style.transform !== top || row.element.style.blockSize !== height) {
      row.element.style.transform = top;
      row.element.style.blockSize = height;
    }
    row.element.setAttribute("aria-rowindex", String(place + 2));
    const [section = "", begins, remark] = [this.sections[url], this.begins(place), this.remarkAt(place)];
    const differs = commonBeginning(name, answers.urls[this.order[place - 1] ?? -1], answers.urls[this.order[place + 1] ?? -1]);
    const cut = this.shorten(visible(name.slice(section.length)), differs - section.length);
    const shown = `${name}\n${cut}\n${begins}\n${remark}`;
    if (row.shown !== shown) {
      row.shown = shown;
      replaceChildren(
        row.head,
        begins !== "" && element("span", { class: "origin", title: visible(begins) }, element("bdi", {}, visible(begins))),
        label(visible(name), "url", cut),
        remark !== "" && element("span", { class: "remark" }, element("bdi", {}, remark)),
      );
    }
    row.cells.forEach((cell, a) => {
      const answer = answerAt(answers, url, a);
      const was = this.before ? answerAt(this.before, url, a) : undefined;
      const changed = was && isOther(was, answer) ? was.verdict : "";
      const key = answer ? `${answer.verdict} ${answer.line} ${changed}` : "";
      if (row.keys[a] !== key) {
        row.keys[a] = key;
        fillCell(cell, row.parts[a] as Parts, answer, changed, shortName(answers.agents[a] ?? ""));
      }
      const selected = this.isSelected(name, answers.agents[a] ?? "");
      if ((cell.getAttribute("aria-selected") === "true") !== selected) {
        cell.setAttribute("aria-selected", String(selected));
      }
    });
  }

  /** The cut keeps the place where a URL differs from its neighbours. A card has room for more. */
  private shorten(url: string, differs: number): string {
    const layout = this.layout as Layout;
    return clippedAt(url, layout.letters * (layout.form === "cards" ? 3 : 1), differs);
  }

  private isSelected(url: string, agent: string): boolean {
    const { selected } = this.store.state;
    return selected !== null && selected.url === url && selected.agent === agent;
  }

  /** Marks the selected cell, and makes it the one that Tab reaches. */
  select(): void {
    const { answers, order } = this;
    const { selected } = this.store.state;
    if (!answers) {
      return;
    }
    let place = selected ? order.indexOf(answers.urls.indexOf(selected.url)) : -1;
    if (selected !== this.lastSelected) {
      this.lastSelected = selected;
      this.version++;
      for (const [at, row] of this.rows) {
        this.fill(row, at, answers);
      }
      if (!this.frame.contains(document.activeElement)) {
        place = this.reveal(selected, place, answers);
      }
    }
    const cell = selected && this.rows.get(place)?.cells[answers.agents.indexOf(selected.agent)];
    this.stopAt(cell ?? this.rows.get(Math.min(...this.rows.keys()))?.cells[0] ?? null);
  }

  /** Scrolls to the cell that another part of the page selected, even if a filter hides it. */
  private reveal(selected: Cell | null, place: number, answers: Answers): number {
    if (place < 0 && selected && answers.urls.includes(selected.url)) {
      this.filter = everything;
      this.arrange();
      place = this.order.indexOf(answers.urls.indexOf(selected.url));
    }
    const [top = 0, bottom = 0] = this.tops.slice(Math.max(0, place), place + 2);
    const { scrollTop, clientHeight } = this.frame;
    if (place >= 0 && (top < scrollTop || bottom > scrollTop + clientHeight - (this.table?.tHead?.offsetHeight ?? 0))) {
      this.scrollTo(Math.max(0, top - clientHeight / 3));
      this.draw();
    }
    return place;
  }

  private scrollTo(top: number): void {
    this.frame.scrollTop = top;
    this.scrolled = this.frame.scrollTop;
  }

  private stopAt(cell: HTMLTableCellElement | null): void {
    if (cell !== this.tabStop) {
      this.tabStop?.setAttribute("tabindex", "-1");
      cell?.setAttribute("tabindex", "0");
      this.tabStop = cell;
    }
  }

  /** Selects the cell that an event is about. */
  private take(target: EventTarget | null): void {
    const cell = target instanceof Element ? target.closest("td") : null;
    const at = cell && this.cellOf(cell);
    const { selected } = this.store.state;
    if (at && (at.agent !== selected?.agent || at.url !== selected.url)) {
      this.store.update({ selected: at });
    }
    if (cell && document.activeElement !== cell) {
      cell.focus({ preventScroll: true });
    }
  }

  private placeOf(cell: HTMLTableCellElement): { place: number; column: number } | null {
    for (const [place, row] of this.rows) {
      if (row.element === cell.parentElement) {
        return { place, column: row.cells.indexOf(cell) };
      }
    }
    return null;
  }

  private cellOf(cell: HTMLTableCellElement): Cell | null {
    const at = this.placeOf(cell);
    const url = at && this.answers?.urls[this.order[at.place] ?? -1];
    const agent = at && this.answers?.agents[at.column];
    return typeof url === "string" && typeof agent === "string" ? { agent, url } : null;
  }

  private key(event: KeyboardEvent): void {
    const head = this.heads.findIndex(({ button }) => button === event.target);
    if (head >= 0) {
      this.headKey(event, head);
      return;
    }
    const cell = event.target instanceof HTMLTableCellElement ? event.target : null;
    const at = cell && this.placeOf(cell);
    if (!at || event.altKey || event.metaKey) {
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      const line = ownDecision(this.store.state.explanation)?.line ?? 0;
      if (line > 0) {
        this.store.update({ reveal: { line } });
      }
      return;
    }
    const last = { place: this.order.length - 1, column: (this.answers?.agents.length ?? 1) - 1 };
    // On a phone the cells of a card are below each other.
    const cards = this.layout?.form === "cards";
    const { place, column } = at;
    if (event.key === "ArrowUp" && place === 0 && !cards) {
      event.preventDefault();
      this.heads[column]?.button.focus();
      return;
    }
    const to = {
      ArrowUp: cards && column > 0 ? [place, column - 1] : [place - 1, cards ? last.column : column],
      ArrowDown: cards && column < last.column ? [place, column + 1] : [place + 1, cards ? 0 : column],
      ArrowLeft: [place, column - 1],
      ArrowRight: [place, column + 1],
      Home: [event.ctrlKey ? 0 : place, 0],
      End: [event.ctrlKey ? last.place : place, last.column],
      PageUp: [Math.max(0, place - 10), column],
      PageDown: [Math.min(last.place, place + 10), column],
    }[event.key];
    if (to) {
      event.preventDefault();
      this.goTo(to[0] ?? 0, to[1] ?? 0);
    }
  }

  /** Moves between the heads of columns, and from them to the first row. */
  private headKey(event: KeyboardEvent, column: number): void {
    const to = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: this.heads.length - 1 }[event.key];
    if (event.key === "ArrowDown") {
      event.preventDefault();
      this.goTo(0, column);
    } else if (to !== undefined) {
      event.preventDefault();
      this.heads[to]?.button.focus();
    }
  }

  /** Scrolls to a cell, which may not be in the document yet, and gives it the focus. */
  private goTo(place: number, column: number): void {
    if (place < 0 || place >= this.order.length || column < 0 || column >= (this.answers?.agents.length ?? 0)) {
      return;
    }
    const head = this.table?.tHead?.offsetHeight ?? 0;
    const [top, bottom] = [this.tops[place] ?? 0, this.tops[place + 1] ?? 0];
    const { scrollTop, clientHeight } = this.frame;
    if (top < scrollTop) {
      this.scrollTo(top);
    } else if (bottom + head > scrollTop + clientHeight) {
      this.scrollTo(bottom + head - clientHeight);
    }
    this.draw();
    const cell = this.rows.get(place)?.cells[column];
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

function newRow(agents: number): Row {
  const head = element("th", { scope: "row", role: "rowheader" });
  const parts = Array.from({ length: agents }, () => ({ word: element("span", { class: "word" }), said: element("span", { class: "hidden" }), line: element("span", { class: "line" }) }));
  const cells = parts.map(() => element("td", { role: "gridcell", tabindex: -1, "aria-selected": "false" }));
  return { element: element("tr", { role: "row" }, head, ...cells), head, cells, parts, keys: [], shown: "", place: -1, version: 0 };
}

/** Returns what is said below each URL: that another robots.txt governs it, why there is no file, and the notes about its answers. */
export function remarksOf({ urls, agents, list }: Answers): string[] {
  const shown = (text: string): string => clipped(visible(text), 100);
  return urls.map((_, i) => rowRemark(list.slice(i * agents.length, (i + 1) * agents.length), messages.grid, shown));
}

function same(x: readonly string[], y: readonly string[]): boolean {
  return x === y || (x.length === y.length && x.every((text, i) => text === y[i]));
}

/** Returns the name of a crawler of the grid. */
export function nameOf(agent: string): string {
  return agent === "*" ? messages.grid.anyCrawler : visible(agent);
}

function shortName(agent: string): string {
  return agent === "*" ? messages.grid.others : visible(agent);
}

function label(name: string, kind: "crawler" | "url", shown = name): HTMLElement {
  return element("span", { class: kind, title: name }, element("bdi", {}, shown));
}

function fillCell(cell: HTMLTableCellElement, { word, said, line }: Parts, answer: Answer | undefined, was: Verdict | "", agent: string): void {
  cell.className = answer ? `verdict ${answer.verdict}${was ? " changed" : ""}` : "";
  cell.dataset["crawler"] = agent;
  word.textContent = answer ? messages.verdicts[answer.verdict] : "";
  said.textContent = `, ${messages.grid.line} `;
  line.textContent = String(answer?.line ?? "");
  cell.replaceChildren(word, ...((answer?.line ?? 0) > 0 ? [said, line] : []));
  if (was) {
    cell.append(element("span", { class: "was" }, element("span", { class: "hidden" }, ", "), messages.grid.was(messages.verdicts[was])));
  }
}

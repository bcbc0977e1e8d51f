// The page on paper: the verdict, the grid, the differences and the file, all of it and in
// this order. It is made when the browser prints, and removed afterwards.

import { isEdited } from "./documents";
import { byId, element, visible } from "./dom";
import { remarksOf } from "./grid";
import { messages } from "./messages";
import { ownDecision } from "./sites";
import type { Answers, State, Store } from "./state";
import { sentenceOfCell } from "./sentence";

const texts = messages.print;

/** How many rows a printed grid has, and how many crawlers are beside each other. */
const maxRows = 5_000;
const across = 5;

/** Makes the sheet whenever the browser prints. */
export function mountPrint(store: Store): void {
  let sheet: HTMLElement | null = null;
  addEventListener("beforeprint", () => {
    sheet?.remove();
    sheet = sheetOf(store);
    document.body.append(sheet);
  });
  addEventListener("afterprint", () => {
    sheet?.remove();
    sheet = null;
  });
}

function sheetOf(store: Store): HTMLElement {
  const { state } = store;
  const sentence = sentenceOfCell();
  const size = byId("status").querySelector(".size")?.textContent ?? "";
  const decides = ownDecision(state.explanation)?.line ?? 0;
  return element(
    "article",
    { id: "print" },
    element("h1", {}, texts.heading(visible((state.document.named ? undefined : state.source?.name) ?? state.document.name))),
    element("p", {}, texts.facts(new Date(), size)),
    ...(sentence === "" ? [] : [element("h2", {}, texts.verdict), element("p", {}, sentence)]),
    ...(state.answers ? [element("h2", {}, messages.views.grid), ...grids(state.answers)] : []),
    ...differences(state),
    element("h2", {}, texts.file),
    element("ol", { class: "lines" }, ...state.text.replace(/\n$/, "").split("\n").map((line, i) => element("li", { class: i + 1 === decides ? "decides" : "" }, visible(line)))),
  );
}

/** Returns the grid as tables that are narrow enough for paper. */
function grids(answers: Answers): HTMLElement[] {
  const { agents, urls } = answers;
  const tables: HTMLElement[] = [];
  const remarks = remarksOf(answers);
  for (let first = 0; first < agents.length; first += across) {
    const columns = agents.slice(first, first + across);
    tables.push(
      element(
        "table",
        { class: "sheet" },
        element("thead", {}, element("tr", {}, element("th", {}, messages.grid.url), ...columns.map((agent) => element("th", {}, agent === "*" ? messages.grid.anyCrawler : visible(agent))))),
        element("tbody", {}, ...urls.slice(0, maxRows).map((url, row) => rowOf(answers, url, remarks[row] ?? "", row * agents.length + first, columns.length))),
      ),
    );
  }
  return urls.length > maxRows ? [...tables, element("p", {}, texts.more(urls.length - maxRows))] : tables;
}

function rowOf({ list }: Answers, url: string, remark: string, first: number, count: number): HTMLElement {
  const cells = list.slice(first, first + count).map(({ verdict, line }) => element("td", { class: `verdict ${verdict}` }, messages.verdicts[verdict], line > 0 && ` ${line}`));
  return element("tr", {}, element("th", {}, visible(url), remark !== "" && element("small", {}, ` (${remark})`)), ...cells);
}

/** Returns what the panel of differences shows, if there is something. */
function differences(state: State): HTMLElement[] {
  const panel = byId("slot-changes");
  const parts = [...panel.querySelectorAll(".diff-summary, .diff-details")].map((part) => part.cloneNode(true) as HTMLElement);
  for (const details of parts.flatMap((part) => [...part.querySelectorAll("details")])) {
    details.open = true;
  }
  return (state.before || isEdited(state)) && parts.length > 0 ? [element("h2", {}, messages.views.changes), ...parts] : [];
}

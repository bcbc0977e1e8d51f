// Which URLs the grid shows, and in which order.

import type { Answers } from "./state";
import type { Answer } from "./wire";

/** Which URLs are shown: all, or those with an answer of this kind. */
export type Kind = "all" | "disallowed" | "differs" | "unknown";

export const kinds: readonly Kind[] = ["all", "disallowed", "differs", "unknown"];

export type Order = "given" | "url" | "disallowed" | "line";

export const orders: readonly Order[] = ["given", "url", "disallowed", "line"];

export interface Filter {
  readonly kind: Kind;
  readonly text: string; // that the URL contains, in small or capital letters
  readonly line: Line | null; // that decides for at least one crawler
  readonly agent: number | null; // the place of a crawler that may not fetch it
  readonly order: Order;
}

export const everything: Filter = { kind: "all", text: "", line: null, agent: null, order: "given" };

/** A line of a file. If none decides, it is line 0 of no file. */
export interface Line {
  readonly robots: string; // the URL of the file, "" if it is not known
  readonly line: number;
}

/** The answers counted. */
export interface Counts {
  readonly verdicts: { allowed: number; disallowed: number; unknown: number }; // answers
  readonly kinds: Readonly<Record<Kind, number>>; // URLs
  readonly lines: ReadonlyMap<string, ReadonlyMap<number, number>>; // the URLs for which each line decides, by file
  readonly agents: readonly number[]; // the URLs that each crawler may not fetch
}

export function countsOf(answers: Answers): Counts {
  const verdicts = { allowed: 0, disallowed: 0, unknown: 0 };
  const urls = { all: answers.urls.length, disallowed: 0, differs: 0, unknown: 0 };
  const lines = new Map<string, Map<number, number>>();
  const agents = answers.agents.map(() => 0);
  const latest = new Map<Map<number, number>, Map<number, number>>(); // the URL with which each line of a file was counted last
  for (let u = 0; u < answers.urls.length; u++) {
    for (let a = 0; a < answers.agents.length; a++) {
      const answer = answers.list[u * answers.agents.length + a];
      if (!answer) {
        continue;
      }
      verdicts[answer.verdict]++;
      if (answer.verdict === "disallowed") {
        agents[a] = (agents[a] ?? 0) + 1;
      }
      const name = fileOf(answers, answer);
      const file = lines.get(name) ?? new Map<number, number>();
      const last = latest.get(file) ?? new Map<number, number>();
      if (last.get(answer.line) !== u) {
        last.set(answer.line, u);
        file.set(answer.line, (file.get(answer.line) ?? 0) + 1);
        lines.set(name, file);
        latest.set(file, last);
      }
    }
    for (const kind of ["disallowed", "differs", "unknown"] as const) {
      if (isOf(answers, u, kind)) {
        urls[kind]++;
      }
    }
  }
  return { verdicts, kinds: urls, lines, agents };
}

/** Returns the URL of the file whose line decides, "" if none does or the URL is not known. */
function fileOf({ robots }: Answers, { line, robots_url: fetched }: Answer): string {
  return line === 0 ? "" : (fetched ?? robots);
}

function isOf(answers: Answers, url: number, kind: Kind): boolean {
  const from = url * answers.agents.length;
  for (let i = from; i < from + answers.agents.length; i++) {
    const verdict = answers.list[i]?.verdict;
    if (kind === "differs" ? verdict !== answers.list[from]?.verdict : verdict === kind) {
      return true;
    }
  }
  return kind === "all";
}

/** Returns the numbers of the URLs that a filter shows, in its order within each section. */
export function rowsOf(answers: Answers, filter: Filter, sections: readonly string[] = []): number[] {
  const { agents, list, urls } = answers;
  const text = filter.text.toLowerCase();
  const rows: number[] = [];
  for (let u = 0; u < urls.length; u++) {
    const decides = (answer: Answer | undefined): boolean => answer?.line === filter.line?.line && answer !== undefined && fileOf(answers, answer) === filter.line?.robots;
    const decided = filter.line === null || agents.some((_, a) => decides(list[u * agents.length + a]));
    const refused = filter.agent === null || list[u * agents.length + filter.agent]?.verdict === "disallowed";
    if (decided && refused && isOf(answers, u, filter.kind) && (text === "" || (urls[u] ?? "").toLowerCase().includes(text))) {
      rows.push(u);
    }
  }
  if (filter.order === "url") {
    rows.sort((a, b) => compare(urls[a] ?? "", urls[b] ?? "") || a - b);
  } else if (filter.order !== "given") {
    const keys = new Map(rows.map((u) => [u, filter.order === "line" ? firstLine(answers, u) : -disallowed(answers, u)]));
    rows.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a - b);
  }
  const places = new Map([...new Set(sections)].map((origin, place) => [origin, place]));
  if (places.size > 1) {
    rows.sort((a, b) => (places.get(sections[a] ?? "") ?? 0) - (places.get(sections[b] ?? "") ?? 0)); // it is stable
  }
  return rows;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function disallowed({ agents, list }: Answers, url: number): number {
  return agents.reduce((sum, _, a) => sum + (list[url * agents.length + a]?.verdict === "disallowed" ? 1 : 0), 0);
}

/** The first line that decides about a URL; URLs without one are last. */
function firstLine({ agents, list }: Answers, url: number): number {
  return agents.reduce((first, _, a) => Math.min(first, list[url * agents.length + a]?.line || Infinity), Infinity);
}

/**
 * Returns the section of each URL: its scheme and host, which stand once above its paths. All
 * are "" if that saves nothing, because most hosts have one URL.
 */
export function sectionsOf(urls: readonly string[]): string[] {
  const origins = urls.map((url) => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+(?=\/)/i.exec(url)?.[0] ?? "");
  const sections = new Set(origins).size;
  return sections > 1 && sections * 2 > urls.length ? urls.map(() => "") : origins;
}

/** Returns how many characters a text and its neighbours have in common at their beginnings. */
export function commonBeginning(text: string, ...neighbours: readonly (string | undefined)[]): number {
  return Math.max(
    0,
    ...neighbours.map((other = "") => {
      let i = 0;
      while (i < text.length && text[i] === other[i]) i++;
      return i;
    }),
  );
}

/** Where rows of different heights are: the top of each, and the end of the last, in pixels. */
export function topsOf(heights: Iterable<number>): number[] {
  const tops = [0];
  let sum = 0;
  for (const height of heights) {
    tops.push((sum += height));
  }
  return tops;
}

/** Returns the row at a place: the last one whose top is not below it. */
export function rowAt(tops: readonly number[], y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

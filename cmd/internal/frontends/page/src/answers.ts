// The answers and the explanation of the selected cell follow the file, the crawlers, the
// URLs and the dialect.

import { debounced } from "./debounce";
import { baseOf, isEdited } from "./documents";
import { bodyOf, type Contents } from "./encoding";
import { type Engine, EngineError, isOutdated } from "./engine";
import { comparedSite, siteOf, sitesOf } from "./sites";
import { checkableOf, maxAtOnce } from "./remarks";
import { type Answers, chosen, type Failure, type State, type Store } from "./state";
import type { Answer } from "./wire";

/**
 * The name of the performance measures of edits: each is the time from a keystroke until
 * the verdicts of its text, or of a newer one, are in the document.
 */
export const verdictsMeasure = "robots:verdicts";

/** The edits whose verdicts are not in the document yet. */
let edits: { text: string; at: number }[] = [];

/** Starts the measure of an edit in the editor. */
export function startMeasure(text: string): void {
  edits.push({ text, at: performance.now() });
}

function endMeasure(text: string): void {
  const last = edits.findLastIndex((edit) => edit.text === text);
  for (const { at } of edits.slice(0, last + 1)) {
    performance.measure(verdictsMeasure, { start: at });
  }
  edits = edits.slice(last + 1);
}

/** How long the page waits after a keystroke, in milliseconds. */
const servicePause = 150;
const explainPause = 120;

/** What the answers, and those of the file before, depend on: a change starts a check. */
const checked = ["text", "lineEnd", "encoding", "sites", "agents", "purposes", "urls", "dialect"] as const;
const checkedBefore = ["before", "document", "sites", "agents", "purposes", "urls", "dialect"] as const;

/** Keeps state.answers, state.failure and state.explanation up to date. */
export function followState(store: Store, engine: Engine): void {
  const check = newest(() => checkAll(store, engine));
  const checkBefore = newest(() => checkFileBefore(store, engine));
  const explain = newest(() => explainSelected(store, engine));

  // Verdicts follow each keystroke, the explanation a pause. The service gets a request
  // after a pause only.
  const checkLater = debounced(servicePause, check);
  const explainLater = debounced(explainPause, explain);
  store.subscribe(checked, (state, previous) => {
    if (state.text === previous.text) {
      check();
      explain();
      return;
    }
    (engine.ready || !engine.live ? check : checkLater)();
    explainLater();
  });
  store.subscribe(checkedBefore, () => checkBefore());
  store.subscribe(checked, ({ before }, previous) => !before && !isEdited(previous) && checkBefore());
  // Of the source, answers depend on the site alone.
  store.subscribe(["source"], (state, previous) => {
    if (siteOf(state) !== siteOf(previous)) {
      check();
      checkBefore();
      explain();
    }
  });
  store.subscribe(["selected"], () => explain());
  // A list that is replaced takes the explanation of its URL with it.
  store.subscribe(["urls"], ({ selected, urls }) => {
    if (selected && !urls.includes(selected.url)) {
      store.update({ selected: null });
    }
  });
  // A crawler that is removed takes its explanation with it too.
  store.subscribe(["answers"], ({ answers, selected }, { answers: earlier }) => {
    if (selected && answers && earlier?.agents.includes(selected.agent) && !answers.agents.includes(selected.agent)) {
      store.update({ selected: null });
    }
  });
  check();
  checkBefore();
  explain();
}

/**
 * Returns a function that runs a task, unless it runs already: then the task runs once
 * more when it ends. So the latest state is always answered, and every answer is shown,
 * even while somebody types faster than the engine answers.
 */
function newest(task: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        await task();
      } while (again);
    } finally {
      running = false;
    }
  };
  return () => void run();
}

async function checkAll(store: Store, engine: Engine): Promise<void> {
  const { state } = store;
  if (state.urls.length === 0) {
    store.update({ answers: null, failure: null });
    return;
  }
  try {
    const answers = await answersOf(state, state, siteOf(state), engine, () => differ(checked, store.state, state));
    if (store.state.urls === state.urls) {
      store.update({ answers, failure: null });
      endMeasure(state.text);
    }
  } catch (error) {
    if (!isOutdated(error)) {
      store.update({ failure: failureOf(error) });
    }
  }
}

async function checkFileBefore(store: Store, engine: Engine): Promise<void> {
  const { state } = store;
  let answersBefore: Answers | null = null;
  if ((state.before || isEdited(state)) && state.urls.length > 0) {
    answersBefore = await answersOf(state, baseOf(state), comparedSite(state), engine, () => differ(checkedBefore, store.state, state)).catch(() => null); // checkAll shows the error
  }
  store.update({ answersBefore });
}

/**
 * Returns the answers for the crawlers and URLs of a state by a file of a site, none for a text
 * that is no URL. Many URLs are put to the engine in parts, which end with an AbortError when
 * they are outdated.
 */
async function answersOf(state: State, file: Contents, site: string | undefined, engine: Engine, outdated: () => boolean): Promise<Answers> {
  const { agents, purposes, urls, dialect } = state;
  const request = { ...bodyOf(file), ...sitesOf(state, site), agents, purposes, ...chosen(dialect) };
  const list: Answer[] = [];
  let truncated = false;
  if (urls.length > maxAtOnce && !engine.ready) {
    await engine.load();
  }
  const checkable = checkableOf(urls, engine);
  checkable.catch(() => undefined); // it is awaited below, unless the check fails
  for (let from = 0; from < urls.length; from += maxAtOnce) {
    if (from > 0 && outdated()) {
      throw new DOMException("the question is another one now", "AbortError");
    }
    const result = await engine.call("check", { ...request, urls: from === 0 && urls.length <= maxAtOnce ? urls : urls.slice(from, from + maxAtOnce) });
    truncated ||= result.truncated;
    for (const answer of result.answers) {
      list.push(answer);
    }
  }
  const columns = list.slice(0, list.length / urls.length).map((answer) => answer.agent);
  const { urls: rows, dropped } = await checkable;
  const kept = dropped.size === 0 ? list : list.filter((_, i) => !dropped.has(Math.floor(i / columns.length)));
  return { agents: columns, urls: rows, list: kept, text: file.text, encoding: file.encoding, robots: site === undefined ? "" : `${site}/robots.txt`, truncated };
}

function differ(fields: readonly (keyof State)[], one: State, other: State): boolean {
  return siteOf(one) !== siteOf(other) || fields.some((field) => one[field] !== other[field]);
}

async function explainSelected(store: Store, engine: Engine): Promise<void> {
  const { selected, dialect } = store.state;
  if (!selected) {
    store.update({ explanation: null });
    return;
  }
  try {
    const explanation = await engine.call("explain", { ...bodyOf(store.state), ...sitesOf(store.state), agents: [selected.agent], urls: [selected.url], ...chosen(dialect) });
    if (store.state.selected === selected) {
      store.update({ explanation });
    }
  } catch (error) {
    if (!isOutdated(error)) {
      store.update({ explanation: null });
    }
  }
}

/** Returns what the page shows of an error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof EngineError) {
    return { message: sentence(error.message), hint: sentence(error.hint) };
  }
  return { message: String(error), hint: "" };
}

function sentence(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Returns the answers by the file before, if they are for the crawlers and URLs of the answers. */
export function comparableBefore({ answers, answersBefore: before }: State): Answers | null {
  return before && answers && before.urls === answers.urls && before.agents.length === answers.agents.length && before.text !== answers.text ? before : null;
}

/** Reports whether a verdict is another one than before. An unknown one is not: one of the files is of another site. */
export function isOther(before: Answer | undefined, now: Answer | undefined): boolean {
  return before?.verdict !== now?.verdict && before?.verdict !== "unknown" && now?.verdict !== "unknown";
}

/** Reports whether a verdict about a URL is another one than before. */
export function isChanged(before: Answers, answers: Answers, url: number): boolean {
  return answers.agents.some((_, agent) => isOther(answerAt(before, url, agent), answerAt(answers, url, agent)));
}

/** Returns how many URLs have another verdict than before for a crawler of the grid. */
export function changedURLs(state: State): number {
  const before = comparableBefore(state);
  return before && state.answers ? state.answers.urls.filter((_, url) => isChanged(before, state.answers as Answers, url)).length : 0;
}

/** Returns the answer of a cell. */
export function answerAt(answers: Answers, url: number, agent: number): Answer | undefined {
  return answers.list[url * answers.agents.length + agent];
}

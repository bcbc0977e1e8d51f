// The answers and the explanation of the selected cell follow the file, the crawlers, the
// URLs and the dialect.

import { debounced } from "./debounce";
import { type Engine, EngineError, isOutdated } from "./engine";
import type { Answers, Failure, State, Store } from "./state";
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

/** Keeps state.answers, state.failure and state.explanation up to date. */
export function followState(store: Store, engine: Engine): void {
  const check = newest(() => checkAll(store, engine));
  const checkBefore = newest(() => checkFileBefore(store, engine));
  const explain = newest(() => explainSelected(store, engine));

  // Verdicts follow each keystroke, the explanation a pause. The service gets a request
  // after a pause only.
  const checkLater = debounced(servicePause, check);
  const explainLater = debounced(explainPause, explain);
  store.subscribe(["text", "agents", "purposes", "urls", "dialect"], (state, previous) => {
    if (state.text === previous.text) {
      check();
      explain();
      return;
    }
    (engine.ready || !engine.live ? check : checkLater)();
    explainLater();
  });
  store.subscribe(["before", "agents", "purposes", "urls", "dialect"], () => checkBefore());
  store.subscribe(["selected"], () => explain());
  // A list that is replaced takes the explanation of its URL with it.
  store.subscribe(["urls"], ({ selected, urls }) => {
    if (selected && !urls.includes(selected.url)) {
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
    store.update({ answers: await answersOf(state, state.text, engine), failure: null });
    endMeasure(state.text);
  } catch (error) {
    if (!isOutdated(error)) {
      store.update({ failure: failureOf(error) });
    }
  }
}

async function checkFileBefore(store: Store, engine: Engine): Promise<void> {
  const { state } = store;
  let answersBefore: Answers | null = null;
  if (state.before && state.urls.length > 0) {
    answersBefore = await answersOf(state, state.before.text, engine).catch(() => null); // checkAll shows the error
  }
  store.update({ answersBefore });
}

/** Returns the answers for the crawlers and URLs of a state by a file. */
async function answersOf({ agents, purposes, urls, dialect }: State, text: string, engine: Engine): Promise<Answers> {
  const result = await engine.call("check", { body: text, agents, purposes, urls, dialect });
  const columns = result.answers.slice(0, result.answers.length / urls.length).map((answer) => answer.agent);
  return { agents: columns, urls, list: result.answers, text, truncated: result.truncated };
}

async function explainSelected(store: Store, engine: Engine): Promise<void> {
  const { text, selected, dialect } = store.state;
  if (!selected) {
    store.update({ explanation: null });
    return;
  }
  try {
    const explanation = await engine.call("explain", { body: text, agents: [selected.agent], urls: [selected.url], dialect });
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

/** Returns the answer of a cell. */
export function answerAt(answers: Answers, url: number, agent: number): Answer | undefined {
  return answers.list[url * answers.agents.length + agent];
}

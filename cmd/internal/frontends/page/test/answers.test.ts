import assert from "node:assert/strict";
import { test } from "node:test";

import { answerAt, changedURLs, failureOf, followState, startMeasure, verdictsMeasure } from "../src/answers";
import { show } from "../src/documents";
import { type Engine, EngineError } from "../src/engine";
import { initialState, newStore, type Store } from "../src/state";
import type { Answers } from "../src/wire";

interface Call {
  readonly name: string;
  readonly request: { body?: string; urls?: readonly string[]; agents?: readonly string[] };
  answer(result?: unknown): Promise<void>;
  fail(error: unknown): Promise<void>;
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** An engine whose answers the test gives, except which texts are no URLs: those that begin with "no". */
function fakeEngine(): { engine: Engine; calls: Call[]; of(name: string): Call[] } {
  const calls: Call[] = [];
  const engine = {
    live: false,
    ready: true,
    load: async () => undefined,
    call: (name: string, request: Call["request"]) =>
      new Promise((resolve, reject) => {
        if (name === "remarks") {
          const urls = (request.urls ?? []).flatMap((url, index) => (url.startsWith("no") ? [{ index, url, problem: "not a URL" }] : []));
          resolve({ agents: [], urls });
          return;
        }
        calls.push({
          name,
          request,
          answer: (result = answersTo(request)) => (resolve(result), tick()),
          fail: (error) => (reject(error), tick()),
        });
      }),
  } as unknown as Engine;
  return { engine, calls, of: (name) => calls.filter((call) => call.name === name) };
}

function answersTo({ urls = [], agents = [], body }: Call["request"]): Answers {
  return { truncated: false, answers: urls.flatMap((url) => agents.map((agent) => ({ url, agent, rule: body }))) } as unknown as Answers;
}

function started(change: Partial<typeof initialState> = {}): ReturnType<typeof fakeEngine> & { store: Store } {
  const opened = { ...initialState.document.opened, text: change.text ?? "" };
  const store = newStore({ ...initialState, document: { ...initialState.document, opened }, agents: ["A", "B"], urls: ["/1", "/2", "/3"], ...change });
  const fake = fakeEngine();
  followState(store, fake.engine);
  return { store, ...fake };
}

test("the answers have the crawlers as columns and the URLs as rows", async () => {
  const { store, of } = started({ text: "x" });
  await of("check")[0]?.answer();
  const { answers } = store.state;
  assert.ok(answers);
  assert.deepEqual([answers.agents, answers.urls, answers.text], [["A", "B"], ["/1", "/2", "/3"], "x"]);
  assert.deepEqual([answerAt(answers, 2, 1)?.url, answerAt(answers, 2, 1)?.agent], ["/3", "B"]);
});

test("a text that is no URL has no answer, and no change", async () => {
  const { store, of } = started({ text: "now", urls: ["no 1", "/2", "no 3"], before: { text: "before", lineEnd: "\n", encoding: "utf-8", name: "b" } });
  await of("check")[0]?.answer();
  await of("check")[1]?.answer({ answers: ["no 1", "/2", "no 3"].flatMap((url) => ["A", "B"].map((agent) => ({ url, agent, verdict: "disallowed" }))) });
  const { answers } = store.state;
  assert.ok(answers);
  assert.deepEqual(answers.urls, ["/2"]);
  assert.deepEqual(answers.list.map(({ url, agent }) => url + agent), ["/2A", "/2B"]);
  assert.equal(changedURLs(store.state), 1);
  store.update({ urls: ["no 1"] });
  await of("check")[2]?.answer();
  assert.deepEqual([store.state.answers?.urls, store.state.answers?.list], [[], []]);
});

test("the explanation of a crawler goes with it", async () => {
  const { store, of } = started({ selected: { agent: "B", url: "/1" } });
  await of("check")[0]?.answer();
  store.update({ agents: ["B", "C"] });
  await of("check")[1]?.answer();
  assert.equal(store.state.selected?.agent, "B");
  store.update({ agents: ["C"] });
  await of("check")[2]?.answer();
  assert.equal(store.state.selected, null);
});

test("while somebody types, each answer is shown and the latest text is checked next", async () => {
  const { store, of } = started({ text: "1" });
  store.update({ text: "2" });
  store.update({ text: "3" });
  assert.equal(of("check").length, 1, "one check at a time");
  await of("check")[0]?.answer();
  assert.equal(store.state.answers?.text, "1");
  assert.deepEqual(of("check").map((call) => call.request.body), ["1", "1", "3"], "the text before the edits is checked too");
  await of("check")[1]?.answer();
  assert.equal(store.state.answersBefore?.text, "1");
  await of("check")[2]?.answer();
  assert.equal(store.state.answers?.text, "3");
  assert.equal(of("check").length, 3);
});

test("a document that asks the same question keeps its answers, another list of URLs gets its own", async () => {
  const { store, of } = started({ text: "same" });
  await of("check")[0]?.answer();
  show(store, { text: "same", urls: store.state.urls });
  assert.equal(store.state.answers?.text, "same");
  assert.equal(of("check").length, 1);
  store.update({ text: "other" });
  show(store, { text: "same", urls: ["/4"] });
  assert.equal(store.state.answers, null);
  await of("check")[1]?.answer();
  assert.equal(store.state.answers, null, "these are of the list before");
  await of("check")[3]?.answer();
  assert.deepEqual(store.state.answers?.urls, ["/4"]);
});

test("what no answer depends on ends no check of a long list", async () => {
  const before = { text: "before", lineEnd: "\n", encoding: "utf-8", name: "b" } as const;
  const urls = Array.from({ length: 12_000 }, (_, i) => `/${i}`);
  const { store, of } = started({ text: "now", urls, before });
  await tick();
  store.update({ text: "later" }); // the check of "before" goes on
  for (let answered = 0; answered < of("check").length; answered++) {
    await of("check")[answered]?.answer();
    await tick();
    store.update({ source: { ...before } });
    if (answered === 6) {
      store.update({ before: { ...before, text: "new" } }); // that of "later" too
    }
  }
  assert.equal(store.state.answers?.text, "later");
  assert.equal(store.state.answersBefore?.text, "new");
});

test("an error is shown until there are answers again", async () => {
  const { store, of } = started();
  await of("check")[0]?.fail(new EngineError("invalid-field", "agents: no", "do this"));
  assert.deepEqual(store.state.failure, { message: "agents: no.", hint: "do this." });
  store.update({ agents: ["C"] });
  await of("check")[1]?.answer();
  assert.equal(store.state.failure, null);
});

test("without URLs nothing is checked", async () => {
  const { store, calls } = started({ urls: [] });
  await tick();
  assert.equal(calls.length, 0);
  assert.equal(store.state.answers, null);
});

test("the file before is checked for the same crawlers and URLs, but not at each keystroke", async () => {
  const { store, of } = started({ text: "now", before: { text: "before", lineEnd: "\n", encoding: "utf-8", name: "b" } });
  assert.deepEqual(of("check").map((call) => call.request.body), ["now", "before"]);
  await of("check")[1]?.answer();
  assert.equal(store.state.answersBefore?.text, "before");
  store.update({ text: "later" });
  await of("check")[0]?.answer();
  assert.deepEqual(of("check").map((call) => call.request.body), ["now", "before", "later"]);
});

test("the selected cell is explained, and an outdated explanation is not shown", async () => {
  const { store, of } = started();
  await tick();
  const cell = { agent: "A", url: "/1" };
  store.update({ selected: cell });
  assert.deepEqual(of("explain")[0]?.request.urls, ["/1"]);
  store.update({ selected: { agent: "B", url: "/2" } });
  await of("explain")[0]?.answer({ url: "/1" });
  assert.equal(store.state.explanation, null);
  await of("explain")[1]?.answer({ url: "/2" });
  assert.equal(store.state.explanation?.url, "/2");
  store.update({ selected: null });
  await tick();
  assert.equal(store.state.explanation, null);
});

test("each edit is measured once, with the answers of its text or of a newer one", async () => {
  const { store, of } = started({ text: "" });
  for (const text of ["a", "ab", "abc"]) {
    startMeasure(text);
    store.update({ text });
  }
  await of("check")[0]?.answer();
  assert.equal(performance.getEntriesByName(verdictsMeasure).length, 0);
  await of("check")[2]?.answer();
  assert.equal(performance.getEntriesByName(verdictsMeasure).length, 3);
});

test("errors are sentences", () => {
  assert.deepEqual(failureOf(new EngineError("x", "No", "Why?")), { message: "No.", hint: "Why?" });
  assert.deepEqual(failureOf(new EngineError("x", "No.")), { message: "No.", hint: "" });
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { EngineError, type FromWorker, isOutdated, newEngine, type ToWorker } from "../src/engine";

/** A worker whose answers the test gives. */
class FakeWorker {
  static all: FakeWorker[] = [];
  readonly got: ToWorker[] = [];
  ended = false;
  private readonly listeners = new Map<string, (event: unknown) => void>();

  constructor(readonly url: string) {
    FakeWorker.all.push(this);
  }
  addEventListener(kind: string, listener: (event: unknown) => void): void {
    this.listeners.set(kind, listener);
  }
  postMessage(message: ToWorker): void {
    this.got.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  send(message: FromWorker): void {
    this.listeners.get("message")?.({ data: message });
  }
  calls(): Extract<ToWorker, { kind: "call" }>[] {
    return this.got.filter((message) => message.kind === "call");
  }
  answerLast(result: unknown): void {
    const call = this.calls().at(-1);
    assert.ok(call);
    this.send({ kind: "result", id: call.id, text: JSON.stringify(result) });
  }
}

const module = {} as WebAssembly.Module;
const requests: { url: string; body: unknown }[] = [];
let respond: () => Promise<Response>;

beforeEach(() => {
  FakeWorker.all = [];
  requests.length = 0;
  respond = async () => new Response("{}");
  Object.assign(globalThis, {
    Worker: FakeWorker,
    fetch: (url: string, init: RequestInit) => {
      requests.push({ url, body: JSON.parse(String(init.body)) });
      return new Promise((resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
        respond().then(resolve, reject);
      });
    },
  });
});

const query = { body: "", agents: ["A"], urls: ["/"], dialect: "google" } as const;
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

function started(live: boolean): ReturnType<typeof newEngine> {
  return newEngine({ live, workerURL: "worker.js", module: { url: "robots.wasm" } });
}

test("the service answers until the worker does", async () => {
  const engine = started(true);
  respond = async () => new Response(`{"answers":[],"truncated":true}`);
  assert.equal((await engine.call("check", query)).truncated, true);
  assert.deepEqual(requests, [{ url: "v1/check", body: query }]);
  void engine.load();
  FakeWorker.all[0]?.send({ kind: "loaded", module });
  assert.equal(engine.ready, true);
  const answered = engine.call("check", query);
  FakeWorker.all[0]?.answerLast({ answers: [], truncated: false });
  assert.equal((await answered).truncated, false);
  assert.equal(requests.length, 1);
});

test("without a service, calls wait for the worker, one after the other", async () => {
  const engine = started(false);
  const first = engine.call("check", query);
  const second = engine.call("explain", query, { replaces: "why" });
  void engine.load();
  const worker = FakeWorker.all[0] as FakeWorker;
  worker.send({ kind: "loaded", module });
  assert.equal(worker.calls().length, 1);
  worker.answerLast({ answers: [], truncated: false });
  await first;
  assert.deepEqual(worker.calls().map((call) => call.name), ["check", "explain"]);
  worker.answerLast({});
  await second;
  assert.equal(requests.length, 0);
});

test("a newer call replaces the earlier one", async () => {
  const engine = started(false);
  void engine.load();
  const worker = FakeWorker.all[0] as FakeWorker;
  worker.send({ kind: "loaded", module });
  const calls = [1, 2, 3].map(() => engine.call("explain", query, { replaces: "why" }));
  const outcomes = Promise.allSettled(calls);
  worker.answerLast({ n: 1 }); // too late for the first
  worker.answerLast({ n: 3 });
  const [first, second, third] = await outcomes;
  assert.ok(first?.status === "rejected" && isOutdated(first.reason));
  assert.ok(second?.status === "rejected" && isOutdated(second.reason));
  assert.ok(third?.status === "fulfilled");
  assert.equal(worker.calls().length, 2, "the second call never reached the worker");
});

test("verdicts do not wait until the page has read the result before", async () => {
  const engine = started(false);
  void engine.load();
  const worker = FakeWorker.all[0] as FakeWorker;
  worker.send({ kind: "loaded", module });
  const colours = engine.call("tokens", { body: "a" }, { replaces: "tokens" });
  const verdicts = engine.call("check", query);
  const later = engine.call("tokens", { body: "b" }, { replaces: "others" });
  const [first, second, third] = worker.calls();
  assert.deepEqual([first?.name, second?.name, third], ["tokens", "check", undefined]);
  worker.send({ kind: "result", id: first?.id ?? 0, text: `{"tokens":[]}` });
  await colours;
  worker.answerLast({ answers: [], truncated: true });
  assert.equal((await verdicts).truncated, true);
  worker.answerLast({ tokens: [] });
  await later;
});

test("slow calls do not delay verdicts", async () => {
  const engine = started(false);
  void engine.load();
  FakeWorker.all[0]?.send({ kind: "loaded", module });
  FakeWorker.all[1]?.send({ kind: "loaded", module });
  const slow = engine.call("format", { body: "" });
  const fast = engine.call("check", query);
  FakeWorker.all[0]?.answerLast({ answers: [], truncated: false });
  await fast;
  FakeWorker.all[1]?.answerLast({ body: "", changed: false });
  await slow;
});

test("a call that nobody needs ends with its worker", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const engine = started(false);
  void engine.load();
  FakeWorker.all[0]?.send({ kind: "loaded", module });
  FakeWorker.all[1]?.send({ kind: "loaded", module });
  const outdated = engine.call("format", { body: "a" }, { replaces: "format" });
  const newer = engine.call("format", { body: "b" }, { replaces: "format" });
  const other = engine.call("format", { body: "c" });
  await assert.rejects(outdated, isOutdated);
  t.mock.timers.tick(1000);
  assert.equal(FakeWorker.all[1]?.ended, true);
  FakeWorker.all[2]?.send({ kind: "loaded", module });
  const [again, waits] = FakeWorker.all[2]?.calls() ?? [];
  FakeWorker.all[2]?.send({ kind: "result", id: again?.id ?? 0, text: `{"body":"c","changed":false}` });
  assert.equal((await other).body, "c");
  assert.equal(waits, undefined);
  FakeWorker.all[2]?.answerLast({ body: "b", changed: false });
  assert.equal((await newer).body, "b");
});

test("errors of the service have a code and a hint", async () => {
  const engine = started(true);
  respond = async () => new Response(`{"code":"invalid-field","detail":"agents: no","field":"agents","hint":"do"}`, { status: 422 });
  await assert.rejects(engine.call("check", query), (error: EngineError) => error.code === "invalid-field" && error.message === "no" && error.hint === "do");
});

test("what the service refuses, the worker answers", async () => {
  for (const fails of [async () => new Response("{}", { status: 429 }), async () => Promise.reject(new TypeError("no network"))]) {
    FakeWorker.all = [];
    const engine = started(true);
    respond = fails;
    const answered = engine.call("check", query);
    await tick();
    FakeWorker.all[0]?.send({ kind: "loaded", module });
    FakeWorker.all[0]?.answerLast({ answers: [], truncated: false });
    assert.equal((await answered).truncated, false);
  }
});

test("only the service fetches", async () => {
  await assert.rejects(started(false).call("fetch", { url: "a.example" }), (error: EngineError) => error.code === "no-service");
  const engine = started(true);
  engine.useToken("secret");
  respond = async () => new Response("{}", { status: 503 });
  await assert.rejects(engine.call("fetch", { url: "a.example" }), EngineError);
  assert.equal(FakeWorker.all.length, 0);
});

test("a module that cannot be loaded fails the calls that wait for it", async () => {
  const engine = started(false);
  const call = engine.call("check", query);
  void engine.load();
  FakeWorker.all[0]?.send({ kind: "failed", message: "no" });
  await assert.rejects(call, EngineError);
  await assert.rejects(engine.call("check", query), EngineError);
  assert.equal(engine.failed, true);
  await engine.load(); // what waits for the worker goes on
});

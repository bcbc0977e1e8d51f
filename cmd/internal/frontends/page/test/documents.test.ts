import assert from "node:assert/strict";
import { test } from "node:test";

import { Documents } from "../src/documents";

test("a free lock is taken, however long the browser takes to grant it; the latest document has it", async () => {
  const granted: string[] = [];
  const request = (name: string, { signal }: LockOptions, then: (lock: Lock) => unknown): Promise<unknown> =>
    new Promise((done, failed) => {
      signal?.addEventListener("abort", () => failed(signal.reason));
      setTimeout(() => {
        granted.push(name);
        const end = then({ name, mode: "exclusive" });
        void Promise.resolve(end).then(() => granted.splice(granted.indexOf(name), 1));
        done(end);
      }, 700);
    });
  Object.defineProperty(globalThis, "navigator", { value: { locks: { request } }, configurable: true });
  const documents = new Documents();
  assert.deepEqual(await Promise.all([documents.hold("a"), documents.hold("b")]), [false, true]);
  assert.deepEqual(granted, ["robots:b"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { initialState, newStore } from "../src/state";

test("subscribers of a field are called when it changes, and only then", () => {
  const store = newStore();
  const seen: string[] = [];
  const end = store.subscribe(["text"], (state, previous) => seen.push(`${previous.text}→${state.text}`));
  store.update({ text: "a" });
  store.update({ dialect: "rfc9309" });
  store.update({ text: "a" });
  store.update({ text: "b", dialect: "google" });
  end();
  store.update({ text: "c" });
  assert.deepEqual(seen, ["→a", "a→b"]);
});

test("an update within a listener is told after the first one, in order", () => {
  const store = newStore();
  const seen: string[] = [];
  store.subscribe(["text"], (state) => {
    seen.push(`first ${state.text}`);
    if (state.text === "a") {
      store.update({ text: "b" });
    }
  });
  store.subscribe(["text"], (state) => seen.push(`second ${state.text}`));
  store.update({ text: "a" });
  assert.deepEqual(seen, ["first a", "second a", "first b", "second b"]);
  assert.equal(store.state.text, "b");
});

test("a state is never modified", () => {
  const store = newStore(initialState);
  const before = store.state;
  store.update({ text: "x" });
  assert.equal(before.text, "");
  assert.throws(() => Object.assign(store.state, { text: "y" }));
});

test("a listener that fails does not stop later updates", () => {
  const store = newStore();
  let seen = "";
  const end = store.subscribe(["text"], () => {
    throw new Error("fault");
  });
  assert.throws(() => store.update({ text: "a" }));
  end();
  store.subscribe(["text"], (state) => (seen = state.text));
  store.update({ text: "b" });
  assert.equal(seen, "b");
});

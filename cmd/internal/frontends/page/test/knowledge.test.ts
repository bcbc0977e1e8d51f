import assert from "node:assert/strict";
import { test } from "node:test";

import { CompletionContext } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";

import type { Engine } from "../src/engine";
import { completions } from "../src/knowledge";
import { initialState, newStore } from "../src/state";

test("the engine completes a line without the rest of the file", async () => {
  const requests: unknown[] = [];
  const edit = (line: number): object => ({ range: { start: { line, character: 0 }, end: { line, character: 2 } }, new: "Disallow: " });
  const engine = {
    call: async (_name: string, request: { line: number }) => {
      requests.push(request);
      return { completions: [{ label: "Disallow", detail: "", edit: edit(request.line) }] };
    },
  } as unknown as Engine;
  const source = completions(engine, newStore(initialState));
  const doc = "Us\nDi\nDi";
  for (const [pos, from] of [[2, 0], [8, 6]] as const) {
    const result = await source(new CompletionContext(EditorState.create({ doc }), pos, false));
    assert.equal(result?.from, from);
  }
  assert.deepEqual(requests, [{ body: "Us", line: 0, character: 2 }, { body: "\nDi", line: 1, character: 2 }]);
});

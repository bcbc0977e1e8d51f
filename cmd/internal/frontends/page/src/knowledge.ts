// What the engine knows about the text at a place: hover texts and completions.

import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";

import { element, fromEngine } from "./dom";
import { bodyOf } from "./encoding";
import type { Engine } from "./engine";
import { markdown } from "./markdown";
import { changesOf, offsetOf, positionOf } from "./places";
import { contentsOf, type Store } from "./state";
import type { Position } from "./wire";

/** Explains a key, a rule, a crawler or a code: under the mouse, or at the cursor. */
export function explanations(engine: Engine, store: Store): Extension {
  return [
    hoverTooltip((view, pos) => explained(view.state, pos, engine, store, "hover"), { hoverTime: 300, hideOnChange: true }),
    atCursor,
    keymap.of([{ key: "Escape", run: closeExplanation }]),
  ];
}

async function explained(state: EditorState, pos: number, engine: Engine, store: Store, word: string): Promise<Tooltip | null> {
  const { doc } = state;
  try {
    const hover = await engine.call("hover", { ...bodyOf({ ...contentsOf(store.state), text: doc.toString() }), ...positionOf(doc, pos) }, { replaces: word });
    if (!hover.found) {
      return null;
    }
    return {
      pos: offsetOf(doc, hover.range.start),
      end: offsetOf(doc, hover.range.end),
      above: true,
      create: () => ({ dom: element("div", { class: "hover", role: "status" }, markdown(hover.markdown)) }),
    };
  } catch {
    return null; // the text can be edited without explanations
  }
}

const setAtCursor = StateEffect.define<Tooltip | null>();

/** The explanation of what is at the cursor. It is closed when the cursor leaves the place. */
const atCursor = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setAtCursor)) {
        return effect.value;
      }
    }
    return transaction.docChanged || transaction.selection ? null : tooltip;
  },
  provide: (field) => showTooltip.from(field),
});

/** Shows the explanation at the cursor. missing is called if there is none. */
export async function explainAtCursor(view: EditorView, engine: Engine, store: Store, missing: () => void): Promise<void> {
  const { doc, selection } = view.state;
  const tooltip = await explained(view.state, selection.main.head, engine, store, "cursor");
  if (view.state.doc !== doc) {
    return;
  }
  if (!tooltip) {
    missing();
  }
  view.dispatch({ effects: setAtCursor.of(tooltip) });
}

function closeExplanation(view: EditorView): boolean {
  if (!view.state.field(atCursor)) {
    return false;
  }
  view.dispatch({ effects: setAtCursor.of(null) });
  return true;
}

/** Says beside a completion what the engine says about it. */
export function besideCompletion(completion: Completion): Node | null {
  const { said } = completion as Completion & { readonly said?: string };
  return said ? element("span", { class: "cm-completionDetail" }, fromEngine(said)) : null;
}

/** Completes keys, crawlers and codes. */
export function completions(engine: Engine, store: Store): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { doc } = context.state;
    const line = doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    if (!context.explicit && before.trim() === "") {
      return null;
    }
    // What completes a line is in the line. The engine gets no other, or a keystroke in a
    // large file would wait for this call. Only the first line may begin with a byte order mark.
    const isFirst = line.number === 1;
    const alone = { ...contentsOf(store.state), text: isFirst ? line.text : `\n${line.text}` };
    const shift = line.number - (isFirst ? 1 : 2);
    const moved = ({ line: at, character }: Position): Position => ({ line: at + shift, character });
    const answer = await engine
      .call("complete", { ...bodyOf(alone), line: isFirst ? 0 : 1, character: context.pos - line.from }, { replaces: "complete" })
      .catch(() => ({ completions: [] }));
    const found = answer.completions.map((each) => ({ ...each, edit: { ...each.edit, range: { start: moved(each.edit.range.start), end: moved(each.edit.range.end) } } }));
    const first = found[0];
    if (!first) {
      return null;
    }
    return {
      from: offsetOf(doc, first.edit.range.start),
      filter: false,
      options: found.map((completion) => ({
        label: completion.label,
        said: completion.detail,
        ...(completion.documentation === undefined ? {} : { info: () => markdown(completion.documentation ?? "") }),
        apply: (view: EditorView) => {
          const [change] = changesOf(view.state.doc, [completion.edit]);
          if (change) {
            // The text may have grown since the engine was called.
            const to = Math.max(change.to, view.state.selection.main.head);
            view.dispatch({
              changes: { ...change, to },
              selection: { anchor: change.from + change.insert.length },
              userEvent: "input.complete",
            });
          }
        },
      })),
    };
  };
}

// What the engine knows about the text at a place: hover texts and completions.

import type { CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip } from "@codemirror/view";

import { element } from "./dom";
import type { Engine } from "./engine";
import { markdown } from "./markdown";
import { changesOf, offsetOf, positionOf } from "./places";

/** Explains a key, a rule, a crawler or a code under the mouse. */
export function hovers(engine: Engine): Extension {
  return hoverTooltip(
    async (view, pos) => {
      const { doc } = view.state;
      const hover = await engine.call("hover", { body: doc.toString(), ...positionOf(doc, pos) }, { replaces: "hover" });
      if (!hover.found || view.state.doc !== doc) {
        return null;
      }
      return {
        pos: offsetOf(doc, hover.range.start),
        end: offsetOf(doc, hover.range.end),
        above: true,
        create: () => ({ dom: element("div", { class: "hover" }, markdown(hover.markdown)) }),
      };
    },
    { hoverTime: 300 },
  );
}

/** Completes keys, crawlers and codes. */
export function completions(engine: Engine): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { doc } = context.state;
    const line = doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    // Rules and URLs have no completions; the engine knows that too, but need not be
    // called for each character of them.
    if (!context.explicit && before.trim() === "") {
      return null;
    }
    const { completions: found } = await engine.call(
      "complete",
      { body: doc.toString(), ...positionOf(doc, context.pos) },
      { replaces: "complete" },
    );
    const first = found[0];
    if (!first) {
      return null;
    }
    return {
      from: offsetOf(doc, first.edit.range.start),
      filter: false,
      options: found.map((completion) => ({
        label: completion.label,
        detail: completion.detail,
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

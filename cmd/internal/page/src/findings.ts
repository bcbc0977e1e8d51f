// Findings of the linter: underlined in the editor, with fixes on a click.

import { type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import type { Extension, Text } from "@codemirror/state";
import { ViewPlugin, type ViewUpdate } from "@codemirror/view";

import { type Engine, isOutdated } from "./engine";
import { messages } from "./messages";
import { changesOf, offsetOf } from "./places";
import type { Store } from "./state";
import { visible } from "./dom";
import type { Diagnostic } from "./wire";

/** How long the linter waits after a keystroke, in milliseconds: longer if it takes long. */
const pause = { least: 250, most: 2000 };

/** Keeps state.findings and the marks in the editor up to date. */
export function findings(store: Store, engine: Engine): Extension {
  return ViewPlugin.define((view) => {
    let timer = 0;
    let wait = pause.least;
    const lint = async (): Promise<void> => {
      const { doc } = view.state;
      const text = doc.toString();
      try {
        const url = store.state.before?.site?.robots_url;
        const start = performance.now();
        const { diagnostics } = await engine.call("diagnostics", { body: text, ...(url ? { url } : {}) }, { replaces: "diagnostics", slow: true });
        wait = Math.min(Math.max(1.5 * (performance.now() - start), pause.least), pause.most);
        if (view.state.doc === doc) {
          view.dispatch(setDiagnostics(view.state, diagnostics.map((found) => markOf(doc, found))));
          store.update({ findings: { list: diagnostics, text } });
        }
      } catch (error) {
        if (!isOutdated(error)) {
          store.update({ findings: null });
        }
      }
    };
    const later = (delay: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void lint(), delay);
    };
    later(0);
    return {
      update(update: ViewUpdate) {
        if (update.docChanged) {
          later(wait);
        }
      },
      destroy() {
        clearTimeout(timer);
      },
    };
  });
}

function severityOf(found: Diagnostic): Mark["severity"] {
  return found.severity === "error" || found.severity === "warning" ? found.severity : "info";
}

function markOf(doc: Text, found: Diagnostic): Mark {
  const from = offsetOf(doc, found.range.start);
  const to = Math.max(from, offsetOf(doc, found.range.end));
  return {
    from,
    to,
    severity: severityOf(found),
    source: found.code,
    message: visible(found.message),
    actions: found.fix
      ? [{ name: titleOf(found.fix), apply: (view) => view.dispatch({ changes: changesOf(view.state.doc, found.fix?.edits ?? []), userEvent: "input.fix" }) }]
      : [],
  };
}

/** Returns the text of a button that makes a fix. */
export function titleOf(fix: NonNullable<Diagnostic["fix"]>): string {
  return visible(fix.meaning ? messages.problems.fixMeaning(fix.title) : fix.title);
}

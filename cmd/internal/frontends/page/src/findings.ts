// Findings of the linter: underlined in the editor, with fixes on a click.

import { type Diagnostic as Mark, setDiagnostics } from "@codemirror/lint";
import type { Extension, Text } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

import { fromBase64 } from "./bytes";
import { type Engine, isOutdated } from "./engine";
import { writtenIn } from "./language";
import { messages } from "./messages";
import { changesOf, offsetOf } from "./places";
import { bodyOf, decode, type Encoding, inUTF8 } from "./encoding";
import { contentsOf, type Store } from "./state";
import { element, fromEngine, visible } from "./dom";
import type { Diagnostic, Diagnostics } from "./wire";

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
        const url = store.state.source?.site?.robots_url;
        const start = engine.ready ? performance.now() : Infinity; // the engine's own start says nothing about the next time
        const result = await engine.call("diagnostics", { ...bodyOf({ ...contentsOf(store.state), text }), ...(url ? { url } : {}), lang: writtenIn() }, { replaces: "diagnostics", slow: true });
        const diagnostics = withBytes(result, store.state.encoding);
        wait = Math.min(Math.max(1.5 * (performance.now() - start), pause.least), pause.most);
        if (view.state.doc === doc) {
          view.dispatch(setDiagnostics(view.state, diagnostics.map((found) => markOf(doc, found, store))));
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
    const end = store.subscribe(["lineEnd", "encoding"], () => later(0));
    later(0);
    return {
      update(update: ViewUpdate) {
        if (update.docChanged) {
          later(wait);
        }
      },
      destroy() {
        end();
        clearTimeout(timer);
      },
    };
  });
}

/** Returns the findings with the bytes of fixes that are not UTF-8 as the editor shows them. */
function withBytes({ diagnostics, raw = {} }: Diagnostics, encoding: Encoding): readonly Diagnostic[] {
  for (const [pointer, bytes] of Object.entries(raw)) {
    const [, finding, edit] = /^\/diagnostics\/(\d+)\/fix\/edits\/(\d+)\/new$/.exec(pointer) ?? [];
    const made = diagnostics[Number(finding)]?.fix?.edits[Number(edit)];
    if (made) {
      made.new = decode(fromBase64(bytes), encoding).text;
    }
  }
  return diagnostics;
}

function severityOf(found: Diagnostic): Mark["severity"] {
  return found.severity === "error" || found.severity === "warning" ? found.severity : "info";
}

function markOf(doc: Text, found: Diagnostic, store: Store): Mark {
  const from = offsetOf(doc, found.range.start);
  const to = Math.max(from, offsetOf(doc, found.range.end));
  return {
    from,
    to,
    severity: severityOf(found),
    source: found.code,
    message: visible(found.message),
    renderMessage: () => {
      const heading = messages.problems.heading(found.code);
      return element("span", {}, heading && element("strong", {}, heading), " ", fromEngine(found.message));
    },
    actions: found.fix ? [{ name: titleOf(found.fix), apply: (view) => makeFix(found, view, store) }] : [],
  };
}

/** Makes the fix of a finding. In UTF-16 no line is read, so the only one is to change that. */
export function makeFix(found: Diagnostic, view: EditorView, store: Store): void {
  if (store.state.encoding.startsWith("utf-16")) {
    store.update(inUTF8(store.state));
  } else if (found.fix) {
    view.dispatch({ changes: changesOf(view.state.doc, found.fix.edits), userEvent: "input.fix" });
  }
}

/** Returns the text of a button that makes a fix. */
export function titleOf(fix: NonNullable<Diagnostic["fix"]>): string {
  return visible(fix.title) + (fix.meaning ? ` (${messages.problems.mayChange})` : "");
}

// Colours of keys, crawlers, patterns and comments. What a part of a line is comes from
// the engine: the page has no reader of robots.txt of its own.

import { type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

import { type Engine, isOutdated } from "./engine";
import { offsetOf } from "./places";
import type { Store } from "./state";
import type { TokenKind } from "./wire";

const marks = new Map<TokenKind, Decoration>();

function markOf(kind: TokenKind): Decoration {
  let mark = marks.get(kind);
  if (!mark) {
    mark = Decoration.mark({ class: `tok-${kind}` });
    marks.set(kind, mark);
  }
  return mark;
}

/** The colours of the lines in view; those of other lines are kept while they are near. */
const setColours = StateEffect.define<{ from: number; to: number; marks: readonly Range<Decoration>[] }>();

const coloured = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    decorations = decorations.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setColours)) {
        const { from, to, marks: add } = effect.value;
        decorations = decorations.update({ filter: (f, t) => t < from || f > to, filterFrom: from, filterTo: to, add });
      }
    }
    return decorations;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Lines longer than this have no colours: no real line is, and they would cost time. */
const longestLine = 4000;

/** Returns the extension of an editor. Each editor has a word of its own, see CallOptions. */
export function colours(engine: Engine, store: Store, replaces = "tokens"): readonly [typeof coloured, ViewPlugin<Colouring>] {
  return [coloured, ViewPlugin.define((view) => new Colouring(view, engine, store, replaces))];
}

class Colouring {
  private asked = 0;
  private readonly end: () => void;

  constructor(
    private readonly view: EditorView,
    private readonly engine: Engine,
    private readonly store: Store,
    private readonly replaces: string,
  ) {
    void this.colour();
    engine.whenReady(() => void this.colour());
    this.end = store.subscribe(["encoding"], () => void this.colour());
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) {
      void this.colour();
    }
  }

  destroy(): void {
    this.end();
  }

  /** Colours the lines in view. The engine gets only those: a line means the same alone. */
  private async colour(): Promise<void> {
    const number = ++this.asked;
    await Promise.resolve(); // an update may not dispatch
    const { doc } = this.view.state;
    const { from, to } = this.view.viewport;
    const first = doc.lineAt(from).number;
    const last = doc.lineAt(to).number;
    const lines: string[] = [];
    const unread = this.store.state.encoding.startsWith("utf-16"); // no line has a key that is read
    for (let n = first; n <= last; n++) {
      const line = doc.line(n);
      lines.push(line.length > longestLine || unread ? "" : line.text);
    }
    // A line that is not the first one must not begin the text, where a byte order mark
    // would be skipped.
    const body = first === 1 ? lines.join("\n") : `\n${lines.join("\n")}`;
    const shift = first === 1 ? 0 : first - 2;
    try {
      const { tokens } = await this.engine.call("tokens", { body }, { replaces: this.replaces });
      if (number !== this.asked || this.view.state.doc !== doc) {
        return;
      }
      const add = tokens.map((token) =>
        markOf(token.kind).range(
          offsetOf(doc, { line: token.line + shift, character: token.start }),
          offsetOf(doc, { line: token.line + shift, character: token.end }),
        ),
      );
      this.view.dispatch({ effects: setColours.of({ from: doc.line(first).from, to: doc.line(last).to, marks: add }) });
    } catch (error) {
      if (!isOutdated(error)) {
        return; // without colours the text is still right
      }
    }
  }
}

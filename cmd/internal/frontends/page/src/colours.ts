// Colours of keys, crawlers, patterns and comments. What a part of a line is comes from
// the engine: the page has no reader of robots.txt of its own.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

import { type Engine, isOutdated } from "./engine";
import { offsetOf } from "./places";
import type { Store } from "./state";
import type { TokenKind } from "./wire";

const marks = new Map<TokenKind, Decoration>();

function markOf(kind: TokenKind): Decoration {
  let mark = marks.get(kind);
  if (!mark) {
    mark = Decoration.mark({ class: `tok-${kind}`, inclusiveEnd: true }); // what is typed after a token belongs to it, until the engine says otherwise
    marks.set(kind, mark);
  }
  return mark;
}

/** The colours of the lines in view; those of other lines are kept while they are near. */
const setColours = StateEffect.define<DecorationSet>();

const coloured = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(decorations, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setColours));
    return set ? (set.value as DecorationSet) : decorations.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Returns what is decorated between two places, to be compared. */
export function rangesOf(set: DecorationSet, from: number, to: number): string {
  let ranges = "";
  set.between(from, to, (start, end, { spec }) => void (ranges += `${start} ${end} ${spec.class}\n`));
  return ranges;
}

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
      const [start, end, now] = [doc.line(first).from, doc.line(last).to, this.view.state.field(coloured)];
      const next = now.update({ filter: (f, t) => t < start || f > end, filterFrom: start, filterTo: end, add });
      if (rangesOf(now, start, end) !== rangesOf(next, start, end)) {
        this.view.dispatch({ effects: setColours.of(next) }); // the browser lays out the editor once more
      }
    } catch (error) {
      if (!isOutdated(error)) {
        return; // without colours the text is still right
      }
    }
  }
}

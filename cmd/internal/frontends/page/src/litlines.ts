// The lines that decide about the selected cell are lit in the editor, and the rules that
// lose are dimmed.

import { type Extension, type RangeSet, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutterLineClass, ViewPlugin } from "@codemirror/view";

import { rangesOf } from "./colours";
import { ownDecision } from "./sites";
import type { State, Store } from "./state";

/** The lines of an explanation, from 1. */
interface Lit {
  readonly verdict: string;
  readonly decides: number; // 0 for none
  readonly loses: readonly number[];
  readonly group: readonly number[]; // the user-agent lines of the crawler's groups
}

interface Shown {
  readonly lines: DecorationSet;
  readonly gutter: RangeSet<GutterMarker>;
}

const setLit = StateEffect.define<Shown>();

class LitMarker extends GutterMarker {
  constructor(override readonly elementClass: string) {
    super();
  }
}

const classes = ["lit-decides", "lit-loses", "lit-group"] as const;
const markers = new Map(classes.map((name) => [name, new LitMarker(name)]));

const shown = StateField.define<Shown>({
  create: () => ({ lines: Decoration.none, gutter: new RangeSetBuilder<GutterMarker>().finish() }),
  update(now, transaction) {
    let next = transaction.docChanged ? { lines: now.lines.map(transaction.changes), gutter: now.gutter.map(transaction.changes) } : now;
    for (const effect of transaction.effects) {
      if (effect.is(setLit)) {
        next = effect.value;
      }
    }
    return next;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => value.lines),
    gutterLineClass.from(field, (value) => value.gutter),
  ],
});

function draw(doc: Text, lit: Lit | null): Shown {
  const lines = new RangeSetBuilder<Decoration>();
  const gutter = new RangeSetBuilder<GutterMarker>();
  if (lit) {
    const classOf = new Map<number, (typeof classes)[number]>();
    lit.group.forEach((line) => classOf.set(line, "lit-group"));
    lit.loses.forEach((line) => classOf.set(line, "lit-loses"));
    if (lit.decides > 0) {
      classOf.set(lit.decides, "lit-decides");
    }
    for (const [line, name] of [...classOf].sort(([a], [b]) => a - b)) {
      if (line >= 1 && line <= doc.lines) {
        const { from } = doc.line(line);
        lines.add(from, from, Decoration.line({ class: name === "lit-decides" ? `${name} ${lit.verdict}` : name }));
        gutter.add(from, from, markers.get(name) as LitMarker);
      }
    }
  }
  return { lines: lines.finish(), gutter: gutter.finish() };
}

/** Follows the explanation in the state. */
export function litLines(store: Store): Extension {
  return [
    shown,
    ViewPlugin.define((view) => {
      let last = 0;
      const show = (state: State, scroll: boolean): void => {
        const decision = ownDecision(state.explanation);
        if (decision && state.explanation && decision.line > view.state.doc.lines) {
          return;
        }
        const lit: Lit | null = decision
          ? {
              verdict: state.explanation?.verdict ?? "unknown",
              decides: decision.line,
              loses: (decision.others ?? []).map((rule) => rule.line),
              group: decision.agent_lines ?? [],
            }
          : null;
        const line = lit?.decides ?? 0;
        last = line;
        const { doc } = view.state;
        const next = draw(doc, lit);
        if (rangesOf(view.state.field(shown).lines, 0, doc.length) !== rangesOf(next.lines, 0, doc.length)) {
          view.dispatch({ effects: setLit.of(next) }); // the browser lays out the editor once more
        }
        if (scroll && line > 0 && line <= view.state.doc.lines) {
          scrollTo(view, view.state.doc.line(line).from);
        }
      };
      let selected = store.state.selected;
      const end = store.subscribe(["explanation"], (state) => {
        const scroll = state.selected !== selected || (ownDecision(state.explanation)?.line ?? 0) !== last;
        const typing = view.hasFocus && state.selected === selected;
        selected = state.selected;
        show(state, scroll && !typing);
      });
      return { destroy: end };
    }),
  ];
}

/**
 * Scrolls a line into view within the editor. The page keeps its place: on a phone, the
 * cell that was touched would be gone.
 */
function scrollTo(view: EditorView, pos: number): void {
  view.requestMeasure({
    read: () => ({ line: view.lineBlockAt(pos), height: view.scrollDOM.clientHeight, top: view.scrollDOM.scrollTop }),
    write({ line, height, top }) {
      if (line.top < top || line.bottom > top + height) {
        view.scrollDOM.scrollTop = Math.max(0, line.top - height / 3);
      }
    },
  });
}

// Places in the editor's document. The engine counts lines and characters from 0.

import type { Text } from "@codemirror/state";

import type { Position, TextEdit } from "./wire";

/** Returns the offset of a position. One outside of the document means the nearest inside. */
export function offsetOf(doc: Text, at: Position): number {
  if (at.line >= doc.lines) {
    return doc.length;
  }
  const line = doc.line(at.line + 1);
  return Math.min(line.from + at.character, line.to);
}

/** Returns the position of an offset. */
export function positionOf(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

/** Returns the changes of edits for a transaction. */
export function changesOf(doc: Text, edits: readonly TextEdit[]): { from: number; to: number; insert: string }[] {
  return edits.map((edit) => ({
    from: offsetOf(doc, edit.range.start),
    to: offsetOf(doc, edit.range.end),
    insert: edit.new.replace(/\r\n?/g, "\n"),
  }));
}

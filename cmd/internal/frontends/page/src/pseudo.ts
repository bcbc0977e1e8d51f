// A language that nobody speaks: the English texts in letters that are written from right
// to left, a third longer. A text that stays in Latin letters is not in the catalogue, or
// comes from a file, a URL or the engine.

import type { Translation } from "./language";
import { type Messages, messages } from "./messages";

/** Hebrew letters, because every system has a font with them. */
const letters = "אבגדהוזחטיכלמנסעפצקרשתאבגד";

function mirrored(text: string): string {
  const filler = "ם".repeat(Math.ceil((text.match(/[a-z]/gi)?.length ?? 0) / 3));
  return text.replace(/[a-z]/gi, (c) => letters.charAt(c.toLowerCase().charCodeAt(0) - 97)) + (filler === "" ? "" : ` ${filler}`);
}

/** Returns a text in which the values, which may be names or URLs, are as they were. */
function around(text: string, values: readonly unknown[]): string {
  const kept = values.flat().filter((value): value is string => typeof value === "string" && value !== "");
  const escaped = kept.sort((a, b) => b.length - a.length).map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  if (escaped.length === 0) {
    return mirrored(text);
  }
  return text
    .split(new RegExp(`(${escaped.join("|")})`))
    .map((part, i) => (i % 2 === 1 ? `\u2068${part}\u2069` : part.trim() === "" ? part : mirrored(part)))
    .join("");
}

/** Returns texts of the same form. The phrases of the editor have a place for a value. */
function mirror(texts: object): object {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]: [string, unknown]) => {
      switch (typeof text) {
        case "string":
          return [name, mirrored(text)];
        case "function":
          return [name, (...values: unknown[]) => around((text as (...values: unknown[]) => string)(...values), values)];
        default:
          return [name, mirror(text as object)];
      }
    }),
  );
}

export const translation = (): Translation => mirror(messages satisfies Messages) as Translation;

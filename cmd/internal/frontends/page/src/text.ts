// Text of strangers: robots.txt files, URLs, web pages. It may contain control
// characters and direction marks, which hide or reorder what a reader sees.

/** The characters that do not print: controls, marks of direction, odd blanks, halves of pairs. */
export const unprintable = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

const short: Record<string, string> = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function hex(c: string, width: number): string {
  return (c.codePointAt(0) ?? 0).toString(16).padStart(width, "0");
}

/** Returns a text in which characters that do not print are written as in the tool: \x1b, \u202e. */
export function escaped(text: string): string {
  return text.replace(unprintable, (c) => {
    const code = c.codePointAt(0) ?? 0;
    if (code > 0xffff) return "\\U" + hex(c, 8);
    return short[c] ?? (code < 0x80 ? "\\x" + hex(c, 2) : "\\u" + hex(c, 4));
  });
}

/** Returns JSON in which such characters are written as \uHHHH, which means the same. */
export function escapedJSON(json: string): string {
  return json.replace(unprintable, (c) => (c === "\n" ? c : Array.from({ length: c.length }, (_, i) => "\\u" + c.charCodeAt(i).toString(16).padStart(4, "0")).join("")));
}

/** Returns a text that is cut so that it shows the character at a place, where it differs from others. */
export function clippedAt(text: string, most: number, place: number): string {
  const head = Math.ceil((most - 1) * 0.7);
  if (text.length <= most || place < head - 2 || place >= text.length - (most - 1 - head)) return clipped(text, most);
  const lead = Math.min(6, Math.floor(most / 4));
  const from = Math.max(lead, Math.min(place - 3, text.length - (most - lead - 1)));
  const rest = text.slice(from, from + most - lead - 2);
  return `${text.slice(0, lead)}…${from + rest.length < text.length ? rest + "…" : rest}`;
}

/** Returns a text that is cut in the middle if it has more characters than most. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.7);
  return text.slice(0, head) + "…" + text.slice(text.length - (most - 1 - head));
}

/** Returns the message of an error without the name of a request's field, which is for programs: the page has fields of its own. */
export function withoutField(message: string, field: string): string {
  return field !== "" && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
}

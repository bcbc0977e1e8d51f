// Elements are made here and nowhere else. Text becomes text nodes, so nothing in a
// robots.txt, a URL or an answer can become markup.

import { nameOfSurrogate } from "./encoding";
import { messages } from "./messages";

type Value = string | number | boolean | null | undefined | ((event: never) => void);
type Child = Node | string | number | null | undefined | false;

/**
 * Returns a new element. A property whose name begins with "on" is an event listener;
 * all others are attributes: true is the empty string, and false, null and undefined
 * leave the attribute out.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Readonly<Record<string, Value>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") {
      made.addEventListener(key.slice(2).toLowerCase(), value as EventListener);
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  append(made, children);
  return made;
}

/** Returns the button that closes a message: the only one whose sign is alone. What deletes or ends something has words. */
export function closeButton(onclick: () => void): HTMLElement {
  return element("button", { type: "button", class: "quiet", onclick, "aria-label": messages.live.dismiss, title: messages.live.dismiss }, "×");
}

/** Returns a button with a short text, whose whole meaning is its title. */
export function wordButton(text: string, title: string, onclick: () => void): HTMLElement {
  return element("button", { type: "button", "aria-label": title || null, title: title || null, onclick }, text);
}

/** Replaces the children of a node. */
export function replaceChildren(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      parent.append(child instanceof Node ? child : String(child));
    }
  }
}

/** Saves bytes, or a text in UTF-8, as a file. */
export function download(content: string | Uint8Array<ArrayBuffer>, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: typeof content === "string" ? `${type};charset=utf-8` : type }));
  const link = element("a", { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Returns the element of the page's HTML with an id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`no element #${id}`);
  }
  return found;
}

/**
 * Returns text of the engine or of another program, which is English in every language of
 * the page.
 */
export function fromEngine(text: string): HTMLElement {
  return element("bdi", { lang: "en" }, visible(text));
}

/** Returns a text in which the part that the engine said is marked as such. */
export function withEngine(text: string, said: string): (Node | string)[] {
  const at = said === "" ? -1 : text.indexOf(said);
  return at < 0 ? [text] : [text.slice(0, at), fromEngine(said), text.slice(at + said.length)];
}

/** Returns a text about an error, whose words are those of the engine. */
export function withError(text: (problem: string) => string, error: unknown): (Node | string)[] {
  const said = visible(error instanceof Error ? error.message : String(error));
  return withEngine(text(said), said);
}

/**
 * Returns text with bidirectional controls and control characters replaced by visible
 * ones, for text from files and URLs.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc00 && code <= 0xdcff) {
      return code < 0xdc80 ? "" : nameOfSurrogate(code); // see encoding.ts
    }
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

// C0 and C1 controls, bidirectional controls, zero-width and other invisible characters,
// line separators, the byte order mark, tags, and lone surrogates.
const hidden =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

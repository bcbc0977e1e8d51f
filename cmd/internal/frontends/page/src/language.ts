// The language of the page: its texts replace the English ones before anything is shown.
// docs/languages.md says how one is added.

import { translation as german } from "./german";
import { type Messages, messages } from "./messages";

/** Texts in another language. A text that is missing is shown in English. */
export type Translation = Partly<Messages>;

type Partly<T> = { readonly [Name in keyof T]?: T[Name] extends string | ((...values: never) => string) ? T[Name] : Partly<T[Name]> };

interface Language {
  readonly name: string; // in the language itself
  readonly translation?: Translation;
}

/** The languages by their tags, as in ?lang= and in the settings of browsers. */
export const languages: Readonly<Record<string, Language>> = {
  en: { name: "English" },
  de: { name: "Deutsch", translation: german },
};

/**
 * Returns the language of the page: the one in the query of its URL, or else the first one
 * of the browser that there is, or else English.
 */
export function languageOf(query: string, preferred: readonly string[]): string {
  const wanted = new URLSearchParams(query).get("lang");
  for (const tag of wanted === null ? preferred : [wanted]) {
    const known = Object.keys(languages).find((name) => name.toLowerCase() === tag.toLowerCase()) ?? tag.replace(/-.*$/s, "").toLowerCase();
    if (Object.hasOwn(languages, known)) {
      return known;
    }
  }
  return "en";
}

/** Returns the language of the page, in which the engine writes too. */
export const writtenIn = (): string => document.documentElement.lang || "en";

/** Makes a language that of the page. */
export function useLanguage(tag: string): void {
  const language = languages[tag];
  if (!language?.translation) {
    return;
  }
  translate(messages, language.translation);
  document.documentElement.lang = tag;
}

/** Replaces texts where they are, so that every part of the page that holds a section sees it. */
export function translate(texts: object, by: object): void {
  const into = texts as Record<string, unknown>;
  for (const [name, text] of Object.entries(by)) {
    const old = into[name];
    if (typeof old === "object" && old !== null && typeof text === "object" && text !== null) {
      translate(old, text);
    } else if (typeof old === typeof text) {
      into[name] = text;
    }
  }
}

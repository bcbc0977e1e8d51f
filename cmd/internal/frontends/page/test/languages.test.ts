import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { translation as german } from "../src/german";
import { languageOf, languages, translate } from "../src/language";
import { messages } from "../src/messages";

/** Returns the texts of a catalogue by their names, "grid.more". */
function flat(texts: object, prefix = ""): Map<string, unknown> {
  return new Map(
    Object.entries(texts).flatMap(([name, text]: [string, unknown]) =>
      typeof text === "object" && text !== null ? [...flat(text, `${prefix}${name}.`)] : [[prefix + name, text] as [string, unknown]],
    ),
  );
}

const english = flat(messages);

for (const [tag, { translation }] of Object.entries(languages)) {
  if (!translation) {
    continue;
  }
  test(`${tag} has every text, and no other`, () => {
    const translated = flat(translation);
    assert.deepEqual([...english.keys()].filter((text) => !translated.has(text)), [], "texts that are missing");
    assert.deepEqual([...translated.keys()].filter((text) => !english.has(text)), [], "texts that the page has not");
    for (const [text, value] of translated) {
      assert.equal(typeof value, typeof english.get(text), text);
      if (typeof value === "string") {
        assert.notEqual(value.trim(), "", text);
        assert.deepEqual(value.match(/\$/g), String(english.get(text)).match(/\$/g), `${text}: the places of numbers`);
      }
    }
  });
}

const plurals: Readonly<Record<string, RegExp>> = {
  en: /\b1 (more )?(are|were|bytes|crawlers|lines|problems|redirects|resources|rows|sites|URLs)\b|\b1 \w+ (are|were)\b/,
  de: /\b1 (sind|standen|werden|wurden|Dokumente|Probleme|Ressourcen|URLs|Weiterleitungen|Zeilen)\b|\b1 (andere|weitere) (sind|werden|[A-ZÄÖÜ]\w*n|Websites|Zeilenpaare)\b/,
};

test("one is not several", () => {
  const catalogues = { en: english, de: flat(german) };
  for (const [tag, texts] of Object.entries(catalogues)) {
    for (const [name, text] of texts) {
      let said: unknown;
      try {
        said = typeof text === "function" && text(...Array(text.length).fill(1));
      } catch {
        continue; // its values are not numbers
      }
      assert.doesNotMatch(String(said), plurals[tag] as RegExp, `${tag} ${name}`);
    }
  }
});

/** Sections and texts that the sources take by a name that they compute; CodeMirror takes the phrases. */
const computed = new Set(["verdicts", "dialects", "views", "phrases", "grid.elsewhere", "grid.otherSite", "grid.noFile", "grid.joined"]);

test("the sources use every text", () => {
  const unused: string[] = [];
  const sources = readdirSync("src").filter((name) => /\.(ts|html)$/.test(name) && !["messages.ts", "german.ts"].includes(name));
  const texts = new Map(sources.map((name) => [name, readFileSync(`src/${name}`, "utf8")]));
  for (const [section, names] of Object.entries(messages)) {
    for (const name of Object.keys(names)) {
      if (computed.has(section) || computed.has(`${section}.${name}`)) {
        continue;
      }
      const used = [...texts.values()].some((source) => {
        const alias = new RegExp(`const (\\w+)[^=\\n]* = messages\\.${section};`).exec(source)?.[1];
        const reads = new RegExp(`(messages\\.${section}${alias ? `|\\b${alias}` : ""})\\.${name}\\b${section === "shell" ? `|data-(message|label)="${name}"` : ""}`);
        return reads.test(source);
      });
      if (!used) {
        unused.push(`${section}.${name}`);
      }
    }
  }
  assert.deepEqual(unused, []);
});

test("reasons of fetches are those of the tool, in both languages, and unknown ones stay", async () => {
  const { problems } = (await import("../src/german")).translation;
  assert.equal(problems?.heading?.("RX410"), "Der Doppelpunkt fehlt.");
  assert.equal(problems?.heading?.("constructor"), "");
  const { reasonOf } = await import("../src/reasons");
  const outage = "the file has been unreachable since 2026-11-30T03:00:00Z (EOF); policy google";
  for (const [cause, fault, reason, en, de] of [
    ["missing", undefined, "HTTP status 404", "HTTP status 404", "HTTP-Status 404"],
    ["redirects", undefined, "HTTP status 302, after 3 redirects", "HTTP status 302, after 3 redirects", "HTTP-Status 302 nach 3 Weiterleitungen"],
    ["network", "timeout", outage, "the site did not respond in time", "die Website hat nicht rechtzeitig geantwortet"],
    ["network", "constructor", outage.replace(/2026.*Z/, "long ago"), "robots.txt has been unreachable since long ago (EOF)", "die robots.txt ist nicht abrufbar (seit dem long ago)"],
    ["new", undefined, "a reason\u202e", "a reason⟨U+202E⟩", "a reason⟨U+202E⟩"],
  ] as const) {
    for (const [lang, want] of [["en", en], ["de", de]] as const) {
      Object.assign(globalThis, { document: { documentElement: { lang } } });
      assert.equal(reasonOf({ cause: cause as "missing", fetch_reason: reason, ...(fault ? { fault } : {}) }), want);
    }
  }
});

test("the language is that of the query, or else of the browser, or else English", () => {
  for (const [query, preferred, want] of [
    ["", [], "en"],
    ["", ["de-AT", "en"], "de"],
    ["", ["nl", "DE"], "de"],
    ["", ["nl", "fr"], "en"],
    ["?lang=de", ["en"], "de"],
    ["?lang=en", ["de"], "en"],
    ["?lang=DE-at", [], "de"],
    ["?lang=constructor", ["de"], "en"],
    ["?lang=", ["de"], "en"],
  ] as const) {
    assert.equal(languageOf(query, preferred), want, `${query} ${preferred.join()}`);
  }
});

test("a text that is missing, or of another form, stays English", () => {
  const texts = { a: "one", b: { c: "two", d: (n: number) => `${n} three` }, e: "four" };
  translate(texts, { a: "eins", b: { d: "drei" }, e: { f: "vier" }, g: "fünf" });
  assert.equal(texts.a, "eins");
  assert.equal(texts.b.c, "two");
  assert.equal(texts.b.d(3), "3 three");
  assert.equal(texts.e, "four");
});

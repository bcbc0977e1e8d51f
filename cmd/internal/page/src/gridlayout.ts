// The sizes of the grid: rows have known heights, so that their places are known without
// drawing them, and columns fit the space if they can.

import { messages } from "./messages";
import type { Answers } from "./state";

/**
 * "words": verdicts as words; "signs": narrow columns with a sign and the line; "steep": the
 * same with crawlers written upwards; "cards": one URL a card, for phones.
 */
export type Form = "words" | "signs" | "steep" | "cards";

/** Widths and heights in rem. */
const sizes = { letter: 0.56, bold: 0.67, mono: 0.57, row: 2.15, further: 1.3, card: 1.85, padding: 1.2, steep: 3.6 };

/** The narrowest column of URLs while another form has more room for it, in rem. */
const leastURL = 15;

export class Layout {
  readonly form: Form;
  /** The columns of a row, for the property grid-template-columns. */
  readonly columns: string;
  /** How many letters of a URL fit. Those of a remark are no wider. */
  readonly letters: number;
  /** Whether a card has two columns of crawlers. */
  readonly dense: boolean;
  private readonly rem = parseFloat(getComputedStyle(document.documentElement).fontSize);

  constructor(
    private readonly answers: Answers,
    private readonly origin: string,
    frame: HTMLElement,
  ) {
    const width = frame.clientWidth / this.rem || 40;
    const longest = Math.max(answers.urls.reduce((most, url) => Math.max(most, url.length), 0) - origin.length, origin.length);
    const whole = Math.max(longest * sizes.mono + sizes.padding, 7);
    const least = Math.min(whole, leastURL);
    const names = answers.agents.map((agent) => (agent === "*" ? messages.grid.others : agent).length * sizes.bold + 1.5);
    const words = Object.values(messages.verdicts);
    const word = Math.max(...words.map((text) => text.length * sizes.letter + 4.2), ...words.map((text) => messages.grid.was(text).length * 0.9 * sizes.letter + 2.4));
    const widths: Readonly<Record<"words" | "signs" | "steep", readonly number[]>> = {
      words: names.map((name) => Math.max(Math.min(name, 11), word)),
      signs: names.map((name) => Math.max(Math.min(name, 9), sizes.steep)),
      steep: names.map(() => sizes.steep),
    };
    const fits = (form: "words" | "signs"): boolean => least + sum(widths[form]) <= width;
    const form = fits("words") ? "words" : fits("signs") ? "signs" : "steep";
    const cards = matchMedia("(max-width: 34rem)").matches;
    this.form = cards ? "cards" : form;
    this.dense = cards && answers.agents.length > 6;
    const first = Math.max(least, Math.min(whole, width - sum(widths[form])));
    this.letters = Math.max(10, Math.floor(((cards ? width : Math.max(first, width - sum(widths[form]))) - sizes.padding) / sizes.mono));
    this.columns = cards ? `repeat(${this.dense ? 2 : 1}, minmax(0, 1fr))` : `minmax(${first}rem, 1fr) ${widths[form].map((each) => `${each}rem`).join(" ")}`;
  }

  /** Returns the height of the row of a URL in pixels. remark is the length of the text below the URL. */
  heightOf(url: string, remark: number, changed: boolean): number {
    const further = Math.ceil(remark / this.letters); // its letters are narrower, so that words that wrap have room
    if (this.form === "cards") {
      const lines = Math.min(3, Math.max(1, Math.ceil((url.length - this.origin.length) / this.letters)));
      const cells = Math.ceil(this.answers.agents.length / (this.dense ? 2 : 1));
      return Math.ceil((lines * sizes.further + 0.7 + further * sizes.further + cells * sizes.card + 0.6) * this.rem);
    }
    return Math.ceil((sizes.row + Math.max(further, changed && this.form === "words" ? 1 : 0) * sizes.further) * this.rem);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

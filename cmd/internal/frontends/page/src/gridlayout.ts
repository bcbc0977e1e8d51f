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
const sizes = { sign: 1.9, head: 1.7, mono: 0.57, row: 2.15, further: 1.3, card: 1.85, padding: 1.2, steep: 3.6 };

/** The narrowest column of URLs while another form has more room for it, in rem. */
const leastURL = 15;

/** Returns how many digits the numbers of deciding lines have, at least two. */
export const digitsOf = ({ list }: Answers): number => Math.max(2, String(list.reduce((last, { line }) => Math.max(last, line), 0)).length);

export class Layout {
  readonly form: Form;
  /** The columns of a row, for the property grid-template-columns. */
  readonly columns: string;
  /** How many letters of a URL fit. */
  readonly letters: number;
  /** Whether a card has two columns of crawlers. */
  readonly dense: boolean;
  private readonly rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  private readonly pen = document.createElement("canvas").getContext("2d");
  private readonly room: number; // for a remark, in pixels

  constructor(
    private readonly answers: Answers,
    private readonly sections: readonly string[],
    frame: HTMLElement,
  ) {
    const width = frame.clientWidth / this.rem || 40;
    const single = new Set(sections).size < 2; // its section has the lines of the head
    const longest = answers.urls.reduce((most, url, i) => Math.max(most, this.lengthOf(i), single ? 0 : url.length - this.lengthOf(i)), 0);
    const whole = Math.max(longest * sizes.mono + sizes.padding, 7);
    const least = Math.min(whole, leastURL);
    const { fontSize, fontFamily } = getComputedStyle(frame);
    if (this.pen) {
      this.pen.font = `600 ${fontSize} ${fontFamily}`;
    }
    const names = answers.agents.map((agent) => this.widthOf(agent === "*" ? messages.grid.others : agent) / this.rem + sizes.head);
    const words = Object.values(messages.verdicts);
    if (this.pen) {
      this.pen.font = `${0.96 * parseFloat(fontSize)}px ${fontFamily}`;
    }
    // A sign, a word and a line, or what the verdict was.
    const word = Math.max(...words.flatMap((text) => [this.widthOf(`${text} ${messages.grid.lineSign}${"0".repeat(digitsOf(answers))}`), 0.9 * this.widthOf(messages.grid.was(text))])) / this.rem + sizes.sign;
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
    const column = (cards ? width : Math.max(first, width - sum(widths[form]))) - sizes.padding;
    this.letters = Math.max(10, Math.floor(column / sizes.mono));
    this.room = column * this.rem;
    if (this.pen) {
      this.pen.font = `${0.9 * parseFloat(fontSize)}px ${fontFamily}`;
    }
    this.columns = cards ? `repeat(${this.dense ? 2 : 1}, minmax(0, 1fr))` : `minmax(${first}rem, 1fr) ${widths[form].map((each) => `${each}rem`).join(" ")}`;
  }

  /** Returns the length of a URL without that of its section. */
  private lengthOf(url: number): number {
    return (this.answers.urls[url] ?? "").length - (this.sections[url] ?? "").length;
  }

  private widthOf(text: string): number {
    return this.pen?.measureText(text).width ?? 0;
  }

  /** Returns how many lines a remark takes. Words that are too long are broken anywhere. */
  private linesOf(remark: string): number {
    let lines = remark === "" ? 0 : 1;
    let used = 0;
    for (const word of remark.split(/(?<= )/)) {
      const width = this.widthOf(word);
      if (used > 0 && used + width > this.room) {
        lines++;
        used = 0;
      }
      lines += Math.max(0, Math.ceil(width / this.room) - 1);
      used += width % this.room;
    }
    return lines;
  }

  /** Returns the height of the row of a URL in pixels, with the lines of its section and remark if it shows them. */
  heightOf(url: number, section: boolean, remark: string, changed: boolean): number {
    const further = Number(section) + this.linesOf(remark);
    if (this.form === "cards") {
      const lines = Math.min(3, Math.max(1, Math.ceil(this.lengthOf(url) / this.letters)));
      const cells = Math.ceil(this.answers.agents.length / (this.dense ? 2 : 1));
      return Math.ceil((lines * sizes.further + 0.7 + further * sizes.further + cells * sizes.card) * this.rem);
    }
    return Math.ceil((sizes.row + Math.max(further, changed && this.form === "words" ? 1 : 0) * sizes.further) * this.rem);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

// The grid of answers for spreadsheets and for Markdown, in the form of the tool.

import { cell } from "./commands";
import type { Answers } from "./state";
import { escaped } from "./text";
import type { Answer } from "./wire";

/** Returns the grid as "robots check --grid --excel" prints it, with a byte order mark. */
export function gridCSV(answers: Answers): string {
  const rows = rowsOf(answers).map(([first, ...row]) => [first?.url ?? "", ...[first as Answer, ...row].map((answer) => answer.verdict), dialectsOf([first as Answer, ...row])]);
  return "\ufeff" + [["url", ...answers.agents, "dialects"], ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/** Returns the grid as "robots check --grid --lines --format markdown" prints it, without the sums. */
export function gridMarkdown(answers: Answers): string {
  const head = ["url", ...answers.agents].map((name) => markdownCell(name, false));
  const rows = rowsOf(answers).map((row) => [markdownCell(row[0]?.url ?? "", true), ...row.map(({ verdict, line }) => markdownCell(line > 0 ? `${verdict} ${line}` : verdict, false))]);
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("");
}

function rowsOf({ urls, agents, list }: Answers): Answer[][] {
  return urls.map((_, i) => list.slice(i * agents.length, (i + 1) * agents.length));
}

function dialectsOf(row: readonly Answer[]): string {
  const names = row.map(({ dialect }) => dialect || "none");
  return new Set(names).size === 1 ? (names[0] ?? "") : names.join(", ");
}

/** Returns a text as a cell of a table in Markdown. */
function markdownCell(value: string, code: boolean): string {
  const text = escaped(value);
  if (code && !text.includes("\\")) {
    const fence = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
    const blank = fence.length > 1 ? " " : "";
    return fence + blank + text.replaceAll("|", "\\|") + blank + fence;
  }
  return text.replace(/[\\|`*<>[\]~&!$#@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&");
}

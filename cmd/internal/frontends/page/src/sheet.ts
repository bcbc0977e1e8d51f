// The grid of answers for spreadsheets and for Markdown, in the form of the tool.

import { cell } from "./commands";
import { rowRemark } from "./sites";
import type { Answers } from "./state";
import { escaped } from "./text";
import type { Answer } from "./wire";

/** Returns the grid as "robots check --grid --excel" prints it, with a byte order mark. */
export function gridCSV(answers: Answers): string {
  const rows = rowsOf(answers).map((row) => [row[0]?.url ?? "", ...row.map(({ verdict }) => verdict), dialectsOf(row), rowRemark(row)]);
  return "\ufeff" + [["url", ...answers.agents, "dialects", "remark"], ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
}

/** Returns the grid as "robots check --grid --lines --format markdown" prints it, without the sums, and why URLs are unknown. */
export function gridMarkdown(answers: Answers): string {
  const rows = rowsOf(answers);
  const head = ["url", ...answers.agents].map((name) => markdownCell(name, false));
  const cells = rows.map((row) => [markdownCell(row[0]?.url ?? "", true), ...row.map(({ verdict, line }) => markdownCell(line > 0 ? `${verdict} ${line}` : verdict, false))]);
  const remarks = new Map<string, number>();
  for (const remark of rows.map((row) => rowRemark(row)).filter((text) => text !== "")) {
    remarks.set(remark, (remarks.get(remark) ?? 0) + 1);
  }
  const below = [...remarks].map(([remark, urls]) => `${urls} ${urls === 1 ? "URL" : "URLs"}: ${escaped(remark)}\n`);
  return [head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |\n`).join("") + (below.length > 0 ? `\n${below.join("")}` : "");
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

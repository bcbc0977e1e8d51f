// What the page shows, as text for other programs: commands for two shells, a file of
// expectations for "robots test", and the answers as CSV and JSON.

import { isOther } from "./answers";
import { bodyOf, type Contents } from "./encoding";
import { grouped } from "./grouped";
import { escaped, escapedJSON, unprintable } from "./text";
import { chosen, type Reading } from "./state";
import { rowRemark } from "./sites";
import type { Answer, Fetched } from "./wire";

/** What is checked: a robots.txt and the state of the page as far as commands need it. */
export interface Question extends Contents {
  /** Whether the text is the file of the sites of the URLs, unedited. */
  live: boolean;
  /** The site of the text, undefined if it has none; and the files of others. */
  site?: string | undefined;
  files?: readonly Fetched[] | undefined;
  /** Crawlers in the notation of the tool's --agent. */
  agents: readonly string[];
  purposes: readonly string[];
  urls: readonly string[];
  /** "" is that of each crawler. */
  dialect: Reading;
}

/** A shell for which a command is written. */
export type Shell = "sh" | "powershell";

/** Returns a text as one argument of a POSIX shell. */
export function quoteSh(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

/**
 * Returns a text as one argument of PowerShell, which reads typographic quotes as
 * quotes too. (Versions before 7.3 remove double quotes from arguments of programs.)
 */
export function quotePowerShell(text: string): string {
  if (/^[A-Za-z0-9_/.][A-Za-z0-9_:./-]*$/.test(text)) return text;
  return "'" + text.replace(/['‘’‚‛]/g, "$&$&") + "'";
}

const quotes: Record<Shell, (text: string) => string> = { sh: quoteSh, powershell: quotePowerShell };
const continuations: Record<Shell, string> = { sh: " \\\n  ", powershell: " `\n  " };

/** Reports whether the URLs are too many for a command, which then reads urls.txt. */
export function needsURLFile(question: Question): boolean {
  return question.urls.length > 50 || question.urls.reduce((length, url) => length + url.length, 0) > 4_000;
}

/** Returns the URLs as a file for --urls. */
export function urlFile(urls: readonly string[]): string {
  return urls.map((url) => argument(url) + "\n").join("");
}

/** Returns the command of the tool that gives the same answers. */
export function robotsCommand(question: Question, shell: Shell): string {
  const quote = quotes[shell];
  const flags: string[] = [];
  if (!question.live) flags.push("--file robots.txt", ...(question.site === undefined ? [] : [quote("--site=" + question.site)]));
  for (const agent of question.agents) flags.push(quote("--agent=" + withoutControls(agent)));
  if (question.purposes.length > 0) flags.push(quote("--purpose=" + withoutControls(question.purposes.join(","))));
  if (question.dialect !== "") flags.push(quote("--dialect=" + question.dialect));
  const urls = question.urls.length > 0 ? question.urls : ["/"];
  if (needsURLFile(question)) {
    flags.push("--urls urls.txt");
  } else {
    flags.push(...(urls.some((url) => url.startsWith("-")) ? [quote("--")] : []), ...urls.map((url) => quote(argument(url))));
  }
  return ["robots check", ...flags].join(continuations[shell]) + "\n";
}

/**
 * Returns a URL without characters that do not print. A terminal obeys control
 * characters in pasted text even within quotes; URLs in links come from strangers. The
 * tool compares the encoded form of a URL anyway.
 */
function argument(url: string): string {
  return url.replace(unprintable, (c) => (/\p{Surrogate}/u.test(c) ? "%EF%BF%BD" : encodeURIComponent(c)));
}

/** Returns a crawler without such characters, which no product token contains. */
function withoutControls(agent: string): string {
  return agent.replace(unprintable, "");
}

/** Returns the request of POST /v1/check that gives the same answers. */
export function checkRequest(question: Question): object {
  return {
    ...(question.live ? {} : { ...bodyOf(question), ...(question.site === undefined ? {} : { site: question.site }), ...(question.files?.length ? { files: question.files } : {}) }),
    agents: question.agents,
    ...(question.purposes.length > 0 ? { purposes: question.purposes } : {}),
    urls: question.urls,
    ...chosen(question.dialect),
  };
}

/**
 * Returns the command that sends the request to a service with curl. The request is
 * given on standard input, because systems limit the length of arguments, and in
 * ASCII, because PowerShell changes other characters.
 */
export function curlCommand(question: Question, service: string, shell: Shell): string {
  const json = JSON.stringify(checkRequest(question)).replace(/[^\x20-\x7e]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  const url = quotes[shell](new URL("v1/check", service).href);
  if (shell === "sh") {
    return `curl -sS -H 'Content-Type: application/json' --data-binary @- ${url} <<'JSON'\n${json}\nJSON\n`;
  }
  return `@'\n${json}\n'@ | curl.exe -sS -H 'Content-Type: application/json' --data-binary '@-' ${url}\n`;
}

/**
 * Returns a file for "robots test" that expects the answers as they are. robots is the
 * path or URL of the robots.txt. Unknown answers are left out, and those about a text that
 * is neither a path nor a URL. So are those that the file of another site decides; URLs with
 * which a file without a site was compared are marked. The result is "" if no answer remains.
 */
export function expectations(answers: readonly Answer[], robots: string, note: string, dialect: Reading): string {
  const byAgent = new Map<string, string[]>();
  for (const a of answers) {
    if (a.verdict === "unknown" || withoutControls(a.agent) !== a.agent || !isAddress(a.url) || a.robots_url !== undefined) continue;
    const key = a.verdict === "allowed" ? "allow" : "deny";
    const lines = byAgent.get(a.agent) ?? [];
    if (a.governed_by !== undefined) lines.push(`# ${rowRemark([a])}:`);
    lines.push(`${key}: ${urlValue(a.url)}`);
    byAgent.set(a.agent, lines);
  }
  // Crawlers with equal expectations share a block, except those whose form is not
  // that of a plain token: a list with a User-Agent header is read as one crawler.
  const isPlain = (agent: string): boolean => /^[A-Za-z_*][A-Za-z0-9_:*-]*$/.test(agent);
  const blocks = grouped([...byAgent], ([agent, lines]) => (isPlain(agent) ? "" : agent) + "\n" + lines.join("\n"), ([agent]) => agent);
  if (blocks.size === 0) return "";
  let text = `# ${oneLine(note)}\nrobots: ${robots}\n`;
  if (dialect !== "") text += `dialect: ${dialect}\n`;
  for (const [key, agents] of blocks) {
    text += `\nagents: ${agents.join(", ")}\n${key.slice(key.indexOf("\n") + 1)}\n`;
  }
  return text;
}

/** Reports whether a text is a path or a whole URL, which is what the file may have. */
function isAddress(url: string): boolean {
  return url.startsWith("/") || /^(https?|ftp):\/\/[^/]/i.test(url);
}

function oneLine(text: string): string {
  return text.replace(unprintable, " ").trim();
}

/** Returns a URL as the value of an expectation, in quotes where that is necessary. */
function urlValue(url: string): string {
  if (!/^["[]|^\s|\s$/.test(url) && url.search(unprintable) < 0) {
    return url;
  }
  // The escapes are those of a Go string.
  return '"' + escaped(url.replace(/["\\]/g, "\\$&").replace(/\p{Surrogate}/gu, "\ufffd")) + '"';
}

const columns = ["url", "agent", "verdict", "line", "rule", "reason", "matched_by", "dialect", "compared_url", "unresolved_verdict", "robots_url", "status", "fetch_reason", "governed_by", "joined_line", "fetched_anyway"] as const;

/** Returns the answers as CSV, with the columns that "robots check --format csv" has. */
export function answersCSV(answers: readonly Answer[]): string {
  const rows = answers.map((a) => {
    const fields: Readonly<Record<string, unknown>> = { ...a, line: a.line === 0 ? "" : a.line };
    return columns.map((name) => cell(String(fields[name] ?? ""))).join(",");
  });
  return [columns.join(","), ...rows].join("\r\n") + "\r\n";
}

/** Returns the answers that an edit changes as CSV, with the columns that "robots diff --urls --format csv" has, but size. */
export function changesCSV(before: readonly Answer[], after: readonly Answer[]): string {
  const rows = after.flatMap((now, i) => {
    const old = before[i];
    if (!old || !isOther(old, now)) return [];
    const line = (answer: Answer): string => (answer.line === 0 ? "" : String(answer.line));
    return [[now.agent, now.verdict === "allowed" ? "opens" : "closes", now.url, line(old), old.rule, line(now), now.rule].map(cell).join(",")];
  });
  return ["agent,effect,url,old_line,old_rule,new_line,new_rule", ...rows].join("\r\n") + "\r\n";
}

/** The characters with which a cell begins that a spreadsheet may run as a formula. */
const formula = /^[=+\-@＝＋－＠]/;

/** Returns a text as a cell of CSV. */
export function cell(value: string): string {
  let text = escaped(value);
  if (formula.test(text)) text = "'" + text;
  return /[",]|^ | $/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

/** Returns the answers as JSON, an object a line, as "robots check --json" does. */
export function answersJSON(answers: readonly Answer[]): string {
  return answers.map((a) => escapedJSON(JSON.stringify(a)) + "\n").join("");
}

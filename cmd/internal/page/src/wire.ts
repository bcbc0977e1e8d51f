// The JSON of the engine and the service, as docs/json.md and its schema have it. Only
// the fields that the page reads are here.

import type { Dialect } from "./state";

export type Verdict = "allowed" | "disallowed" | "unknown";
export type MatchedBy = "name" | "star" | "none";
export type Reason = "no-file" | "no-group" | "no-match" | "empty-rule" | "rule" | "robots-file";

export interface Answer {
  url: string;
  compared_url?: string;
  agent: string;
  tokens?: string[];
  named_only?: boolean;
  allowed: boolean;
  line: number; // the deciding line, from 1; 0 for none
  rule: string;
  reason: Reason;
  dialect: Dialect;
  verdict: Verdict;
  matched_by: MatchedBy;
  group: string;
  group_line: number;
  robots_url?: string; // if the file was fetched
}

export interface Rule {
  allow: boolean;
  pattern: string;
  length: number;
  line: number;
  folder: boolean;
}

export interface Decision {
  allowed: boolean;
  line: number;
  reason: Reason;
  note: string;
  dialect: Dialect;
  agent: string;
  agent_lines: number[] | null;
  group_line: number;
  rule: Rule | null;
  tie: Rule | null;
  others: Rule[] | null;
  path: string;
}

export interface OtherDialect {
  why: string; // empty if it does not decide differently
  decision: Decision;
}

export interface Explanation {
  url: string;
  compared_url?: string;
  agent: string;
  tokens?: string[];
  named_only?: boolean;
  rule: string;
  verdict: Verdict;
  matched_by: MatchedBy;
  decision: Decision;
  other_dialects: OtherDialect[];
}

export interface Edit {
  start: number; // in bytes of UTF-8
  end: number; // excluded
  new: string;
}

export interface Fix {
  title: string;
  edits: Edit[];
  meaning: boolean; // it may change verdicts
}

export interface Finding {
  code: string;
  severity: string;
  start: number; // in bytes of UTF-8
  end: number; // excluded
  line: number;
  column: number;
  message: string;
  for?: string[];
  related?: { line: number; message: string }[];
  fix?: Fix;
}

export interface Site {
  asked?: string;
  robots_url: string;
  fetch_reason: string;
  status: number;
  source: string;
  fetched_at: string;
  policy: string;
  fault?: string;
  outcome: string;
  origin: string;
  final_url: string;
  hops: { url: string; status: number }[] | null;
  headers?: { name: string; value: string }[];
  bytes: number;
  truncated: boolean;
  body?: string;
  fresh_until?: string;
  next_try?: string;
  error?: string;
}

export interface PathChange {
  agents: string[];
  effect: "opens" | "closes";
  old_line: number;
  new_line: number;
  witness: string;
}

export interface Comparison {
  agents: string[];
  equal: boolean;
  undecided: boolean;
  undecided_agents: string[];
  tried?: string;
  complete: boolean;
  changes: PathChange[];
  other: { kind: string; agents: string[]; old: string[]; new: string[] }[];
  urls: number;
  flips: { url: string; agents: string[]; effect: "opens" | "closes" }[];
}

export interface KnownCrawler {
  token: string;
  aliases: string[];
  operator: string; // "unknown" if no source says it, like the others
  purposes: string[];
  obeys: string;
  control: boolean;
  fallbacks: string[];
  status: string;
  replacements: string[];
  verified: boolean;
}

export interface URLList {
  urls: string[];
  truncated: boolean; // the list has more URLs than the limit
  read_as?: string; // "CSV, URLs from column 1 (\"address\")"
  problems?: { line: number; problem: string; hint?: string }[];
}

export interface Resources {
  url: string; // of the page, or of its base element
  resources: { url: string; kind: string }[];
  truncated: boolean;
}

export interface AIView {
  outcome: string;
  body?: string;
  dialect: Dialect;
  purposes: {
    purpose: string;
    matched_by: MatchedBy;
    access: "all" | "none" | "undecided" | "unknown";
    except: { line: number; pattern: string; part: boolean }[];
    preferences: string[];
    agents: string[];
    disobey: string[];
  }[];
  preferences: { line: number; key: string; agents: string[]; path: string; use: string; granted: boolean }[];
  licenses: { line: number; name: string; value: string }[];
  problems: { line: number; code: string; message: string }[];
}

export interface Position {
  line: number; // from 0
  character: number; // from 0, in UTF-16 units
}

export interface Range {
  start: Position;
  end: Position; // excluded
}

export interface TextEdit {
  range: Range;
  new: string;
}

export interface TextFix {
  title: string;
  edits: TextEdit[]; // in the order of the text, not overlapping
  meaning: boolean; // it may change verdicts
}

/** A finding at its place in the text. */
export interface Diagnostic {
  range: Range;
  code: string;
  severity: string; // error, warning, info
  message: string;
  related?: { range: Range; message: string }[];
  fix?: TextFix;
}

export type TokenKind =
  | "key"
  | "unknown-key"
  | "agent"
  | "pattern"
  | "wildcard"
  | "url"
  | "value"
  | "comment"
  | "ignored";

export interface Token {
  line: number; // from 0
  start: number;
  end: number; // excluded
  kind: TokenKind;
}

export interface Completion {
  kind: string; // key, crawler, order or code
  label: string;
  detail: string;
  documentation?: string; // Markdown
  edit: TextEdit;
}

/** The crawlers of a query: without agents and purposes it is "*". */
export interface Selection {
  agents?: readonly string[];
  purposes?: readonly string[];
  operators?: readonly string[];
}

interface Place {
  body: string;
  line: number; // from 0
  character: number; // from 0, in UTF-16 units
}

interface Query extends Selection {
  body: string;
  urls: readonly string[]; // at least one
  dialect: Dialect;
}

/** The calls of the engine, by name: what goes in and what comes out. */
export interface Calls {
  check: { request: Query; result: { truncated: boolean; answers: Answer[] } };
  explain: { request: Query; result: Explanation };
  diff: {
    request: Selection & { before: string; after: string; urls?: readonly string[]; dialect: Dialect; budget?: number };
    result: Comparison;
  };
  ai: { request: { body: string; dialect?: Dialect }; result: AIView };
  lint: {
    request: { body: string; fix?: "plain" | "all" };
    result: { findings: Finding[]; fixed?: number; not_fixed?: { code: string; line: number; reason: string }[]; body?: string };
  };
  format: {
    request: { body: string; line_ends?: "keep" | "lf" | "crlf" };
    result: { body: string; changed: boolean; refused?: string };
  };
  diagnostics: { request: { body: string; url?: string }; result: { diagnostics: Diagnostic[] } };
  tokens: { request: { body: string; first?: number; last?: number }; result: { tokens: Token[] } };
  hover: { request: Place; result: { found: boolean; range: Range; markdown: string } };
  complete: { request: Place; result: { completions: Completion[] } };
  fetch: { request: { url: string }; result: { site: Site; body: string } };
  crawlers: { request: Record<string, never>; result: { version: string; crawlers: KnownCrawler[] } };
  urls: { request: { text?: string; text_base64?: string; name?: string; column?: string; site?: string }; result: URLList };
  sitemap: { request: { url: string }; result: URLList };
  resources: { request: { url: string; html?: string }; result: Resources };
}

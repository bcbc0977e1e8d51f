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

/** The calls of the engine, by name: what goes in and what comes out. */
export interface Calls {
  check: {
    request: { body: string; agents: readonly string[]; purposes: readonly string[]; urls: readonly string[]; dialect: Dialect };
    result: { answers: Answer[] };
  };
  explain: {
    request: { body: string; agents: readonly string[]; urls: readonly string[]; dialect: Dialect };
    result: Explanation;
  };
  diff: {
    request: {
      before: string;
      after: string;
      agents?: readonly string[];
      purposes?: readonly string[];
      urls?: readonly string[];
      dialect: Dialect;
    };
    result: Comparison;
  };
  ai: { request: { body: string; dialect?: Dialect }; result: AIView };
  fetch: { request: { url: string }; result: { site: Site; body: string } };
  crawlers: { request: Record<string, never>; result: { version: string; crawlers: KnownCrawler[] } };
  urls: { request: { text?: string; text_base64?: string; name?: string; column?: string; site?: string }; result: URLList };
  sitemap: { request: { url: string }; result: URLList };
  resources: { request: { url: string; html?: string }; result: Resources };
}

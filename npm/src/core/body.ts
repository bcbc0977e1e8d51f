// A body as a dialect reads it: scan.go, plain.go, agent.go and parse.go do the same.

import { type Traits } from "./dialect.js";
import { fold, isSpace } from "./octets.js";
import { newRule, type Rule } from "./pattern.js";

/** A user-agent line. */
export interface Agent {
  readonly token: string;
  readonly line: number;
}

/** A run of user-agent lines and what follows it; in koster1996, a record. */
export interface Group {
  readonly agents: Agent[];
  readonly rules: Rule[];
  /** The Crawl-delay lines, each with the agents that it belongs to. */
  readonly delays: { value: string; agents: Agent[] }[];
}

/** A body in a dialect. */
export interface Form {
  /** The groups by their tokens, in lower case. */
  readonly groups: Map<string, Group[]>;
  readonly sitemaps: string[];
  readonly hosts: string[];
  /** Whether a group has a rule, with a path or without. */
  isRuled: boolean;
}

/** How many bytes of a line count, as in Google's parser. */
const maxLine = 2083 * 8 - 1;

// The kinds of lines. An empty one has kind 0.
const agentKind = 1;
const allowKind = 2;
const disallowKind = 3;
const sitemapKind = 4;
const delayKind = 5;
const listedKind = 6;
const hostKind = 7;

// The keys that count, by their first letter. A key that begins with one of the first four is
// the same; those from Crawl-delay on must be whole.
const keys: Readonly<Record<string, readonly [kind: number, key: RegExp]>> = {
  u: [agentKind, /user[- ]?agent/iy],
  a: [allowKind, /allow/iy],
  d: [disallowKind, /dis(?:s?all?ow|allaw)|diasllow/iy],
  s: [sitemapKind, /site-?map/iy],
  c: [delayKind, /crawl-delay/iy],
  r: [listedKind, /request-rate/iy],
  v: [listedKind, /visit-time/iy],
  h: [hostKind, /host/iy],
};

const lineEnd = /[\n\r]/g;

type Line = (kind: number, value: string, number: number) => void;

/** Calls a function for each line that counts. */
function eachLine(body: string, line: Line): void {
  let start = /^(?:\xEF(?:\xBB\xBF?)?)?/.exec(body)![0].length;
  for (let number = 1; start < body.length; number++) {
    // A line ends before a NUL and a '#'.
    let end = start;
    let cut = -1;
    let colon = -1;
    for (let code; end < body.length && (code = body.charCodeAt(end)) !== 10 && code !== 13; end++) {
      if (code === 35 || code === 0) {
        lineEnd.lastIndex = cut = end;
        end = lineEnd.exec(body)?.index ?? body.length;
        break;
      }
      if (code === 58 && colon < 0) colon = end;
    }
    const most = Math.min(end, start + maxLine);
    const isCut = cut >= 0 && cut < most;
    readLine(body, start, isCut ? cut : most, isCut && body[cut] === "#", colon, number, line);
    start = end + (body.startsWith("\r\n", end) ? 2 : 1);
  }
}

/** Reads a line up to its comment. */
function readLine(body: string, start: number, end: number, isComment: boolean, colon: number, number: number, line: Line): void {
  while (end > start && isSpace(body.charCodeAt(end - 1))) end--;
  if (start === end) {
    if (!isComment) line(0, "", number);
    return;
  }
  while (isSpace(body.charCodeAt(start))) start++;
  const known = keys[body[start]!.toLowerCase()];
  if (known === undefined) {
    return;
  }
  const [kind, key] = known;
  key.lastIndex = start;
  if (!key.test(body)) {
    return;
  }
  const keyEnd = key.lastIndex;
  if (colon < 0 || colon >= end) {
    // Of two words without a colon the first one is the key.
    colon = start + (/^[^ \t]+(?=[ \t]+[^ \t]+$)/.exec(body.slice(start, end))?.[0].length ?? -1);
  }
  if (colon < keyEnd || (kind >= delayKind && trim(body, keyEnd, colon) !== "")) {
    return;
  }
  line(kind, trim(body, colon + 1, end), number);
}

function trim(text: string, start: number, end: number): string {
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (start < end && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Reads a body in a dialect. There is none that cannot be read. */
export function readBody(body: string, traits: Traits): Form {
  const form: Form = { groups: new Map(), sitemaps: [], hosts: [], isRuled: false };
  let group: Group | undefined;
  let isRuled = false; // the group has a rule since its last agent line
  let list = 0; // the first agent of the list that a Crawl-delay belongs to
  let isListEnded = false; // the next agent begins a list
  let listed: Agent[] | undefined; // the list, which all its delays share: thousands may follow thousands of agents
  eachLine(body, (kind, value, line) => {
    if (kind === agentKind) {
      if (group === undefined || isRuled) {
        group = { agents: [], rules: [], delays: [] };
        isRuled = isListEnded = false;
        list = 0;
      }
      if (isListEnded) {
        list = group.agents.length;
        isListEnded = false;
      }
      listed = undefined;
      addAgent(form, group, agentToken(value, traits), line);
    } else if (kind === sitemapKind) {
      form.sitemaps.push(value);
    } else if (kind === hostKind) {
      form.hosts.push(value);
    } else if (group === undefined) {
      // Rules and delays count in a group only.
    } else if (kind === 0) {
      if (traits.records) group = undefined;
    } else if (kind === delayKind || kind === listedKind) {
      if (kind === delayKind) group.delays.push({ value, agents: (listed ??= group.agents.slice(list)) });
      isListEnded = true;
    } else {
      form.isRuled = isRuled = true;
      if (value !== "" || traits.wildcards) group.rules.push(newRule(kind === allowKind, value, line, traits));
    }
  });
  return form;
}

function addAgent(form: Form, group: Group, token: string | undefined, line: number): void {
  group.agents.push({ token: token ?? "**", line });
  if (token !== undefined) {
    const name = fold(token);
    const groups = form.groups.get(name) ?? [];
    if (groups.at(-1) !== group) groups.push(group);
    form.groups.set(name, groups);
  }
}

/** Returns the product token of an agent line, undefined if it matches no crawler. */
function agentToken(value: string, traits: Traits): string | undefined {
  if (value[0] === "*" && (value.length === 1 || isSpace(value.charCodeAt(1)))) {
    return "*";
  }
  let token = traits.token.exec(value)![0];
  if (traits.dropStar && token.endsWith("*")) {
    token = token.slice(0, -1);
  }
  return /^\*+$/.test(token) ? undefined : token;
}

// The search in the list of known crawlers, and the crawlers that are selected.

import type { KnownCrawler } from "./wire";

/** A purpose with its crawlers that are in use. */
export interface PurposeCount {
  purpose: string;
  crawlers: number;
}

/** Returns the purposes of crawlers, the AI and search purposes first, then by number. */
export function purposesOf(known: readonly KnownCrawler[]): PurposeCount[] {
  const counts = new Map<string, number>();
  for (const crawler of known) {
    if (crawler.status === "retired") continue;
    for (const purpose of crawler.purposes) counts.set(purpose, (counts.get(purpose) ?? 0) + 1);
  }
  const first = ["search", "ai-training", "ai-search", "ai-fetch"];
  const rank = (purpose: string) => (first.includes(purpose) ? first.indexOf(purpose) : first.length);
  return [...counts]
    .map(([purpose, crawlers]) => ({ purpose, crawlers }))
    .sort((a, b) => rank(a.purpose) - rank(b.purpose) || b.crawlers - a.crawlers || (a.purpose < b.purpose ? -1 : 1));
}

/**
 * Returns the crawlers whose token, alias, operator or purpose contains the text, at
 * most so many. Tokens that begin with the text come first, retired ones last. Of
 * crawlers with equal matches, those come first about which more is known.
 */
export function searchCrawlers(known: readonly KnownCrawler[], text: string, most: number): KnownCrawler[] {
  const wanted = text.trim().toLowerCase();
  const ranked: { crawler: KnownCrawler; rank: number }[] = [];
  for (const crawler of known) {
    const rank = rankOf(crawler, wanted);
    if (rank >= 0) {
      const doubts = crawler.status === "retired" ? 100 : (crawler.verified.includes("obeys") ? 0 : 1) + (crawler.obeys === "all" ? 0 : 1) + (crawler.status === "active" ? 0 : 1);
      ranked.push({ crawler, rank: rank * 10 + doubts });
    }
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.crawler.token.length - b.crawler.token.length)
    .slice(0, most)
    .map((r) => r.crawler);
}

function rankOf(crawler: KnownCrawler, wanted: string): number {
  const token = crawler.token.toLowerCase();
  if (wanted === "") return 0;
  if (token === wanted) return 0;
  if (token.startsWith(wanted)) return 1;
  if (token.includes(wanted)) return 2;
  if (crawler.aliases.some((alias) => alias.toLowerCase().includes(wanted))) return 3;
  if (crawler.operator.toLowerCase().includes(wanted)) return 4;
  if (crawler.purposes.some((purpose) => purpose.includes(wanted))) return 5;
  return -1;
}

/**
 * Splits what is typed, crawlers separated by commas or line ends, at the separators
 * that are not in quotes. A whole User-Agent header, which has a parenthesis, is one
 * crawler. Only the engine decides what the pieces mean.
 */
export function splitAgents(typed: string): string[] {
  const pieces: string[] = [];
  for (const line of typed.split(/[\r\n]+/)) {
    if (line.includes("(") && !line.includes('"')) {
      pieces.push(line);
      continue;
    }
    pieces.push(...(line.match(/(?:"(?:\\.|[^"\\])*"?|[^,"])+/g) ?? []));
  }
  return [...new Set(pieces.map((piece) => piece.trim()).filter((piece) => piece !== ""))];
}

/** Returns the token of a crawler for the list of agents, in quotes if it has separators. */
export function agentOf(token: string): string {
  return /[,:;"#]/.test(token) || /[/(]/.test(token) ? JSON.stringify(token) : token;
}

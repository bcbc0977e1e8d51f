// Which files decide about which URLs: the one in the editor about its site, if it has one, and
// those that were fetched for others.

import { bodyOf } from "./encoding";
import { joinedGroup } from "./messages";
import type { State } from "./state";
import type { Answer, Explanation, Fetched } from "./wire";

/** Returns the origin of the site whose robots.txt is in the editor, undefined if it is not known. */
export function siteOf({ source }: Pick<State, "source">): string | undefined {
  const url = source?.site?.origin ?? source?.name.replace(/\/robots\.txt$/, "/") ?? "";
  return /^(https?|ftp):[/]{2}/i.test(url) && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Returns the site that a comparison is about: that of the file in the editor, or else of the one before. */
export function comparedSite({ source, before }: Pick<State, "source" | "before">): string | undefined {
  return siteOf({ source }) ?? siteOf({ source: before });
}

/** Returns the fields of a request that say which sites the files are of. */
export function sitesOf(state: Pick<State, "source" | "sites">, site = siteOf(state)): { site?: string; files?: Fetched[] } {
  const files = state.sites.filter(({ site: other }) => other.origin !== site);
  return { ...(site === undefined ? {} : { site }), ...(files.length === 0 ? {} : { files }) };
}

/** Returns the files of other sites when another one comes into the editor: the one in it was fetched and stays. */
export function withSource({ source, sites }: Pick<State, "source" | "sites">, next: string): readonly Fetched[] {
  const others = sites.filter(({ site }) => site.origin !== next);
  if (!source?.site || source.site.origin === next) {
    return others;
  }
  const contents = bodyOf(source);
  if (!("body" in contents)) {
    return others; // bytes that are not UTF-8
  }
  const left: Fetched = { schema: 1, site: source.site, body: contents.body };
  return [...others.filter(({ site }) => site.origin !== source.site?.origin), left];
}

/** Returns the decision of an explanation if its lines are those of the file in the editor, and not of another site's. */
export function ownDecision(explanation: Explanation | null): Explanation["decision"] | undefined {
  return explanation?.fetch ? undefined : explanation?.decision;
}

/** What a row of the grid cannot show in its cells, in the words of the tool. "" if there is nothing to say. */
export function rowRemark(row: readonly Answer[]): string {
  const [first] = row;
  const has = (wanted: Answer["verdict"]): boolean => row.some(({ verdict, unread }) => verdict === wanted && !unread);
  const unknown = has("unknown");
  const without = row.find(({ reason }) => reason === "no-file");
  const facts: string[] = [];
  if (first?.governed_by !== undefined) {
    facts.push(unknown ? `another site's file decides: ${first.governed_by}` : `${first.governed_by} governs it`);
  } else if (without?.fetch_reason) {
    facts.push(`${without.robots_url}: ${without.fetch_reason}`);
  }
  for (const [line, agents] of joinedGroups(row)) {
    facts.push(joinedGroup("the", line, agents));
  }
  if (row.some((answer) => answer.fetched_anyway)) {
    facts.push("crawlers fetch robots.txt itself anyway");
  }
  return facts.join("; ");
}

/** Returns the lines whose groups are for other crawlers too, because no rule separates them, with these crawlers. */
export function joinedGroups(row: readonly Answer[]): [number, string[]][] {
  const groups = new Map<number, string[]>();
  for (const { agent, joined_line: line } of row) {
    if (line !== undefined) groups.set(line, [...(groups.get(line) ?? []), agent]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

/** Returns the sites whose files are missing, with the number of URLs, and whether the editor's file is known not to be theirs. */
export function missingOf(list: readonly Answer[], agents: number): Map<string, { urls: number; known: boolean }> {
  const missing = new Map<string, { urls: number; known: boolean }>();
  for (let i = 0; i < list.length; i += Math.max(1, agents)) {
    const { governed_by: robots, reason } = list[i] as Answer;
    if (robots === undefined) {
      continue;
    }
    const origin = robots.replace(/\/robots\.txt$/, "");
    const urls = missing.get(origin)?.urls ?? 0;
    missing.set(origin, { urls: urls + 1, known: reason === "other-site" });
  }
  return missing;
}

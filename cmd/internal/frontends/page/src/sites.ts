// Which files decide about which URLs: the one in the editor about its site, if it has one, and
// those that were fetched for others.

import { bodyOf } from "./encoding";
import { grouped } from "./grouped";
import { joinedGroup } from "./messages";
import { reasonOf } from "./reasons";
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

/** The words of a remark about a row: those of the tool, which are in files. messages.grid has those of the page. */
const toolWords = {
  elsewhere: (robotsURL: string) => `${robotsURL} governs it`,
  otherSite: (robotsURL: string) => `another site's file decides: ${robotsURL}`,
  noFile: (robotsURL: string, why: string) => `${robotsURL}: ${why}`,
  joined: (line: number, crawlers: string[]) => joinedGroup("the", line, crawlers),
  anyway: "crawlers fetch robots.txt itself anyway",
};

/** What a row of the grid cannot show in its cells. "" if there is nothing to say. */
export function rowRemark(row: readonly Answer[], words: typeof toolWords = toolWords, shown = (text: string): string => text): string {
  const [first] = row;
  const without = row.find(({ reason }) => reason === "no-file");
  const facts: string[] = [];
  if (first?.governed_by !== undefined) {
    const unknown = row.some(({ verdict, unread }) => verdict === "unknown" && !unread);
    facts.push((unknown ? words.otherSite : words.elsewhere)(shown(first.governed_by)));
  } else if (without?.fetch_reason) {
    facts.push(words.noFile(shown(without.robots_url ?? ""), words === toolWords ? without.fetch_reason : reasonOf(without)));
  }
  // Groups that are for other crawlers too, because no rule separates their lines.
  const joined = grouped(row, ({ joined_line: line }) => line ?? 0, ({ agent }) => shown(agent));
  facts.push(...[...joined].filter(([line]) => line > 0).sort(([a], [b]) => a - b).map(([line, agents]) => words.joined(line, agents)));
  if (row.some((answer) => answer.fetched_anyway)) {
    facts.push(words.anyway);
  }
  return facts.join("; ");
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

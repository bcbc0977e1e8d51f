// The files of a web page, with the verdicts about them.

import { grouped } from "./grouped";
import type { Answer } from "./wire";

/** A file that a web page loads. */
export interface Resource {
  url: string;
  kind: string;
}

/** What crawlers may do with a file. */
export interface ResourceVerdicts {
  resource: Resource;
  allowed: Answer[];
  disallowed: Answer[];
  /** Nothing is known: there is no answer, or a site did not answer. */
  unknown: boolean;
  /** The answers are from a robots.txt that was fetched. */
  fetched: boolean;
}

/** Separates the files of the page's own origin from those of others. */
export function splitByOrigin(resources: readonly Resource[], page: string): { own: Resource[]; foreign: Resource[] } {
  const origin = originOf(page);
  const own: Resource[] = [];
  const foreign: Resource[] = [];
  for (const resource of resources) {
    (origin !== undefined && originOf(resource.url) === origin ? own : foreign).push(resource);
  }
  return { own, foreign };
}

export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Returns the files with their answers, blocked ones first, then unknown ones. */
export function byResource(resources: readonly Resource[], answers: readonly Answer[]): ResourceVerdicts[] {
  const byURL = grouped(answers, ({ url }) => url);
  const rows = resources.map((resource): ResourceVerdicts => {
    const list = byURL.get(resource.url) ?? [];
    const of = (verdict: Answer["verdict"]): Answer[] => list.filter((answer) => answer.verdict === verdict);
    const disallowed = of("disallowed");
    return {
      resource,
      allowed: of("allowed"),
      disallowed,
      unknown: disallowed.length === 0 && (list.length === 0 || of("unknown").length > 0),
      fetched: list.some((answer) => answer.robots_url !== undefined),
    };
  });
  const rank = (row: ResourceVerdicts): number => (row.disallowed.length > 0 ? 0 : row.unknown ? 1 : 2);
  return rows.sort((a, b) => rank(a) - rank(b));
}

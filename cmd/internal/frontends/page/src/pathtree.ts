// The paths of the answers as a tree, with the number of answers of each verdict.

import type { Answer, Verdict } from "./wire";

/** A folder or a URL, with what is below it. */
export interface PathNode {
  /** What the URL has beyond that of the parent: "/blog/", "page.html?a=b". */
  name: string;
  /** The URL up to here, as it is compared. */
  prefix: string;
  /** The number of answers of each verdict, here and below. */
  counts: Record<Verdict, number>;
  /** The answers about exactly this URL. */
  answers: Answer[];
  children: PathNode[];
}

/** The verdict of all answers of a node, "mixed" if they differ. */
export type TreeVerdict = Verdict | "mixed";

/** Folders deeper than this are shown as one. */
const maxLevels = 24;

/** Returns the sites of the answers, each a tree, in the order of the answers. */
export function pathTree(answers: readonly Answer[]): PathNode[] {
  const root = folder("", "");
  const index = new Map<PathNode, Map<string, PathNode>>();
  for (const answer of answers) {
    let node = root;
    let prefix = "";
    count(node, answer);
    for (const name of stepsOf(answer.compared_url ?? answer.url)) {
      prefix += name;
      let children = index.get(node);
      if (children === undefined) index.set(node, (children = new Map()));
      let child = children.get(name);
      if (child === undefined) {
        child = folder(name, prefix);
        children.set(name, child);
        node.children.push(child);
      }
      node = child;
      count(node, answer);
    }
    node.answers.push(answer);
  }
  return root.children.map(joined);
}

/** Returns the verdict of a node. */
export function verdictOf(node: PathNode): TreeVerdict {
  const found = (["allowed", "disallowed", "unknown"] as const).filter((verdict) => node.counts[verdict] > 0);
  return found.length === 1 && found[0] !== undefined ? found[0] : "mixed";
}

function folder(name: string, prefix: string): PathNode {
  return { name, prefix, counts: { allowed: 0, disallowed: 0, unknown: 0 }, answers: [], children: [] };
}

function count(node: PathNode, answer: Answer): void {
  node.counts[answer.verdict]++;
}

/**
 * Splits a URL into its site, its folders, and the rest with the query. A path without
 * a host begins at the empty site.
 */
export function stepsOf(url: string): string[] {
  const site = /^[a-z][a-z0-9+.-]*:\/\/[^/?#;]*/i.exec(url)?.[0] ?? "";
  const steps = site === "" ? [] : [site];
  let rest = url.slice(site.length);
  const query = rest.search(/[?#]/);
  const tail = query < 0 ? "" : rest.slice(query);
  if (query >= 0) rest = rest.slice(0, query);
  let from = 0;
  for (let level = 0; level < maxLevels; level++) {
    const slash = rest.indexOf("/", from);
    if (slash < 0) break;
    steps.push(rest.slice(from, slash + 1));
    from = slash + 1;
  }
  const last = rest.slice(from) + tail;
  if (last !== "" || steps.length === 0) steps.push(last);
  return steps;
}

/** Returns a node in which each folder with a single child, and no answers, is one with its child. */
function joined(node: PathNode): PathNode {
  let merged = node;
  while (merged.answers.length === 0 && merged.children.length === 1 && merged.children[0] !== undefined) {
    const child: PathNode = merged.children[0];
    merged = { ...child, name: merged.name + child.name };
  }
  return { ...merged, children: merged.children.map(joined) };
}

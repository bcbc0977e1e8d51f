// What the robots.txt says to AI services and search engines: the view of "robots ai".

import { agentList } from "./agentlist";
import { controls } from "./aicontrols";
import { debounced } from "./debounce";
import { element, fromEngine, replaceChildren, visible, withError } from "./dom";
import { bodyOf } from "./encoding";
import { isOutdated } from "./engine";
import { grouped } from "./grouped";
import { intentions } from "./intentions";
import { lineButton } from "./linebutton";
import { messages } from "./messages";
import type { Mount } from "./mount";
import { thisURL } from "./permit";
import { chosen, type Store } from "./state";
import { clipped } from "./text";
import type { AIView } from "./wire";

const texts = messages.ai;

type Access = AIView["purposes"][number];

/** The places of crawlers in lists, by their names. */
type Ranks = ReadonlyMap<string, number>;

/** Fills the view. */
export const mount: Mount = (into, store, engine) => {
  const status = element("p", { role: "status" });
  const content = element("div", { class: "ai" });
  const part = (title: string, name: string, ...children: HTMLElement[]): HTMLElement => element("details", { name: "ai", class: "card", "data-part": name }, element("summary", {}, title), ...children);
  const access = part(texts.caption, "access", status, content);
  access.setAttribute("open", "");
  replaceChildren(into, access, part(messages.intentions.heading, "generate", intentions(store, engine)), part(messages.permit.heading, "letter", thisURL(store, engine)));
  let shown = "";
  let ranks: Ranks | null = null;

  const show = async (): Promise<void> => {
    const { text, lineEnd, encoding, dialect, view } = store.state;
    const key = dialect + encoding + lineEnd + text;
    if (view !== "ai" || key === shown) {
      return;
    }
    content.setAttribute("aria-busy", "true");
    try {
      const result = await engine.call("ai", { ...bodyOf(store.state), ...chosen(dialect) }, { replaces: "ai" });
      ranks ??= new Map((await engine.call("crawlers", {})).crawlers.map(({ token, rank }) => [token, rank]));
      shown = key;
      status.textContent = "";
      replaceChildren(content, accessList(result.purposes, store, ranks), controlsOf(result.purposes, store), statements(result, store));
    } catch (error) {
      if (isOutdated(error)) {
        return;
      }
      replaceChildren(status, ...withError(texts.failed, error));
      replaceChildren(content);
    }
    content.removeAttribute("aria-busy");
  };
  const later = debounced(300, () => void show());
  store.subscribe(["text", "lineEnd", "encoding", "dialect"], later);
  store.subscribe(["view"], () => void show());
  void show();
};

/** The rows with equal access, whatever their purposes. */
export function blocksOf(rows: readonly Access[]): Access[][] {
  return [...grouped(rows, ({ access, except, otherwise, preferences, matched_by, unread }) => JSON.stringify([access, except, otherwise, preferences, matched_by, unread])).values()];
}

/** One list: what may be fetched, and below it by whom, for each purpose. */
function accessList(rows: readonly Access[], store: Store, ranks: Ranks): HTMLElement {
  return element(
    "section",
    { "aria-label": texts.caption },
    element("ul", { class: "ai-blocks" }, ...blocksOf(rows).map((block) => blockOf(block, store, ranks))),
  );
}

function blockOf(block: readonly Access[], store: Store, ranks: Ranks): HTMLElement {
  const [first] = block as [Access];
  const by = first.unread ? texts.unread : texts.matchedBy[first.matched_by];
  // A crawler that the operator does not commit to the file is named here: it may come anyway.
  const disobey = [...new Set(block.flatMap((row) => row.disobey))];
  return element(
    "li",
    { class: "card" },
    element("p", { class: `access ${first.otherwise}` }, ...accessOf(first, store), element("span", { class: "help" }, ` · ${by}`)),
    first.preferences.length > 0 && element("p", {}, `${texts.states}: `, element("code", {}, first.preferences.map(visible).join(", "))),
    element("dl", {}, ...[...byPurpose(block, ranks)].flatMap(([purpose, agents]) => [element("dt", {}, purpose), element("dd", {}, crawlersOf(agents))])),
    readingsOf(block),
    disobey.length > 0 && element("div", { class: "disobey" }, crawlersOf(disobey, `${texts.disobey} `, 4)),
  );
}

function purposeOf(row: Access): string {
  return texts.purposes[row.purpose as keyof typeof texts.purposes] ?? visible(row.purpose);
}

/** The crawlers of a block by purpose. Those of several groups can have the same access: people look for the first by rank. */
export function byPurpose(block: readonly Access[], ranks: Ranks): Map<string, string[]> {
  const crawlers = new Map<string, string[]>();
  for (const row of block) {
    const purpose = purposeOf(row);
    const agents = [...(crawlers.get(purpose) ?? []), ...row.agents];
    crawlers.set(purpose, agents.sort((a, b) => (ranks.get(a) ?? Infinity) - (ranks.get(b) ?? Infinity) || a.localeCompare(b, "en")));
  }
  return crawlers;
}

/** In which dialects the crawlers of a block read the file, if they do not all read it alike. */
function readingsOf(block: readonly Access[]): HTMLElement | null {
  const readings = new Map<string, Set<string>>();
  for (const row of block) {
    row.agents.forEach((agent, i) => {
      const dialect = row.dialects[i];
      if (dialect) {
        readings.set(dialect, (readings.get(dialect) ?? new Set()).add(agent));
      }
    });
  }
  if (readings.size < 2 && block[0]?.access !== "depends") {
    return null;
  }
  const parts = [...readings].map(([dialect, agents]) => texts.readings(messages.dialects[dialect as keyof typeof messages.dialects] ?? dialect, agentList([...agents], 4)));
  return element("p", { class: "help" }, parts.join(" · "));
}

/** What controls the AI answers of search engines, with the access by this file. */
function controlsOf(rows: readonly Access[], store: Store): HTMLElement {
  const items = controls.map(({ token, about, quote, url }) => {
    const row = rows.find(({ agents }) => agents.some((agent) => agent.toLowerCase() === token.toLowerCase()));
    return element(
      "li",
      {},
      texts.controls[about],
      ...(row ? [" ", ...accessOf(row, store), "."] : []),
      element("blockquote", { lang: "en" }, `“${quote}” `, element("a", { href: url, rel: "noreferrer", target: "_blank" }, new URL(url).host)),
    );
  });
  return element("details", {}, element("summary", {}, texts.controlsHeading), element("ul", {}, ...items));
}

/** How many exceptions of a row are shown. */
const maxExceptions = 20;

/** The access of the paths that no exception matches. */
function extentOf(access: Access): Exclude<Access["access"], "partly"> {
  return access.access !== "partly" ? access.access : access.otherwise === "allowed" ? "open" : "closed";
}

function accessOf(access: Access, store: Store): (Node | string)[] {
  const parts: (Node | string)[] = [element("strong", { class: extentOf(access) }, texts.accesses[extentOf(access)])];
  if (access.except.length > 0) {
    parts.push(" ", texts.except, " ");
    access.except.slice(0, maxExceptions).forEach((exception, i) => {
      const pattern = clipped(visible(exception.pattern), 100);
      parts.push(i > 0 ? ", " : "", lineButton(exception.line, exception.part ? texts.inPart(pattern) : pattern, store));
    });
    if (access.except.length > maxExceptions) {
      parts.push(" ", texts.more(access.except.length - maxExceptions));
    }
  }
  return parts;
}

/** A list of crawlers after a lead. A long one shows the first of them. */
function crawlersOf(agents: readonly string[], lead = "", shown = 10): HTMLElement {
  if (agents.length <= 8) {
    return element("span", {}, lead, agentList(agents, 8));
  }
  return element("details", {}, element("summary", {}, lead, agentList(agents, shown)), agentList(agents, agents.length));
}

function statements(view: AIView, store: Store): HTMLElement {
  const lines: HTMLElement[] = [];
  for (const preference of view.preferences) {
    const text = (preference.granted ? texts.grants : texts.refuses)(preference.use, preference.path === "" ? "" : clipped(visible(preference.path), 200), agentList(preference.agents, 4, preference.more_agents), preference.key);
    lines.push(element("li", {}, lineButton(preference.line, messages.why.line(preference.line), store), ": ", text));
  }
  for (const license of view.licenses) {
    lines.push(element("li", {}, lineButton(license.line, messages.why.line(license.line), store), ": ", texts.license(clipped(visible(license.value), 300), license.outside ? "" : agentList(license.agents, 4, license.more_agents))));
  }
  for (const problem of view.problems) {
    lines.push(element("li", { class: "problem" }, lineButton(problem.line, messages.why.line(problem.line), store), ": ", fromEngine(`${problem.code} ${clipped(problem.message, 500)}`)));
  }
  if (lines.length === 0) {
    return element("p", {}, texts.noStatements);
  }
  return element("div", {}, element("h3", {}, texts.statements), element("ul", {}, ...lines));
}

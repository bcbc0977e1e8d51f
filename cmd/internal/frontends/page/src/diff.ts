// What the edit changes: the file in the editor compared with the one before. The
// engine proves the changes for all URLs; what it cannot decide is shown as undecided.

import { agentList } from "./agentlist";
import { changedURLs } from "./answers";
import { compareButton } from "./compare";
import { debounced } from "./debounce";
import { baseOf } from "./documents";
import { element, replaceChildren, visible, withEngine, withError } from "./dom";
import { bodyOf, sameContents } from "./encoding";
import { isOutdated } from "./engine";
import { writtenIn } from "./language";
import { lineButton } from "./linebutton";
import { messages } from "./messages";
import type { Mount } from "./mount";
import { comparedSite } from "./sites";
import { checkableOf } from "./remarks";
import { chosen, contentsOf, type State } from "./state";
import { clipped } from "./text";
import type { Comparison, PathChange } from "./wire";

const texts = messages.diff;

/** How many changes, and how many values and URLs, are shown of a list. */
const mostChanges = 1000;
const most = 50;

/** Longer paths cannot be checked: no server accepts them. */
const longestURL = 16_000;

/** Fills the view, and says in state.edit what the sentence below the editor is. */
export const mount: Mount = (into, store, engine) => {
  const summary = element("p", { class: "diff-summary" });
  const tools = element("p", { class: "toolbar" });
  const only = element("input", { type: "checkbox", id: "diff-only", onchange: () => compare() });
  const details = element("div", { class: "diff-details" });
  replaceChildren(into, summary, tools, details);

  const against = compareButton(store, engine);
  const restore = element("button", { type: "button", onclick: () => undoAll() }, texts.restore);
  const undoAll = (): void => {
    const edited = contentsOf(store.state);
    const notice = { text: messages.documents.editsUndone, action: messages.documents.undo, run: () => store.update(edited) };
    store.update({ ...contentsOf(baseOf(store.state)), merging: false, notice });
  };
  const merge = element("button", { type: "button", onclick: () => store.update({ merging: !store.state.merging }) });
  const narrow = element("label", {}, only, " ", texts.only);
  replaceChildren(tools, against, merge, restore, narrow);
  const showTools = (state: State): void => {
    merge.textContent = state.merging ? texts.endMerge : texts.merge;
    merge.setAttribute("aria-pressed", String(state.merging));
    const differs = !sameContents(baseOf(state), state);
    restore.hidden = !differs || state.before?.other === true;
    merge.hidden = !differs && !state.merging;
    narrow.hidden = !differs || state.agents.length + state.purposes.length === 0;
  };

  const compare = async (): Promise<void> => {
    const { state } = store;
    const { text, agents, purposes, dialect } = state;
    const [before, site] = [baseOf(state), comparedSite(state)];
    if (sameContents(before, state)) {
      replaceChildren(summary, state.before ? texts.same(clipped(visible(before.name), 80)) : texts.nothing);
      store.update({ edit: null });
      replaceChildren(details);
      details.removeAttribute("aria-busy");
      return;
    }
    details.setAttribute("aria-busy", "true");
    try {
      const { urls } = await checkableOf(state.urls, engine);
      if (store.state.urls !== state.urls) {
        return; // another comparison follows
      }
      const result = await engine.call(
        "diff",
        { ...bodyOf(before, "before"), ...bodyOf(state, "after"), ...(only.checked && !narrow.hidden ? { agents, purposes } : {}), urls, ...(site === undefined ? {} : { site }), ...chosen(dialect), lang: writtenIn() },
        { replaces: "changes" },
      );
      if (!sameContents(store.state, state) || store.state.before !== state.before || store.state.document !== state.document) {
        return; // another comparison follows
      }
      const said = summaryOf(result);
      replaceChildren(summary, ...withEngine(before.other ? texts.compared(clipped(visible(before.name), 80), said) : said, result.tried ?? ""));
      store.update({ edit: { summary: said, changes: result.changes.length || valuesOf(result).length } });
      replaceChildren(details, ...detailsOf(result, before.text, text, urls.length));
    } catch (error) {
      if (isOutdated(error)) {
        return; // a newer comparison is under way
      }
      replaceChildren(summary, ...withError(texts.failed, error));
      store.update({ edit: null });
      replaceChildren(details);
    }
    details.removeAttribute("aria-busy");
  };

  const flipped = element("span");
  let shown: Comparison | null = null;
  const showFlips = (): void => {
    if (shown) {
      const { urls, other_urls: others = 0, site_known: known } = shown;
      const compared = known ? urls - others : urls;
      const counts = compared > 0 && texts.flips(new Set(shown.flips.map(({ url }) => url)).size, compared, changedURLs(store.state));
      flipped.textContent = [counts, others > 0 && (known ? texts.notCompared : texts.ofOthers)(others)].filter(Boolean).join(" ");
    }
  };

  const detailsOf = (result: Comparison, before: string, after: string, urls: number): HTMLElement[] => {
    const parts: HTMLElement[] = doubtsOf(result).map((doubt) => element("p", { class: "diff-undecided" }, ...withEngine(doubt, result.tried ?? "")));
    if (result.changes.length > 0) {
      parts.push(changesList(result.changes, urls > 0, before.split("\n"), after.split("\n")));
    }
    if (urls > 0) {
      shown = result;
      showFlips();
      parts.push(flipsOf(result, flipped));
    }
    if (result.other.length > 0) {
      parts.push(otherOf(result));
    }
    return parts;
  };

  const changesList = (changes: readonly PathChange[], counted: boolean, before: readonly string[], after: readonly string[]): HTMLElement => {
    const rows = changes.slice(0, mostChanges).map((change) =>
      element(
        "li",
        { class: `diff-${change.effect}`, "data-change": true },
        element(
          "p",
          {},
          effectMark(change.effect),
          texts.forExample,
          witness({ ...change, witness: ownWitness(store.state, change) }),
          ` ${texts.forWhom(agentList(change.agents, 4))}`,
          counted && change.urls ? element("span", { class: "number" }, ` · ${texts.urls(change.urls)}`) : null,
        ),
        element("p", { class: "rules" }, ruleAt(before, change.old_line), " → ", change.new_line > 0 ? revealing(change.new_line, ruleAt(after, change.new_line)) : texts.noRule),
      ),
    );
    return element(
      "section",
      { "aria-label": texts.changes },
      element("h3", {}, texts.caption(changes.length)),
      element("ul", { class: "diff-changes" }, ...rows),
      changes.length > mostChanges && element("p", {}, texts.more(changes.length - mostChanges)),
    );
  };

  /** A button that adds the witness to the checked URLs and explains it. */
  const witness = (change: PathChange): HTMLElement | string => {
    const shown = clipped(visible(change.witness), 120);
    if (change.witness.length > longestURL) {
      return shown;
    }
    const explain = (): void => {
      const { urls } = store.state;
      const agent = change.agents[0] ?? "*";
      store.update({ urls: urls.includes(change.witness) ? urls : [...urls, change.witness], selected: { agent, url: change.witness }, view: "grid" });
    };
    return element("button", { type: "button", class: "link", title: texts.explain, onclick: explain }, shown);
  };

  const revealing = (line: number, text: string): HTMLElement =>
    lineButton(line, text, store);

  const later = debounced(250, () => void compare());
  const compared = ["text", "lineEnd", "encoding", "before", "document", "source", "agents", "purposes", "urls", "dialect"] as const;
  store.subscribe([...compared, "merging"], showTools);
  store.subscribe(compared, later);
  store.subscribe(["answers", "answersBefore"], showFlips);
  showTools(store.state);
  void compare();
};

/** Returns the URL of the list whose path is the witness of a change, or else that path. */
function ownWitness(state: State, { witness }: PathChange): string {
  const site = comparedSite(state);
  const isOwn = (url: string): boolean => {
    if (!url.endsWith(witness) || !URL.canParse(url)) {
      return false;
    }
    const { origin, pathname, search } = new URL(url);
    return pathname + search === witness && (site === undefined || origin === site);
  };
  return state.urls.includes(witness) ? witness : (state.urls.find(isOwn) ?? witness);
}

/** Returns the result in sentences. */
export function summaryOf(result: Comparison): string {
  if (result.equal) {
    return result.other.length > 0 ? texts.equalButOther : texts.equal;
  }
  const undecided = result.undecided_agents.length;
  return [...(result.sentences ?? []).map(visible), ...(undecided > 0 ? [texts.undecided(undecided)] : [])].join("\n") || texts.incomplete(result.tried ?? "");
}

/** What is not known: for which crawlers, and whether all changes were found. */
export function doubtsOf(result: Comparison): string[] {
  const { unread_agents: unread = [], tried = "" } = result;
  const undecided = result.undecided_agents.filter((agent) => !unread.includes(agent));
  const doubts = unread.length > 0 ? [texts.unread(agentList(unread, 8))] : [];
  if (undecided.length > 0) {
    doubts.push(texts.undecidedFor(agentList(undecided, 8), tried));
  } else if (!result.complete && unread.length === 0) {
    doubts.push(texts.incomplete(tried));
  }
  return doubts;
}

function effectMark(effect: PathChange["effect"]): HTMLElement {
  return element("span", { class: `effect ${effect}` }, texts.effects[effect]);
}

function ruleAt(lines: readonly string[], line: number): string {
  return line === 0 ? texts.noRule : texts.line(line, clipped(visible((lines[line - 1] ?? "").trim()), 100));
}

function flipsOf(result: Comparison, summary: HTMLElement): HTMLElement {
  if (result.flips.length === 0) {
    return element("p", {}, summary);
  }
  return element(
    "details",
    {},
    element("summary", {}, summary),
    element(
      "ul",
      {},
      ...result.flips.slice(0, most).map((flip) => element("li", {}, effectMark(flip.effect), " ", element("code", {}, clipped(visible(flip.url), 200)), " ", texts.forWhom(agentList(flip.agents, 4)))),
      result.flips.length > most && element("li", {}, texts.more(result.flips.length - most)),
    ),
  );
}

/** Returns the lines that differ and change no verdict, without and with which the file was. */
function valuesOf(result: Comparison): string[] {
  return result.other.flatMap((other) => {
    const what = visible(other.kind) + (other.agents.length > 0 ? " " + texts.forWhom(agentList(other.agents, 4)) : "");
    return [
      ...other.old.map((value) => texts.removed(what, clipped(visible(value), 200))),
      ...other.new.map((value) => texts.added(what, clipped(visible(value), 200))),
    ];
  });
}

function otherOf(result: Comparison): HTMLElement {
  const values = valuesOf(result);
  return element(
    "details",
    { open: true },
    element("summary", {}, texts.other(values.length)),
    element("ul", {}, ...values.slice(0, most).map((value) => element("li", {}, value)), values.length > most && element("li", {}, texts.more(values.length - most))),
  );
}

// Which files of a web page crawlers may fetch: its styles, scripts and images. The
// robots.txt in the editor decides for the page's own origin only. For other origins
// the service fetches theirs; without it nothing is known about them.

import { agentList } from "./agentlist";
import { debounced } from "./debounce";
import { element, replaceChildren, visible, withError } from "./dom";
import { bodyOf } from "./encoding";
import { type Engine, isOutdated } from "./engine";
import { grouped } from "./grouped";
import { lineButton } from "./linebutton";
import { messages } from "./messages";
import type { Mount } from "./mount";
import { siteOf } from "./sites";
import { byResource, originOf, type Resource, type ResourceVerdicts, splitByOrigin } from "./resourcelist";
import { chosen, type State, type Store } from "./state";
import { clipped } from "./text";
import { withScheme } from "./urlsource";
import type { Answer, Calls, Verdict } from "./wire";

const texts = messages.resources;

/** How many files are shown. */
const most = 500;

/** Fills the view. */
export const mount: Mount = (into, store, engine) => {
  const url = element("input", { id: "resources-url", type: "url", inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "https://shop.example/" });
  const html = element("textarea", { id: "resources-html", rows: 6, spellcheck: "false", autocomplete: "off" });
  const onlyBlocked = element("input", { type: "checkbox", id: "resources-blocked", onchange: () => draw() });
  const status = element("p", { role: "status" });
  const content = element("div", { class: "resources" });
  const form = element(
    "form",
    {
      novalidate: true, // a host without a scheme will do
      onsubmit: () => void find(),
    },
    element("p", {}, element("label", { for: "resources-url" }, texts.url), " ", url),
    element("p", {}, element("label", { for: "resources-html" }, engine.live ? texts.htmlOrFetch : texts.html), html),
    element("p", { class: "toolbar" }, element("button", {}, texts.find), element("label", {}, onlyBlocked, " ", texts.onlyBlocked)),
  );
  replaceChildren(into, element("p", {}, texts.intro), form, status, content);

  let page = "";
  let found: readonly Resource[] = [];
  let answers: { own: readonly Answer[]; foreign: readonly Answer[] } = { own: [], foreign: [] };

  const failed = (error: unknown): void => {
    if (!isOutdated(error)) {
      replaceChildren(status, ...withError(texts.failed, error));
    }
  };

  const find = async (): Promise<void> => {
    replaceChildren(content);
    found = [];
    const missing = url.value.trim() === "" ? url : html.value.trim() === "" && !engine.live ? html : null;
    if (missing) {
      status.textContent = missing === url ? texts.needsURL : texts.needsHTML;
      missing.focus();
      return;
    }
    status.textContent = texts.searching;
    try {
      const pasted = html.value.trim() === "" && engine.live ? {} : { html: html.value };
      const result = await engine.call("resources", { url: withScheme(url.value), ...pasted }, { replaces: "resources", live: !("html" in pasted) });
      // A pasted page is where its reader says; a fetched one may have been redirected.
      page = "html" in pasted ? withScheme(url.value) : result.url;
      found = result.resources;
      await check(true);
    } catch (error) {
      failed(error);
    }
  };

  const check = async (foreignToo: boolean): Promise<void> => {
    if (found.length === 0) {
      status.textContent = page === "" ? "" : texts.none;
      return;
    }
    const { own, foreign } = splitByOrigin(found, siteOf(store.state) ?? page);
    try {
      const ownAnswers = await checked(engine, store.state, own, true);
      answers = { own: ownAnswers, foreign: foreignToo ? [] : answers.foreign };
      draw();
      if (foreignToo && engine.live && foreign.length > 0) {
        answers = { own: ownAnswers, foreign: await checked(engine, store.state, foreign, false) };
        draw();
      }
    } catch (error) {
      failed(error);
    }
  };

  const draw = (): void => {
    if (found.length === 0) {
      return;
    }
    const site = siteOf(store.state) ?? page;
    const { own, foreign } = splitByOrigin(found, site);
    const rows = { own: byResource(own, answers.own), foreign: byResource(foreign, answers.foreign) };
    const blocked = [...rows.own, ...rows.foreign].filter((row) => row.disallowed.length > 0).length;
    status.textContent = texts.summary(found.length, blocked, rows.foreign.filter((row) => row.unknown).length);
    const shown = (list: readonly ResourceVerdicts[]): readonly ResourceVerdicts[] => (onlyBlocked.checked ? list.filter((row) => row.disallowed.length > 0) : list);
    replaceChildren(
      content,
      table(texts.own(visible(originOf(site) ?? site)), shown(rows.own), store),
      foreign.length > 0 && table(engine.live ? texts.foreignFetched : texts.foreign, shown(rows.foreign), store),
    );
  };

  const later = debounced(200, () => {
    if (store.state.view === "resources") {
      void check(false);
    }
  });
  store.subscribe(["text", "lineEnd", "encoding", "source", "view"], later);
  store.subscribe(["agents", "purposes", "dialect"], () => {
    if (store.state.view === "resources") {
      void check(true);
    }
  });
};

/** Returns the answers about files, from the robots.txt of the state or from those of their sites. */
async function checked(engine: Engine, state: State, resources: readonly Resource[], here: boolean): Promise<readonly Answer[]> {
  if (resources.length === 0) {
    return [];
  }
  const { agents, purposes, dialect } = state;
  const request = { agents, purposes, urls: resources.map((resource) => resource.url), ...chosen(dialect) };
  const result =
    here
      ? await engine.call("check", { ...request, ...bodyOf(state) }, { replaces: "resources-own" })
      : await engine.call("check", request as unknown as Calls["check"]["request"], { replaces: "resources-foreign", live: true });
  return result.answers;
}

function table(caption: string, rows: readonly ResourceVerdicts[], store: Store): HTMLElement {
  if (rows.length === 0) {
    return element("p", {}, caption + " ", texts.noRows);
  }
  const names = [texts.kind, texts.file, texts.verdict];
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows.slice(0, most).map((row) => rowOf(row, store))),
    ),
    rows.length > most && element("p", {}, texts.more(rows.length - most)),
  );
}

function rowOf(row: ResourceVerdicts, store: Store): HTMLElement {
  return element(
    "tr",
    {},
    element("td", { "data-label": texts.kind }, texts.kinds[row.resource.kind as keyof typeof texts.kinds] ?? visible(row.resource.kind)),
    element("th", { scope: "row", "data-label": texts.file }, element("code", {}, clipped(visible(row.resource.url), 200))),
    element("td", { "data-label": texts.verdict }, ...verdictOf(row, store)),
  );
}

function verdictOf(row: ResourceVerdicts, store: Store): (Node | string | false)[] {
  const mark = (verdict: Verdict): HTMLElement => element("span", { class: `verdict ${verdict}` }, messages.verdicts[verdict]);
  if (row.unknown) {
    return [mark("unknown"), " ", texts.unknown(visible(originOf(row.resource.url) ?? row.resource.url))];
  }
  if (row.disallowed.length === 0) {
    return [mark("allowed"), " ", texts.forAll(row.allowed.length)];
  }
  return [
    mark("disallowed"),
    " ",
    ...[...grouped(row.disallowed, ({ line }) => line, ({ agent }) => agent)].flatMap(([line, agents], i) => [
      i > 0 && "; ",
      texts.forCrawlers(agentList(agents, 6)),
      !row.fetched && line > 0 && " ",
      !row.fetched && line > 0 && lineButton(line, messages.why.line(line), store),
    ]),
  ];
}

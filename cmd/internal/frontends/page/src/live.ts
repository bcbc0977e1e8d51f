// Fetching the live file of a host, and what the fetch showed: status, redirects,
// freshness, headers.

import { failureOf } from "./answers";
import { masked } from "./credentials";
import { closeButton, element, fromEngine, replaceChildren, visible, wordButton } from "./dom";
import { type Engine, EngineError, isOutdated } from "./engine";
import { openDocument, siteName } from "./documents";
import { bytesOfResult, decode, sameContents } from "./encoding";
import { messages } from "./messages";
import { reasonOf, timeOf } from "./reasons";
import { type Before, blank, type Missed, type State, type Store } from "./state";
import { clipped } from "./text";
import { withSource } from "./sites";
import { Stop } from "./stop";
import { ofFetch, withScheme } from "./urlsource";
import type { Site } from "./wire";

/** The field for a host, in the header. Without a service, a sentence says what to do instead. */
export function mountLive(into: HTMLElement, store: Store, engine: Engine): void {
  if (!engine.live) {
    into.append(element("p", { class: "help" }, messages.live.cannotFetch));
    return;
  }
  const host = element("input", {
    id: "host",
    type: "text",
    inputmode: "url",
    autocapitalize: "off",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: messages.shell.hostPlaceholder,
    required: true,
  });
  // Only a service that wants a token shows the field, after the first refusal.
  const token = element("input", { id: "token", type: "password", autocomplete: "off", "aria-label": messages.live.token, placeholder: messages.live.token });
  const tokenField = element("span", { class: "token", hidden: true }, token);
  const button = element("button", { class: "primary" }, messages.shell.fetch);
  const form = element(
    "form",
    {
      role: "search",
      onsubmit: () => void load(),
    },
    element("label", { for: "host" }, messages.shell.host),
    host,
    tokenField,
    button,
  );
  const stop = new Stop(engine, { stopped: () => store.update({ status: messages.stop.kept }), back: () => host, busy: form });
  form.append(stop.button);
  const load = async (): Promise<void> => {
    const url = host.value.trim();
    if (url === "") {
      return;
    }
    engine.useToken(token.value);
    store.update({ missed: null, status: messages.live.fetching(visible(masked(url))) });
    try {
      const result = await stop.call("fetch", { url });
      const { site } = result;
      const name = site.robots_url;
      if (site.outcome === "rules") {
        const contents = decode(bytesOfResult(result));
        const source = { ...contents, name, site };
        await openDocument(store, siteName(site.origin) || name, { ...contents, before: source, source, status: "", sites: withSource(store.state, site.origin), ...ofFetch(url, store.state) });
      } else {
        // The verdicts of an empty text are not those of a site without a file.
        const overHTTP = (): void => {
          host.value = `http://${url}`;
          void load();
        };
        const noScheme = site.status === 0 && withScheme(url) !== url && !["DNS", "refused address"].includes(site.fault ?? "");
        store.update({ missed: { name, site, ...(noScheme ? { overHTTP } : {}) }, status: "" });
      }
    } catch (error) {
      if (error instanceof EngineError && error.code === "token") {
        tokenField.hidden = false;
        token.focus();
        store.update({ status: messages.live.wantsToken });
      } else if (!isOutdated(error)) {
        const { message, hint } = failureOf(error);
        const problem = `${message} ${hint}`.trim();
        store.update({ missed: { name: masked(url), problem }, status: "" });
      }
    }
  };
  into.append(form);
}

/** The results of the fetches of the files in the editor and before, above the editor. */
export function mountSite(into: HTMLElement, store: Store): void {
  const show = (): void => {
    const { before, source, document: { name, named } } = store.state;
    const files = new Set([source, before].filter((file) => file !== null));
    into.hidden = files.size === 0 && !named;
    replaceChildren(
      into,
      named && !source && element("div", { class: "source" }, nameRow([ownName(name)])),
      ...[...files].map((file) => fileSource(file, store)),
    );
    document.title = `${visible(name)} · ${messages.shell.title}`;
  };
  const mark = (state: State): void => void into.classList.toggle("changed", state.source !== null && !sameContents(state.source, state));
  store.subscribe(["before", "source", "document"], show);
  store.subscribe(["text", "lineEnd", "encoding", "source"], mark);
  show();
  mark(store.state);
}

/** Says above the answer what a fetch without a file showed, and that the verdicts are not about its site. */
export function mountAbout(into: HTMLElement, store: Store): void {
  const show = (): void => {
    const { missed } = store.state;
    replaceChildren(into, missed && missedSource(missed, store));
  };
  store.subscribe(["missed"], show);
  show();
}

function missedSource(missed: Missed, store: Store): HTMLElement {
  const { site, name, problem } = missed;
  const close = closeButton(() => store.update({ missed: null }));
  if (!site) {
    return element("div", { class: "source" }, nameRow([fileName(name)]), close, element("p", { class: "warning" }, fromEngine(problem ?? ""), " ", messages.live.notAbout(visible(name))));
  }
  const source = { ...blank, name, site };
  const start = (): void => void openDocument(store, siteName(name) || name, { ...blank, before: source, source });
  return element(
    "div",
    { class: "source missed" },
    details(site, []),
    close,
    element(
      "p",
      { class: "warning" },
      ...(warningOf(site) ?? []),
      ` ${messages.live.notAbout(visible(name))} `,
      meaningOf(site) === "allow-all" && element("button", { type: "button", onclick: start }, messages.live.startEmpty),
      missed.overHTTP && element("button", { type: "button", onclick: missed.overHTTP }, messages.live.overHTTP),
    ),
  );
}

function fileSource(file: Before, store: Store): HTMLElement {
  const { site } = file;
  const { before, source, document } = store.state;
  const warning = site && warningOf(site);
  const label = file === source ? messages.live.inEditor : messages.live.comparedWith;
  const head = [
    ...(before === null || before !== source ? [element("span", { class: "label" }, label, " ")] : []),
    ...(file === source && document.named ? [ownName(document.name)] : []),
  ];
  const forget = (): void => {
    const text = (file === source ? messages.live.forgotten : messages.live.notCompared)(clipped(visible(file.name), 80));
    const notice = { text, action: messages.documents.undo, run: () => store.update({ before, source }) };
    store.update({ ...(file === before ? { before: null } : {}), ...(file === source ? { source: null } : {}), notice });
  };
  const close = file === source ? wordButton(messages.live.forget, messages.live.forgetHelp, forget) : wordButton(messages.live.endComparison, "", forget);
  return element("div", { class: "source" }, site ? details(site, head) : nameRow([...head, fileName(file.name)]), close, warning && element("p", { class: "warning" }, ...warning));
}

function nameRow(parts: readonly HTMLElement[]): HTMLElement {
  return element("div", { class: "site" }, ...parts);
}

function fileName(name: string): HTMLElement {
  return element("span", { class: "name" }, element("bdi", {}, visible(name)));
}

/** The name that the user gave a document. */
function ownName(name: string): HTMLElement {
  return element("strong", {}, element("bdi", {}, visible(name)));
}

/** Returns what a fetch showed; head is before it in the line that is always shown. */
function details(site: Site, head: readonly HTMLElement[]): HTMLElement {
  return element(
    "details",
    { class: "site" },
    element(
      "summary",
      {},
      ...head,
      status(site),
      fileName(site.final_url || site.robots_url),
      element("span", { class: "facts" }, element("strong", { class: "edited" }, messages.live.edited, " "), factsOf(site)),
    ),
    table(site),
  );
}

function status(site: Site): HTMLElement {
  const kind = site.status >= 200 && site.status < 300 ? "ok" : site.status >= 500 || site.status === 0 ? "bad" : "warn";
  return element("span", { class: `status ${kind}` }, site.status || messages.live.noAnswer);
}

function factsOf(site: Site): string {
  const facts = site.status > 0 ? [messages.live.bytes(site.bytes)] : []; // without an answer there are none
  const hops = site.hops?.length ?? 0;
  if (hops > 0) {
    facts.push(messages.live.hops(hops));
  }
  if (site.fresh_until) {
    facts.push(messages.live.fresh(timeOf(site.fresh_until)));
  }
  return facts.join(" · ");
}

/** Says when the text is not what decides at the site. */
function warningOf(site: Site): (Node | string)[] | null {
  if (site.outcome === "rules") {
    return site.truncated ? [messages.live.truncated] : null;
  }
  const meaning = meaningOf(site);
  return [meaning === "rules" || meaning === "local" ? "" : `${messages.live.outcomes[meaning]}: `, reasonOf(site), "."];
}

/** Returns what applies to a site. As in the answers of the service, a site that gave no answer has no verdicts. */
function meaningOf(site: Site): Site["outcome"] | "unknown" {
  return site.source !== "assumed" || site.fault === "status" ? site.outcome : "unknown";
}

function table(site: Site): HTMLElement {
  const rows: [string, string, language?: "en"][] = []; // the engine writes English
  (site.hops ?? []).forEach((hop) => rows.push([messages.live.redirect(hop.status), hop.url]));
  rows.push([messages.live.answeredBy, site.final_url || site.robots_url]);
  rows.push([messages.live.meaning, reasonOf(site)]);
  rows.push([messages.live.fetchedAt, `${timeOf(site.fetched_at)} (${messages.live.sources[site.source]})`]);
  if (site.fresh_until) {
    rows.push([messages.live.freshUntil, timeOf(site.fresh_until)]);
  }
  if (site.error) {
    rows.push([messages.live.error, site.error, "en"]);
  }
  (site.headers ?? []).forEach((header) => rows.push([header.name, header.value]));
  return element(
    "table",
    { class: "facts", "aria-label": messages.live.label },
    element("tbody", {}, ...rows.map(([name, value, lang]) => element("tr", {}, element("th", { scope: "row" }, visible(name)), element("td", {}, element("bdi", { lang }, visible(value)))))),
  );
}

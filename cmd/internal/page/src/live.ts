// Fetching the live file of a host, and what the fetch showed: status, redirects,
// freshness, headers.

import { failureOf } from "./answers";
import { element, replaceChildren, visible } from "./dom";
import { type Engine, EngineError, isOutdated } from "./engine";
import { readLines } from "./files";
import { messages } from "./messages";
import type { Before, Missed, Store } from "./state";
import type { Site } from "./wire";

/** The field for a host, in the header. Without a service there is none. */
export function mountLive(into: HTMLElement, store: Store, engine: Engine): void {
  if (!engine.live) {
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
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void load();
      },
    },
    element("label", { for: "host" }, messages.shell.host),
    host,
    tokenField,
    button,
  );
  const load = async (): Promise<void> => {
    const url = host.value.trim();
    if (url === "") {
      return;
    }
    engine.useToken(token.value);
    form.setAttribute("aria-busy", "true");
    store.update({ missed: null, status: messages.live.fetching(visible(url)) });
    try {
      const { site, body } = await engine.call("fetch", { url }, { replaces: "fetch" });
      const name = site.robots_url;
      const status = messages.live.fetched(visible(name), site.status);
      if (site.outcome === "rules") {
        const { text, lineEnd } = readLines(body);
        store.update({ text, lineEnd, before: { text, name, site }, selected: null, status });
      } else {
        // The verdicts of an empty text are not those of a site without a file.
        store.update({ missed: { name, site }, status: `${status}. ${messages.live.kept}` });
      }
    } catch (error) {
      if (error instanceof EngineError && error.code === "token") {
        tokenField.hidden = false;
        token.focus();
        store.update({ status: messages.live.wantsToken });
      } else if (!isOutdated(error)) {
        const { message, hint } = failureOf(error);
        const problem = `${message} ${hint}`.trim();
        store.update({ missed: { name: url, problem }, status: problem });
      }
    } finally {
      form.removeAttribute("aria-busy");
    }
  };
  into.append(form);
}

/** The results of the fetches above the editor: of the one without a file, and of that of the file. */
export function mountSite(into: HTMLElement, store: Store): void {
  const show = (): void => {
    const { before, missed } = store.state;
    into.hidden = before === null && missed === null;
    replaceChildren(into, missed && missedSource(missed, store), before && beforeSource(before, store));
  };
  store.subscribe(["before", "missed"], show);
  show();
}

/** Says above the verdicts that they are not about the site of a fetch without a file. */
export function mountAbout(into: HTMLElement, store: Store): void {
  const show = (): void => {
    const { missed } = store.state;
    into.hidden = missed === null;
    replaceChildren(into, missed && messages.live.notAbout(visible(missed.name)));
  };
  store.subscribe(["missed"], show);
  show();
}

function missedSource(missed: Missed, store: Store): HTMLElement {
  const { site, name, problem } = missed;
  const close = closeButton(messages.live.dismiss, () => store.update({ missed: null }));
  if (!site) {
    return element("div", { class: "source" }, named(name), close, element("p", { class: "warning" }, visible(problem ?? "")));
  }
  const empty = (): void => store.update({ text: "", before: { text: "", name, site }, missed: null, selected: null });
  return element(
    "div",
    { class: "source missed" },
    details(site),
    close,
    element(
      "p",
      { class: "warning" },
      `${warningOf(site)} ${messages.live.kept} `,
      meaningOf(site) === "allow-all" && element("button", { type: "button", onclick: empty }, messages.live.startEmpty),
    ),
  );
}

function beforeSource(before: Before, store: Store): HTMLElement {
  const { site } = before;
  const warning = site && warningOf(site);
  const close = closeButton(messages.live.forget, () => store.update({ before: null }));
  return element("div", { class: "source" }, site ? details(site) : named(before.name), close, warning && element("p", { class: "warning" }, warning));
}

function closeButton(label: string, onclick: () => void): HTMLElement {
  return element("button", { type: "button", class: "quiet", onclick, "aria-label": label, title: label }, "×");
}

function named(name: string): HTMLElement {
  return element("div", { class: "site" }, element("span", { class: "name" }, element("bdi", {}, visible(name))));
}

function details(site: Site): HTMLElement {
  return element(
    "details",
    { class: "site" },
    element(
      "summary",
      {},
      status(site),
      element("span", { class: "name" }, element("bdi", {}, visible(site.final_url || site.robots_url))),
      element("span", { class: "facts" }, factsOf(site)),
    ),
    table(site),
  );
}

function status(site: Site): HTMLElement {
  const kind = site.status >= 200 && site.status < 300 ? "ok" : site.status >= 500 || site.status === 0 ? "bad" : "warn";
  return element("span", { class: `status ${kind}` }, site.status || messages.live.noAnswer);
}

function factsOf(site: Site): string {
  const facts = [messages.live.bytes(site.bytes)];
  const hops = site.hops?.length ?? 0;
  if (hops > 0) {
    facts.push(messages.live.hops(hops));
  }
  if (site.fresh_until) {
    facts.push(messages.live.fresh(time(site.fresh_until)));
  }
  return facts.join(" · ");
}

/** Says when the text is not what decides at the site. */
function warningOf(site: Site): string {
  if (site.outcome === "rules") {
    return site.truncated ? messages.live.truncated : "";
  }
  return messages.live.outcome(meaningOf(site), visible(site.fetch_reason));
}

/** Returns what applies to a site. As in the answers of the service, a site that gave no answer has no verdicts. */
function meaningOf(site: Site): Site["outcome"] | "unknown" {
  return site.source !== "assumed" || site.fault === "status" ? site.outcome : "unknown";
}

function table(site: Site): HTMLElement {
  const rows: [string, string][] = [];
  (site.hops ?? []).forEach((hop) => rows.push([messages.live.redirect(hop.status), hop.url]));
  rows.push([messages.live.answeredBy, site.final_url || site.robots_url]);
  rows.push([messages.live.meaning, site.fetch_reason]);
  rows.push([messages.live.fetchedAt, `${time(site.fetched_at)} (${site.source})`]);
  if (site.fresh_until) {
    rows.push([messages.live.freshUntil, time(site.fresh_until)]);
  }
  if (site.error) {
    rows.push([messages.live.error, site.error]);
  }
  (site.headers ?? []).forEach((header) => rows.push([header.name, header.value]));
  return element(
    "table",
    { class: "facts", "aria-label": messages.live.label },
    element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, visible(name)), element("td", {}, element("bdi", {}, visible(value)))))),
  );
}

function time(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? visible(text) : at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}

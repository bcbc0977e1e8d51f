// Further sources of URLs: files and pasted lists in all formats of the tool, and
// sitemaps that the service fetches. The engine reads the lists.

import { element, replaceChildren, visible, withEngine, withError } from "./dom";
import { toBase64 } from "./bytes";
import { isOutdated } from "./engine";
import { messages } from "./messages";
import type { Mount } from "./mount";
import { siteOf } from "./sites";
import { Stop } from "./stop";
import { clipped } from "./text";
import { addURLs, ownOf, withScheme } from "./urlsource";
import type { URLList } from "./wire";

const texts = messages.urls;

/** The size of the largest file that is read, in bytes. */
const largest = 32 << 20;

/** How many lines without a URL are listed. */
const maxProblems = 8;

/** Fills the panel below the field of URLs. */
export const mount: Mount = (into, store, engine) => {
  const status = element("p", { role: "status" });
  const problems = element("ul", { class: "problems" });
  const pasted = element("textarea", { id: "urls-pasted", rows: 5, spellcheck: "false", autocomplete: "off" });
  const column = element("input", { id: "urls-column", type: "text", autocomplete: "off", spellcheck: "false", size: 12 });
  const file = element("input", { id: "urls-file", type: "file", accept: ".csv,.tsv,.txt,.xml,.gz,.log,text/*,application/xml,application/gzip" });
  const sitemap = element("input", { id: "urls-sitemap", type: "url", inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "https://shop.example/sitemap.xml" });

  const say = (...text: (Node | string)[]): void => {
    replaceChildren(status, ...text);
    replaceChildren(problems);
  };
  const failed = (error: unknown): void => {
    if (!isOutdated(error)) {
      say(...withError(texts.failed, error));
    }
  };
  const stop = new Stop(engine, { stopped: () => say(messages.stop.stopped), back: () => sitemap });

  const add = (list: URLList): void => {
    const { urls, added, repeated, dropped } = addURLs(ownOf(store.state.urls), list.urls);
    store.update({ urls });
    const format = visible(list.read_as ?? "");
    say(texts.added(added, repeated, dropped, list.truncated), ...(format === "" ? [] : [" ", ...withEngine(texts.readAs(format), format)]));
    const wrong = list.problems ?? [];
    replaceChildren(
      problems,
      ...wrong.slice(0, maxProblems).map(({ line, problem }) => {
        const said = clipped(visible(problem), 200);
        return element("li", {}, ...withEngine(texts.problem(line, said), said));
      }),
      wrong.length > maxProblems && element("li", {}, texts.moreProblems(wrong.length - maxProblems)),
    );
  };
  const site = (): { site?: string } => {
    const origin = siteOf(store.state);
    return origin === undefined ? {} : { site: origin };
  };
  const chosenColumn = (): { column?: string } => (column.value.trim() === "" ? {} : { column: column.value.trim() });

  const readPasted = async (): Promise<void> => {
    if (pasted.value.trim() === "") {
      say(texts.nothingPasted);
      return;
    }
    try {
      add(await engine.call("urls", { text: pasted.value, ...chosenColumn() }));
      pasted.value = "";
    } catch (error) {
      failed(error);
    }
  };
  const readFile = async (): Promise<void> => {
    const chosen = file.files?.[0];
    if (!chosen) {
      return;
    }
    if (chosen.size > largest) {
      say(texts.tooLarge(largest >> 20));
      return;
    }
    try {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      const isLog = /\.log(\.gz)?$/i.test(chosen.name);
      add(await engine.call("urls", { text_base64: toBase64(bytes), name: chosen.name, ...chosenColumn(), ...(isLog ? site() : {}) }));
      file.value = "";
    } catch (error) {
      failed(error);
    }
  };
  const fetchSitemap = async (): Promise<void> => {
    if (sitemap.value.trim() === "") {
      sitemap.focus();
      return;
    }
    say(texts.fetching);
    try {
      add(await stop.call("sitemap", { url: withScheme(sitemap.value, siteOf(store.state)) }));
    } catch (error) {
      failed(error);
    }
  };

  replaceChildren(
    into,
    element(
      "details",
      {},
      element("summary", {}, engine.live ? texts.headingLive : texts.heading),
      engine.live &&
        element(
          "form",
          {
            novalidate: true, // a host without a scheme will do
            onsubmit: () => void fetchSitemap(),
          },
          element("label", { for: "urls-sitemap" }, texts.sitemap), " ", sitemap, " ", element("button", {}, texts.fetchSitemap), " ", stop.button,
        ),
      element("p", {}, element("label", { for: "urls-file" }, texts.file), " ", file),
      element("label", { for: "urls-pasted" }, texts.pasted),
      pasted,
      element("p", { class: "toolbar" }, element("label", { for: "urls-column" }, texts.column), " ", column, " ", element("button", { type: "button", onclick: () => void readPasted() }, texts.add)),
    ),
    status,
    problems,
  );
  file.addEventListener("change", () => void readFile());
};

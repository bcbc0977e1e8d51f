// "Compare with": what the text in the editor is compared with.

import { failureOf } from "./answers";
import { Documents, labelOf, patience, within } from "./documents";
import { element, fromEngine, replaceChildren, visible } from "./dom";
import { bytesOfResult, decode } from "./encoding";
import { type Engine, isOutdated } from "./engine";
import { largestFile } from "./files";
import { messages } from "./messages";
import { type Before, contentsOf, type Store } from "./state";
import { Stop } from "./stop";

const texts = messages.compare;

/** Returns the button that opens the choice. */
export function compareButton(store: Store, engine: Engine): HTMLElement {
  const documents = new Documents();
  const status = element("p", { role: "status" });
  const list = element("ul", { class: "documents" });
  const older = element("div", {}, element("h3", {}, texts.documents), list);
  const url = element("input", { id: "compare-url", type: "text", inputmode: "url", autocapitalize: "off", autocomplete: "off", spellcheck: "false", placeholder: messages.shell.hostPlaceholder, required: true });
  const file = element("input", { id: "compare-file", type: "file", accept: ".txt,text/plain", onchange: () => void withFile() });

  const stop = new Stop(engine, { stopped: () => (status.textContent = messages.stop.stopped), back: () => url });

  const choose = (before: Before): void => {
    dialog.close();
    store.update({ before });
  };
  const withSite = async (): Promise<void> => {
    status.textContent = messages.live.fetching(visible(url.value));
    try {
      const result = await stop.call("fetch", { url: url.value.trim() }, "compare-fetch");
      const { site } = result;
      if (site.outcome === "rules") {
        choose({ ...decode(bytesOfResult(result)), name: site.robots_url, site, other: true });
      } else {
        status.textContent = `${messages.live.fetched(visible(site.robots_url), site.status)}. ${texts.noFile}`;
      }
    } catch (error) {
      if (!isOutdated(error)) {
        const { message, hint } = failureOf(error);
        replaceChildren(status, fromEngine(`${message} ${hint}`.trim()));
      }
    }
  };
  const withFile = async (): Promise<void> => {
    const chosen = file.files?.[0];
    if (!chosen) {
      return;
    }
    if (chosen.size > largestFile) {
      status.textContent = messages.files.tooLarge;
    } else {
      choose({ ...decode(new Uint8Array(await chosen.arrayBuffer())), name: chosen.name, other: true });
    }
    file.value = "";
  };
  const withDocument = async (id: string): Promise<void> => {
    const kept = await documents.read(id).catch(() => undefined);
    if (kept) {
      choose({ ...contentsOf(kept), name: kept.document.name, other: true });
    } else {
      status.textContent = texts.gone;
    }
  };
  const fill = async (): Promise<void> => {
    const entries = (await documents.list().catch(() => [])).filter(({ id, unreadable }) => id !== store.state.document.id && !unreadable);
    older.hidden = entries.length === 0;
    replaceChildren(
      list,
      ...entries.map((entry) =>
        element(
          "li",
          {},
          element("button", { type: "button", class: "link", onclick: () => void withDocument(entry.id) }, element("bdi", {}, visible(labelOf(entry)))),
          element("span", { class: "help" }, messages.documents.facts(false, entry.edited, entry.lines, new Date(entry.changed))),
        ),
      ),
    );
  };
  const site = element(
    "form",
    { onsubmit: () => void withSite() },
    element("label", { for: "compare-url" }, texts.site),
    " ",
    url,
    " ",
    element("button", {}, messages.shell.fetch),
    " ",
    stop.button,
  );
  const dialog = element(
    "dialog",
    { "aria-labelledby": "compare-heading", class: "share-dialog compare", onclose: () => stop.end() },
    element("h2", { id: "compare-heading" }, texts.heading),
    element("p", { class: "help" }, texts.help),
    element("p", {}, element("button", { type: "button", onclick: () => choose({ ...contentsOf(store.state), name: messages.diff.kept(new Date()) }) }, texts.asNow)),
    engine.live && site,
    element("p", {}, element("label", { for: "compare-file" }, texts.file), " ", file),
    older,
    status,
    element("p", { class: "toolbar" }, element("button", { type: "button", onclick: () => dialog.close() }, messages.share.close)),
  );
  document.body.append(dialog);
  const show = async (): Promise<void> => {
    status.textContent = "";
    await within(patience, fill());
    dialog.showModal();
  };
  return element("button", { type: "button", "aria-haspopup": "dialog", onclick: () => void show() }, texts.button);
}

// The foot of the page: the version, where answers come from, and whether the page works
// without a network.

import { element, replaceChildren } from "./dom";
import type { Engine } from "./engine";
import { languages } from "./language";
import { messages } from "./messages";

export function mountFoot(into: HTMLElement, engine: Engine, names: { build: string; version: string; licences: string | undefined }): void {
  const state = element("span", { id: "engine-state" });
  const offline = element("span", { id: "offline-state" });
  into.append(
    element("span", { id: "version" }, messages.shell.version(names.version, names.build)),
    state,
    offline,
    document.documentElement.lang === "en" ? "" : element("span", {}, messages.shell.engineEnglish),
    element("a", { href: names.licences === undefined ? "LICENSES.txt" : URL.createObjectURL(new Blob([names.licences], { type: "text/plain" })), class: "quiet", target: "_blank" }, messages.shell.licences),
    element("nav", { class: "languages", "aria-label": messages.shell.languages }, ...Object.entries(languages).map(([tag, { name }]) => link(tag, name))),
  );
  let kept = false; // by the service worker
  const show = (): void => {
    replaceChildren(offline, kept && engine.ready && messages.shell.offline);
    const text = engine.ready ? messages.shell.engineReady : engine.failed ? messages.shell.engineFailed : engine.live ? messages.shell.engineLoading : messages.shell.engineStarting;
    replaceChildren(state, text);
    state.dataset["state"] = engine.ready ? "ready" : engine.failed ? "failed" : "loading";
  };
  show();
  engine.whenReady(show);
  engine.whenFailed(show);
  void navigator.serviceWorker?.ready.then(() => {
    kept = true;
    show();
  });
}

/** Returns a link to the page in another language. */
function link(tag: string, name: string): HTMLElement | null {
  const here = document.documentElement.lang === tag;
  return here ? null : element("a", { href: `?lang=${tag}`, lang: tag, hreflang: tag }, name);
}

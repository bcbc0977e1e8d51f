// "Stop": a button that ends calls of the service, which can take as long as a site does.

import { element } from "./dom";
import type { Engine } from "./engine";
import { messages } from "./messages";
import type { Calls } from "./wire";

interface Config {
  readonly stopped: () => void; // says that the user ended the calls
  readonly back: () => HTMLElement | null | undefined; // gets the focus that the button had
  readonly busy?: HTMLElement; // is marked as busy during calls
}

export class Stop {
  readonly button = element("button", { type: "button", hidden: true, onclick: () => (this.end(), this.config.stopped()) }, messages.stop.button);
  private readonly running: string[] = []; // the words of the calls, twice if one replaces another

  constructor(
    private readonly engine: Engine,
    private readonly config: Config,
  ) {}

  /** Makes a call, which replaces an earlier one with the same word. The button is shown until it ends. */
  async call<Name extends keyof Calls>(name: Name, request: Calls[Name]["request"], replaces: string = name): Promise<Calls[Name]["result"]> {
    this.running.push(replaces);
    this.show();
    try {
      return await this.engine.call(name, request, { replaces });
    } finally {
      this.running.splice(this.running.indexOf(replaces), 1);
      this.show();
    }
  }

  /** Ends the calls. */
  end(): void {
    this.running.forEach((word) => this.engine.cancel(word));
  }

  private show(): void {
    const { back, busy } = this.config;
    const idle = this.running.length === 0;
    if (idle && document.activeElement === this.button) {
      back()?.focus();
    }
    this.button.hidden = idle;
    if (idle) {
      busy?.removeAttribute("aria-busy");
    } else {
      busy?.setAttribute("aria-busy", "true");
    }
  }
}

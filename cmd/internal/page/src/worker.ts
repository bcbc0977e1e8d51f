// The worker of the engine: it loads the WebAssembly module and answers calls, one after
// the other. See engine.ts for the messages.

import type { FromWorker, ToWorker } from "./engine";

declare const self: DedicatedWorkerGlobalScope;

const send = (message: FromWorker): void => self.postMessage(message);

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  if (event.data.kind === "load") {
    send({ kind: "failed", message: "the module is not part of this build" });
  }
});

// The worker of the engine: it loads the WebAssembly module and answers calls, one after
// the other. See engine.ts for the messages. The host of the module is that of the
// package for JavaScript.

import { RobotsError } from "../../../../../npm/src/error.js";
import { Host } from "../../../../../npm/src/host.js";
import type { FromWorker, ModuleSource, ToWorker } from "./engine";
import { withoutField } from "./text";

declare const self: DedicatedWorkerGlobalScope;

let host: Host | undefined;

const send = (message: FromWorker): void => self.postMessage(message);

self.addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  switch (message.kind) {
    case "load":
      void load(message.from);
      break;
    case "call":
      send(answer(message.id, message.name, message.request));
  }
});

async function load(from: ModuleSource | WebAssembly.Module): Promise<void> {
  try {
    const module = from instanceof WebAssembly.Module ? from : await compile("url" in from ? await fetched(from.url) : unpacked(from.base64));
    host = await Host.start(module);
    send({ kind: "loaded", module });
  } catch (error) {
    send({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url}: status ${response.status}`);
  }
  return response;
}

function unpacked(base64: string): Response {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": "application/wasm" } });
}

function compile(response: Response): Promise<WebAssembly.Module> {
  // Some hosts of static files send another type, for which streaming is refused.
  if (response.headers.get("Content-Type") === "application/wasm") {
    return WebAssembly.compileStreaming(response);
  }
  return response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
}

function answer(id: number, name: string, request: unknown): FromWorker {
  if (!host) {
    return { kind: "error", id, code: "internal", message: "the module is not loaded", hint: "" };
  }
  try {
    return { kind: "result", id, text: host.callText(name, JSON.stringify(request)) };
  } catch (error) {
    if (error instanceof RobotsError) {
      return { kind: "error", id, code: error.code, message: withoutField(error.message, error.field), hint: error.hint };
    }
    return { kind: "error", id, code: "internal", message: String(error), hint: "" };
  }
}

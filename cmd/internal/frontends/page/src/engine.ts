// The engine answers questions about files: in a worker as soon as that has loaded the
// WebAssembly module, and by the service until then. The calls and their JSON are equal
// on both ways. In an exported folder there is no service, so calls wait for the worker.

import { hasCredentials, masked } from "./credentials";
import { withoutField } from "./text";
import type { Calls } from "./wire";

export interface CallOptions {
  /**
   * A call with the same word cancels an earlier one that is not answered yet: its
   * promise is rejected with an AbortError. Use one word for each thing that is shown.
   */
  readonly replaces?: string;
  /**
   * Slow calls (whole files compared, proofs) run in a worker of their own, so that
   * they never delay verdicts. Default: true for the names in slowCalls.
   */
  readonly slow?: boolean;
  /** The service answers, because this request needs the network. Default: true for the names in serviceCalls. */
  readonly live?: boolean;
}

export interface Engine {
  /**
   * Returns the result of a call. It is rejected with an EngineError if the engine or
   * the service cannot answer, and with an AbortError if a newer call replaced it.
   */
  call<Name extends keyof Calls>(
    name: Name,
    request: Calls[Name]["request"],
    options?: CallOptions,
  ): Promise<Calls[Name]["result"]>;
  /** Whether there is a service: without one, calls in serviceCalls fail. */
  readonly live: boolean;
  /** Sets the bearer token that the service wants. It is kept until the page is closed. */
  useToken(token: string): void;
  /** Ends the call with this word: its promise is rejected with an AbortError. */
  cancel(replaces: string): void;
  /** Starts the worker. The promise is fulfilled when it answers, or cannot be loaded. */
  load(): Promise<void>;
  /** Whether the worker answers. */
  readonly ready: boolean;
  /** Calls the listener when the worker answers, or at once if it does already. */
  whenReady(listener: () => void): void;
  /** Whether the worker could not be loaded. The service still answers, if there is one. */
  readonly failed: boolean;
  /** Calls the listener if the worker cannot be loaded. */
  whenFailed(listener: () => void): void;
}

/** EngineError is the error of a call, as the service and the module report it. */
export class EngineError extends Error {
  constructor(
    readonly code: string, // stable, for programs
    message: string,
    readonly hint = "", // what to do
  ) {
    super(message);
    this.name = "EngineError";
  }
}

/** Reports whether an error only says that a newer call replaced this one. */
export function isOutdated(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Calls that need the network. Only the service answers them. */
const serviceCalls: ReadonlySet<string> = new Set(["fetch", "permit", "sitemap"]);

function needsNetwork(name: string, options: CallOptions): boolean {
  return options.live ?? serviceCalls.has(name);
}

/** Calls that may take longer than a frame. */
const slowCalls: ReadonlySet<string> = new Set(["diff", "lint", "ai", "generate", "format", "permit", "resources"]);

interface Job {
  readonly id: number;
  readonly name: string;
  readonly request: unknown;
  readonly replaces: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly abort: AbortController;
}

/** Where the module is: in a file, or in the page, compressed with gzip. */
export type ModuleSource = { readonly url: string } | { readonly base64: string };

/** A message to the worker. */
export type ToWorker =
  | { kind: "load"; from: ModuleSource | WebAssembly.Module }
  | { kind: "call"; id: number; name: string; request: unknown };

/** A message from the worker. */
export type FromWorker =
  | { kind: "loaded"; module: WebAssembly.Module }
  | { kind: "failed"; message: string }
  | { kind: "result"; id: number; text: string } // in JSON: a string is copied faster than its objects
  | { kind: "error"; id: number; code: string; message: string; hint: string };

export interface EngineConfig {
  readonly live: boolean;
  readonly workerURL: string;
  readonly module: ModuleSource;
}

export function newEngine(config: EngineConfig): Engine {
  let number = 0;
  let token = "";
  let ready = false;
  let failure: EngineError | null = null;
  let readyListeners: (() => void)[] = [];
  const failListeners: (() => void)[] = [];
  let settled = (): void => undefined;
  const loaded = new Promise<void>((resolve) => (settled = resolve));
  const byWord = new Map<string, Job>();

  // Verdicts have a worker of their own, which compiles the module; the other one starts
  // from the compiled module and does what may take long.
  const fast = newLane(config, {
    loaded(module) {
      slow.start(module);
      ready = true;
      const listeners = readyListeners;
      readyListeners = [];
      listeners.forEach((listener) => listener());
      settled();
    },
    failed(message) {
      failure = new EngineError("worker", message);
      settled();
      fast.rejectAll(failure);
      slow.rejectAll(failure);
      failListeners.forEach((listener) => listener());
    },
  });
  const slow = newLane(config, {
    loaded: () => undefined,
    failed: (message) => slow.rejectAll(new EngineError("worker", message)),
  });

  const settle = (job: Job): void => {
    if (job.replaces !== undefined && byWord.get(job.replaces) === job) {
      byWord.delete(job.replaces);
    }
  };

  return {
    get live() {
      return config.live;
    },
    useToken(given) {
      token = given;
    },
    get ready() {
      return ready;
    },
    whenReady(listener) {
      if (ready) {
        listener();
      } else {
        readyListeners.push(listener);
      }
    },
    get failed() {
      return failure !== null;
    },
    whenFailed(listener) {
      failListeners.push(listener);
    },
    load() {
      fast.start();
      return loaded;
    },
    cancel(replaces) {
      const job = byWord.get(replaces);
      job?.abort.abort();
      job?.reject(new DOMException("stopped", "AbortError"));
    },
    call(name, request, options = {}) {
      return new Promise((resolve, reject) => {
        const job: Job = {
          id: ++number,
          name,
          request,
          replaces: options.replaces,
          resolve: (result) => (settle(job), resolve(result as never)),
          reject: (error) => (settle(job), reject(error)),
          abort: new AbortController(),
        };
        if (job.replaces !== undefined) {
          const earlier = byWord.get(job.replaces);
          byWord.set(job.replaces, job);
          if (earlier) {
            earlier.abort.abort();
            earlier.reject(new DOMException("replaced by a newer call", "AbortError"));
          }
        }
        const url = needsNetwork(name, options) && "url" in request ? request.url : "";
        if (hasCredentials(url)) {
          job.reject(new EngineError("credentials", `${masked(url)} has a user name or password, which this page sends nowhere`, `robots check --agent Googlebot ${masked(url)} takes them, with the password in place of ***; or open the robots.txt as a file`));
          return;
        }
        const lane = (options.slow ?? slowCalls.has(name)) ? slow : fast;
        const needsService = needsNetwork(name, options);
        if (needsService && !config.live) {
          job.reject(new EngineError("no-service", "This copy of the page has no service that could fetch it."));
        } else if (needsService || (config.live && !ready)) {
          void askService(job, token).catch((error: EngineError) => {
            if (needsService || failure) {
              job.reject(error);
            } else {
              // Without a network the page still has its worker.
              lane.add(job);
              fast.start();
            }
          });
        } else if (failure) {
          job.reject(failure);
        } else {
          lane.add(job);
        }
      });
    },
  };
}

/**
 * A lane is a worker with the jobs that wait for it. A job that a newer one may replace is
 * sent when the worker is free. Others, such as verdicts, are sent at once: the worker does
 * not wait until the page has time for the result before.
 */
interface Lane {
  start(module?: WebAssembly.Module): void;
  add(job: Job): void;
  rejectAll(error: EngineError): void;
}

interface LaneEvents {
  loaded(module: WebAssembly.Module): void;
  failed(message: string): void;
}

/** How long a job that nobody needs any more may run, in milliseconds. */
const patience = 300;

function newLane(config: EngineConfig, events: LaneEvents): Lane {
  let worker: Worker | null = null;
  let compiled: WebAssembly.Module | undefined;
  let up = false;
  let sent: Job[] = []; // the first one runs
  let waiting: Job[] = [];

  const post = (message: ToWorker): void => worker?.postMessage(message);

  const next = (): void => {
    if (!worker || !up) {
      return;
    }
    const jobs = waiting.filter((job) => !job.abort.signal.aborted);
    waiting = [];
    for (const job of jobs) {
      if (job.replaces !== undefined && sent.length > 0) {
        waiting.push(job);
        continue;
      }
      sent.push(job);
      post({ kind: "call", id: job.id, name: job.name, request: job.request });
      job.abort.signal.addEventListener("abort", () => setTimeout(() => giveUp(job), patience));
    }
  };

  /** A call in WebAssembly cannot be interrupted, so the worker ends with it. */
  const giveUp = (job: Job): void => {
    if (sent[0] === job && compiled) {
      worker?.terminate();
      worker = null;
      up = false;
      waiting = [...sent.slice(1), ...waiting];
      sent = [];
      lane.start(compiled);
    }
  };

  const receive = (message: FromWorker): void => {
    switch (message.kind) {
      case "loaded":
        up = true;
        compiled = message.module;
        events.loaded(message.module);
        break;
      case "failed":
        events.failed(message.message);
        return;
      case "result":
      case "error": {
        const job = sent.shift();
        if (job && job.id === message.id) {
          if (message.kind === "result") {
            job.resolve(JSON.parse(message.text));
          } else {
            job.reject(new EngineError(message.code, message.message, message.hint));
          }
        }
      }
    }
    next();
  };

  const lane: Lane = {
    start(module) {
      if (worker) {
        return;
      }
      const made = new Worker(config.workerURL);
      worker = made;
      made.addEventListener("message", (event: MessageEvent<FromWorker>) => made === worker && receive(event.data));
      made.addEventListener("error", (event) => made === worker && events.failed(event.message || "the worker could not be loaded"));
      post({ kind: "load", from: module ?? config.module });
    },
    add(job) {
      waiting.push(job);
      next();
    },
    rejectAll(error) {
      const jobs = [...sent, ...waiting];
      sent = [];
      waiting = [];
      jobs.forEach((job) => job.reject(error));
    },
  };
  return lane;
}

/** Statuses for faults of a request, which the worker would not answer either. */
const faults: ReadonlySet<number> = new Set([400, 404, 422]);

/**
 * Sends a job to the service: POST v1/NAME, relative to the page. Errors are RFC 9457.
 * The promise is rejected if the service is unreachable or does not serve this client
 * now; then the job is not settled.
 */
async function askService(job: Job, token: string): Promise<void> {
  try {
    const response = await fetch(`v1/${job.name}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(job.request),
      signal: job.abort.signal,
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    if (response.ok) {
      job.resolve(await response.json());
      return;
    }
    const error = await problem(response);
    if (faults.has(response.status)) {
      job.reject(error);
      return;
    }
    throw error;
  } catch (error) {
    if (isOutdated(error)) {
      job.reject(error);
    } else if (error instanceof EngineError) {
      throw error;
    } else {
      throw new EngineError("unreachable", "The service is unreachable.", "Is it still running?");
    }
  }
}

async function problem(response: Response): Promise<EngineError> {
  const wait = response.headers.get("Retry-After");
  const hint = wait ? `Try again in ${wait} s.` : "";
  try {
    const body = (await response.json()) as { code?: string; title?: string; detail?: string; hint?: string; field?: string };
    const detail = body.detail ?? "";
    const message = withoutField(detail, body.field ?? "") || body.title || `The service answered ${response.status}.`;
    return new EngineError(body.code ?? String(response.status), message, body.hint || hint);
  } catch {
    return new EngineError(String(response.status), `The service answered ${response.status}.`, hint);
  }
}

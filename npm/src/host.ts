// The host of a module: it writes requests into the memory of the module, calls it, and
// reads the results. docs: cmd/internal/wasm. Nothing here depends on how the module was
// loaded, so that Node, browsers and workers share it.

import { type ErrorCode, isBytes, mistyped, RobotsError } from "./error.js";
import { imports } from "./wasi.js";
import type { Decision, MatchedBy } from "./wire.js";

/** The functions that the module exports. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  input(size: number): number;
  output(): number;
  call(nameSize: number, requestSize: number): number;
  parse(size: number, dialect: number, limit: number): number;
  rules(file: number, size: number, flags: number): number;
  verdict(rules: number, size: number): number;
  verdicts(rules: number, size: number): number;
  explain(rules: number, size: number): number;
  crawl_delay(rules: number): number;
  matched_by(rules: number): number;
  summarize(file: number): number;
  release_file(file: number): void;
  release_rules(rules: number): void;
}

/** A function of the module that returns a size, a handle or a verdict, or an error below 0. */
type Operation = (exports: Exports) => number;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Link joins the imports of an instance with its memory, which exists only after it. */
class Link {
  #memory: WebAssembly.Memory | undefined;
  /** The beginning of what the module has written, which it does before it ends. */
  written = "";
  readonly imports = imports(
    () => this.#memory!.buffer,
    (text) => {
      this.written = (this.written + text).slice(0, 10_000);
    },
  );

  to(instance: WebAssembly.Instance): Exports {
    const exports = instance.exports as unknown as Exports;
    this.#memory = exports.memory;
    return exports;
  }
}

/** Inputs up to this size are written into a buffer that is kept. */
const keptInput = 1 << 16;

/**
 * Host runs a compiled module. An instance that has ended after a fatal error, such as
 * one of memory, is replaced by a new one for the next call.
 */
export class Host {
  #exports: Exports | undefined;
  #link: Link | undefined;
  #memory: Uint8Array = new Uint8Array();
  #at = 0; // where the input is
  #room = 0; // the size of the input buffer
  #turn = 0;

  private constructor(private readonly module: WebAssembly.Module) {}

  /** Starts an instance of a module. */
  static async start(module: WebAssembly.Module): Promise<Host> {
    const host = new Host(module);
    await host.#startLater();
    return host;
  }

  /** Throws an error if the instance with this turn has ended. */
  require(turn: number): void {
    if (turn !== this.#turn || this.#exports === undefined) {
      throw lost();
    }
  }

  /** Counts the instances. A handle is valid in one of them only. */
  get turn(): number {
    return this.#turn;
  }

  /** The size of the memory of the instance in bytes. */
  get memorySize(): number {
    return this.#exports?.memory.buffer.byteLength ?? 0;
  }

  /** Answers a request of the API: both are what JSON can represent. */
  call(name: string, request: unknown): unknown {
    return JSON.parse(this.callText(name, JSON.stringify(request) ?? "null"));
  }

  /** The same with the texts of the request and of the result. */
  callText(name: string, request: string): string {
    const nameSize = this.#write(name + request) && name.length;
    const size = this.#written - nameSize;
    return this.#text(this.#run((e) => e.call(nameSize, size)));
  }

  /** Parses a body. The result is a handle. */
  parse(body: string | Uint8Array, dialect: number, limit: number): number {
    this.#write(body, "body");
    return this.#run((e) => e.parse(this.#written, dialect, limit));
  }

  /** Selects the rules of a file for a crawler. The result is a handle. */
  rules(file: number, agent: string | Uint8Array, flags: number): number {
    this.#write(agent, "agent");
    return this.#run((e) => e.rules(file, this.#written, flags));
  }

  /** Returns twice the deciding line, and 1 more if the URL is allowed. */
  verdict(rules: number, url: string | Uint8Array): number {
    this.#write(url, "url");
    const exports = this.#exports;
    if (exports === undefined) {
      throw lost();
    }
    let verdict: number;
    try {
      verdict = exports.verdict(rules, this.#written);
    } catch (error) {
      throw this.#ended(error);
    }
    if (verdict < 0) {
      throw this.#failed(-verdict);
    }
    return verdict;
  }

  /** Returns a verdict with its reasons. */
  explain(rules: number, url: string | Uint8Array): Decision {
    this.#write(url, "url");
    return JSON.parse(this.#text(this.#run((e) => e.explain(rules, this.#written))));
  }

  /** Returns the verdicts of URLs that contain no line feed. */
  verdicts(rules: number, urls: readonly string[]): Int32Array {
    this.#write(urls.length === 0 ? "" : urls.join("\n") + "\n");
    const size = this.#run((e) => e.verdicts(rules, this.#written));
    if (size !== 4 * urls.length) {
      throw new RobotsError("internal", `there are ${size / 4} verdicts for ${urls.length} URLs`);
    }
    const result = new Int32Array(urls.length);
    const at = this.#output();
    new Uint8Array(result.buffer).set(this.#bytes().subarray(at, at + size));
    return result;
  }

  /** Returns the delay for a crawler in seconds, and a negative number if there is none. */
  crawlDelay(rules: number): number {
    return this.#run((e) => Math.max(e.crawl_delay(rules), -1), -1);
  }

  /** Returns how the groups of rules were selected. */
  matchedBy(rules: number): MatchedBy {
    return this.#text(this.#run((e) => e.matched_by(rules))) as MatchedBy;
  }

  /** Returns what a file says beside its groups. */
  summarize(file: number): { truncated: boolean; sitemaps: string[]; hosts: string[] } {
    return JSON.parse(this.#text(this.#run((e) => e.summarize(file))));
  }

  /** Frees a file of an instance. */
  releaseFile(file: number, turn: number): void {
    if (turn === this.#turn) {
      this.#exports?.release_file(file);
    }
  }

  /** Frees rules of an instance. */
  releaseRules(rules: number, turn: number): void {
    if (turn === this.#turn) {
      this.#exports?.release_rules(rules);
    }
  }

  /** Starts an instance at once, which browsers refuse for large modules outside of workers. */
  #start(): Exports {
    const link = new Link();
    try {
      return this.#use(link, new WebAssembly.Instance(this.module, link.imports));
    } catch (error) {
      void this.#startLater();
      throw new RobotsError("instance-lost", "the module's instance has ended and another is starting", "try again in a moment");
    }
  }

  async #startLater(): Promise<void> {
    const link = new Link();
    const instance = await WebAssembly.instantiate(this.module, link.imports);
    if (this.#exports === undefined) {
      this.#use(link, instance);
    }
  }

  #use(link: Link, instance: WebAssembly.Instance): Exports {
    const exports = link.to(instance);
    exports._initialize();
    this.#link = link;
    this.#at = this.#room = 0;
    this.#turn++;
    this.#exports = exports;
    return exports;
  }

  #written = 0; // the size of the last input

  /** Writes an input and returns its size. The field is for errors. */
  #write(text: string | Uint8Array, field = ""): number {
    if (typeof text !== "string" && !isBytes(text)) {
      throw mistyped(field, text);
    }
    const exports = this.#exports ?? this.#start();
    const needed = typeof text === "string" ? 3 * text.length : text.length;
    if (needed > this.#room || (this.#room > keptInput && needed <= keptInput)) {
      this.#reserve(exports, needed);
    }
    const memory = this.#bytes();
    if (typeof text !== "string") {
      memory.set(text, this.#at);
      return (this.#written = text.length);
    }
    // Most URLs are short and ASCII: copying them here takes less time than a call.
    if (text.length <= 128) {
      let i = 0;
      for (let at = this.#at; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 0x7f) {
          break;
        }
        memory[at + i] = unit;
      }
      if (i === text.length) {
        return (this.#written = i);
      }
    }
    return (this.#written = encoder.encodeInto(text, memory.subarray(this.#at, this.#at + this.#room)).written);
  }

  #reserve(exports: Exports, needed: number): void {
    this.#room = 0;
    const size = Math.max(needed, 4096);
    try {
      this.#at = exports.input(size) >>> 0;
    } catch (error) {
      throw this.#ended(error);
    }
    if (this.#at === 0) {
      throw new RobotsError("limit-exceeded", `an input of ${needed} bytes is larger than the module accepts`);
    }
    this.#room = size;
  }

  /** The memory as bytes; it may have been replaced by a larger one. */
  #bytes(): Uint8Array {
    const buffer = this.#exports?.memory.buffer;
    if (buffer === undefined) {
      throw lost();
    }
    if (this.#memory.buffer !== buffer) {
      this.#memory = new Uint8Array(buffer);
    }
    return this.#memory;
  }

  /** Runs a function of the module. */
  #run(operation: Operation, least = 0): number {
    const exports = this.#exports;
    if (exports === undefined) {
      throw lost();
    }
    let result: number;
    try {
      result = operation(exports);
    } catch (error) {
      throw this.#ended(error);
    }
    if (result < least) {
      throw this.#failed(-result);
    }
    return result;
  }

  #output(): number {
    return this.#run((e) => e.output() >>> 0);
  }

  #text(size: number): string {
    const at = this.#output();
    return decoder.decode(this.#bytes().subarray(at, at + size));
  }

  #failed(size: number): RobotsError {
    const e = JSON.parse(this.#text(size)) as { code: ErrorCode; message: string; hint?: string; field?: string };
    return new RobotsError(e.code, e.message, e.hint, e.field);
  }

  /** The instance cannot be used after an exception: the next call starts another one. */
  #ended(error: unknown): RobotsError {
    this.#exports = undefined;
    this.#memory = new Uint8Array();
    const written = this.#link?.written ?? "";
    const ended = /out of memory|cannot allocate/.test(written)
      ? new RobotsError("out-of-memory", "the module ran out of memory")
      : new RobotsError("internal", `the module has ended: ${written.split("\n", 1)[0] || error}`);
    ended.cause = error;
    return ended;
  }
}

function lost(): RobotsError {
  return new RobotsError("instance-lost", "the module's instance has ended", "parse the robots.txt again");
}

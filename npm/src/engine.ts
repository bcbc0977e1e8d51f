import { Host } from "./host.js";
import type { ParseOptions } from "./options.js";
import { Robots } from "./robots.js";
import type { Answers, CheckRequest, Comparison, DiffRequest, Explanation, FileOutline, OutlineRequest } from "./wire.js";

/**
 * An instance of the engine. Its methods answer at once and never use the network. In a
 * page, run it in a worker if files are large.
 */
export class Engine {
  /** @internal */
  protected readonly host: Host;

  /** @internal */
  protected constructor(host: Host) {
    this.host = host;
  }

  /** Starts an instance of a compiled module: engine.wasm or full.wasm of this package. */
  static async start(module: WebAssembly.Module): Promise<Engine> {
    return new Engine(await Host.start(module));
  }

  /**
   * Parses a robots.txt once, for many questions. There is no file that cannot be parsed:
   * as Google's parser does, it ignores lines that it cannot read.
   */
  parse(body: string | Uint8Array, options?: ParseOptions): Robots {
    return new Robots(this.host, body, options);
  }

  /** Answers whether crawlers may fetch URLs: by URL and then by crawler, as `robots check --json`. */
  check(request: CheckRequest): Answers {
    return this.call("check", request) as Answers;
  }

  /** Answers for one crawler and one URL, with the reasons, as `robots explain --json`. */
  explain(request: CheckRequest): Explanation {
    return this.call("explain", request) as Explanation;
  }

  /** Shows what an edit changes, proved for all URLs, as `robots diff --json`. */
  diff(request: DiffRequest): Comparison {
    return this.call("diff", request) as Comparison;
  }

  /** Returns a summary of a robots.txt. */
  outline(request: OutlineRequest): FileOutline {
    return this.call("outline", request) as FileOutline;
  }

  /** Answers a call of the API by its name. The request and the result are JSON. */
  call(name: string, request: object): unknown {
    return this.host.call(name, request);
  }

  /** The same with the texts of the request and of the result, for programs that pass them on. */
  callText(name: string, request: string): string {
    return this.host.callText(name, request);
  }

  /** The size of the memory in bytes, which never shrinks. */
  get memorySize(): number {
    return this.host.memorySize;
  }
}

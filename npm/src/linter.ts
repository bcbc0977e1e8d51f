import { Engine } from "./engine.js";
import { Host } from "./host.js";
import type {
  AIRequest,
  AIView,
  CrawlerList,
  CrawlersRequest,
  Findings,
  FormatRequest,
  Formatted,
  GenerateRequest,
  Generated,
  LintRequest,
  Permit,
  PermitRequest,
  Resources,
  ResourcesRequest,
} from "./wire.js";

/** An instance of the engine with the linter and the data of known crawlers. */
export class Linter extends Engine {
  /** Starts an instance of a compiled module: full.wasm of this package. */
  static override async start(module: WebAssembly.Module): Promise<Linter> {
    return new Linter(await Host.start(module));
  }

  /**
   * Finds the problems of a robots.txt, as `robots lint --json`. With `fix` it also makes
   * fixes: the result has the fixed file, and the findings that are left.
   */
  lint(request: LintRequest): Findings {
    return this.call("lint", request) as Findings;
  }

  /** Formats a robots.txt, if it is proved that no verdict changes. */
  format(request: FormatRequest): Formatted {
    return this.call("format", request) as Formatted;
  }

  /** Shows which AI crawlers may fetch the site, and what pages may be used for, as `robots ai --json`. */
  ai(request: AIRequest): AIView {
    return this.call("ai", request) as AIView;
  }

  /**
   * Shows what may be done with a URL, for each purpose, as `robots permit --json`: by the
   * robots.txt, and by the response, the signals of the page, tdmrep.json and licenses, if the
   * request has them. It fetches nothing; `missing` lists what the request does not have.
   */
  permit(request: PermitRequest): Permit {
    return this.call("permit", request) as Permit;
  }

  /** Writes what crawlers may do into a robots.txt, as `robots generate --json`. */
  generate(request: GenerateRequest): Generated {
    return this.call("generate", request) as Generated;
  }

  /** Returns data of known crawlers with their sources, as `robots crawlers --json`. */
  crawlers(request: CrawlersRequest = {}): CrawlerList {
    return this.call("crawlers", request) as CrawlerList;
  }

  /** Returns the files that a web page loads: styles, scripts, images and the like. */
  resources(request: ResourcesRequest): Resources {
    return this.call("resources", request) as Resources;
  }
}

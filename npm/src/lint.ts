/**
 * The linter: problems of a robots.txt with fixes, its layout, the AI view, and data of
 * known crawlers. It can do what the engine does, too, and is larger.
 *
 * ```js
 * import { load } from "@kosterhq/robotstxt/lint";
 *
 * const linter = await load();
 * linter.lint({ body: "User-agent: *\nDisalow: /cart", fix: "all" }).body;
 * ```
 *
 * @module
 */

import { compile } from "./source.js";
import { Linter } from "./linter.js";

export { Engine } from "./engine.js";
export { type ErrorCode, RobotsError } from "./error.js";
export { Linter } from "./linter.js";
export type { LineVerdict, ParseOptions, RulesOptions } from "./options.js";
export { Robots, Rules } from "./robots.js";
export type * from "./wire.js";

let shared: Promise<Linter> | undefined;

/**
 * Loads the linter. All callers share one instance. The promise is rejected if the module
 * cannot be read or compiled; the next call then tries again.
 */
export function load(): Promise<Linter> {
  shared ??= compile(new URL("./full.wasm", import.meta.url))
    .then((module) => Linter.start(module))
    .catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
  return shared;
}

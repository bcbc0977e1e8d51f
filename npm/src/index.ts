/**
 * The engine: whether crawlers may fetch URLs, which line decides and why, and what an
 * edit changes.
 *
 * ```js
 * import { load } from "@kosterhq/robotstxt";
 *
 * const engine = await load();
 * const rules = engine.parse("User-agent: *\nDisallow: /cart").rules("GPTBot");
 * rules.verdict("https://shop.example/cart"); // { allowed: false, line: 2 }
 * ```
 *
 * @module
 */

import { compile } from "./source.js";
import { Engine } from "./engine.js";

export { Engine } from "./engine.js";
export { type ErrorCode, RobotsError } from "./error.js";
export type { LineVerdict, ParseOptions, RulesOptions } from "./options.js";
export { Robots, Rules } from "./robots.js";
export type * from "./wire.js";

let shared: Promise<Engine> | undefined;

/**
 * Loads the engine. All callers share one instance. The promise is rejected if the module
 * cannot be read or compiled; the next call then tries again.
 */
export function load(): Promise<Engine> {
  shared ??= compile(new URL("./engine.wasm", import.meta.url))
    .then((module) => Engine.start(module))
    .catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
  return shared;
}

// The JSON of the engine and the service. The types are those of the package for
// JavaScript, which are generated from the structs in Go.

import type * as wire from "../../../../../npm/src/wire";

export type * from "../../../../../npm/src/wire";

export type KnownCrawler = wire.Crawler;
export type URLList = wire.URLs;

/** A request, whose lists may be those of the state. */
type Sent<Request> = {
  readonly [Field in keyof Request]: Request[Field] extends string[] | undefined ? readonly string[] : Request[Field];
};

/** The calls of the engine, by name: what goes in and what comes out. */
export interface Calls {
  check: { request: Sent<wire.CheckRequest>; result: wire.Answers };
  explain: { request: Sent<wire.CheckRequest>; result: wire.Explanation };
  diff: { request: Sent<wire.DiffRequest>; result: wire.Comparison };
  ai: { request: Sent<wire.AIRequest>; result: wire.AIView };
  generate: { request: Sent<wire.GenerateRequest>; result: wire.Generated };
  lint: { request: Sent<wire.LintRequest>; result: wire.Findings };
  format: { request: Sent<wire.FormatRequest>; result: wire.Formatted };
  diagnostics: { request: Sent<wire.TextRequest>; result: wire.Diagnostics };
  tokens: { request: Sent<wire.TokensRequest>; result: wire.Tokens };
  hover: { request: Sent<wire.PlaceRequest>; result: wire.Hover };
  complete: { request: Sent<wire.PlaceRequest>; result: wire.Completions };
  crawlers: { request: Sent<wire.CrawlersRequest>; result: wire.CrawlerList };
  urls: { request: Sent<wire.URLsRequest>; result: wire.URLs };
  remarks: { request: Sent<wire.RemarksRequest>; result: wire.Remarks };
  resources: { request: Sent<wire.ResourcesRequest>; result: wire.Resources };
  permit: { request: Sent<wire.PermitRequest>; result: wire.Permit }; // without a body only by the service
  // These need the network, so only the service answers them.
  fetch: { request: { readonly url: string }; result: wire.Fetched };
  sitemap: { request: { readonly url: string }; result: wire.URLs };
}

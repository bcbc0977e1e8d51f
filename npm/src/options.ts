// The options and results that the engine and the core share.

import type { Dialect } from "./wire.js";

/** How a robots.txt is parsed. */
export interface ParseOptions {
  /** How all crawlers read the file. Default: each in its own dialect. */
  dialect?: Dialect;
  /**
   * How many bytes of the file are read; the lines after it are ignored, as crawlers do.
   * Default: 512,000, which is 500 KiB. -1 reads all.
   */
  limit?: number;
}

/** How the rules of a crawler are selected. */
export interface RulesOptions {
  /**
   * Use a single token without the fallbacks that the operator of the crawler documents.
   * Default: false; `Googlebot-Image` then falls back to `Googlebot`, and groups for `*` do
   * not apply to `AdsBot-Google`.
   */
  exact?: boolean;
  /**
   * Compare URLs as they are, as a server logs them: `google` octet by octet, while `rfc9309` and `koster1996` still
   * take a percent code for its character. Default: false; they are first read as a
   * browser does: it writes the host in ASCII, blanks, quotes and characters outside ASCII as percent codes,
   * and here the hex digits of all codes become upper case.
   */
  asSent?: boolean;
}

/** A verdict about one URL. */
export interface LineVerdict {
  /** Whether the crawler may fetch the URL. */
  allowed: boolean;
  /** The deciding line of the robots.txt, from 1; 0 if no line decides. */
  line: number;
}

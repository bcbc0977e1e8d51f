// The panels of the page, see main.ts.

import { mount as ai } from "./ai";
import { mount as crawlers } from "./crawlers";
import { mount as changes } from "./diff";
import { mount as merge } from "./merge";
import type { Mount } from "./mount";
import { mount as resources } from "./resources";
import { mount as share } from "./share";
import { mount as urls } from "./urls";

/** Where a panel is: the element with the id "slot-" and this name in index.html. */
export type Slot =
  | "share" // header: buttons for links, copying, downloading
  | "crawlers" // above the answers: which crawlers are checked
  | "urls" // above the answers: which URLs are checked
  | "changes" // a view of its own: what the edit changes
  | "merge" // in place of the editor while state.merging
  | "ai" // a view of its own
  | "resources"; // a view of its own

/**
 * All panels. The panels of a view, and merge, are mounted when they are first shown, the
 * others when the page starts.
 */
export const panels: Readonly<Record<Slot, Mount>> = { ai, changes, crawlers, merge, resources, share, urls };

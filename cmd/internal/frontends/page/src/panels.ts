// The panels of the page, see main.ts.

import { mount as crawlers } from "./crawlers";
import { mount as changes } from "./diff";
import type { Mount } from "./mount";

/** Where a panel is: the element with the id "slot-" and this name in index.html. */
export type Slot =
  | "share" // header: buttons for links, copying, downloading
  | "crawlers" // above the answers: which crawlers are checked
  | "urls" // above the answers: which URLs are checked
  | "changes" // always visible: what the edit changes
  | "merge" // in place of the editor while state.merging
  | "tree" // a view of its own
  | "ai" // a view of its own
  | "resources"; // a view of its own

export interface Panel {
  readonly slot: Slot;
  /** Loads the panel. Use import() for a panel that most visitors never open. */
  readonly load: () => Mount | Promise<Mount>;
}

/**
 * All panels. The panels of a view, and merge, are loaded and mounted when they are
 * first shown, the others when the page starts.
 */
export const panels: readonly Panel[] = [
  { slot: "share", load: () => import("./share").then((panel) => panel.mount) },
  { slot: "crawlers", load: () => crawlers },
  { slot: "urls", load: () => import("./urls").then((panel) => panel.mount) },
  { slot: "changes", load: () => changes },
  { slot: "merge", load: () => import("./merge").then((panel) => panel.mount) },
  { slot: "tree", load: () => import("./tree").then((panel) => panel.mount) },
  { slot: "ai", load: () => import("./ai").then((panel) => panel.mount) },
  { slot: "resources", load: () => import("./resources").then((panel) => panel.mount) },
];

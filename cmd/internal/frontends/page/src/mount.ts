import type { Engine } from "./engine";
import type { Store } from "./state";

/**
 * Fills an empty element of the page with a panel. The panel lives as long as the page:
 * it reads store.state, subscribes to what it shows, and calls the engine.
 */
export type Mount = (into: HTMLElement, store: Store, engine: Engine) => void;

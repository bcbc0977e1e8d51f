import { visible } from "./dom";
import { messages } from "./messages";
import { clipped } from "./text";

const texts = messages.diff;

/** Returns crawlers as text: the first few, and how many there are beside them. */
export function agentList(agents: readonly string[], shown: number): string {
  const names = agents.slice(0, shown).map((agent) => (agent === "*" ? texts.others : clipped(visible(agent), 80)));
  return agents.length > shown ? texts.andMore(names, agents.length - shown) : texts.list(names);
}

import { visible } from "./dom";
import { messages } from "./messages";
import { clipped } from "./text";

const texts = messages.diff;

/** Returns crawlers as text: the first few, and how many there are beside them. more are missing in agents. */
export function agentList(agents: readonly string[], shown: number, more = 0): string {
  const names = agents.slice(0, shown).map((agent) => (agent === "*" ? texts.others : clipped(visible(agent), 80)));
  const rest = agents.length + more - names.length;
  return rest > 0 ? texts.andMore(names, rest) : texts.list(names);
}

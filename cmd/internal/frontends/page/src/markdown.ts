// The texts of the engine for editors are in a small part of Markdown: paragraphs,
// **bold**, `code` and <links>, with backslashes before other special characters.

import { element, visible } from "./dom";

/** Returns the paragraphs of a text as elements. */
export function markdown(text: string): HTMLElement {
  const root = element("div", { class: "markdown", lang: "en", dir: "ltr" });
  for (const paragraph of text.split(/\n{2,}/)) {
    root.append(element("p", {}, ...inline(paragraph)));
  }
  return root;
}

const part = /\\(.)|\*\*((?:\\.|[^*\\])+)\*\*|(`+)|<(https?:\/\/[^\s<>]+)>|\n/g;

/** Returns the index of the next run of so many backticks, -1 if there is none. */
function nextTicks(text: string, from: number, count: number): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    if (run[0].length === count) return run.index;
  }
  return -1;
}

function inline(text: string): Node[] {
  const nodes: Node[] = [];
  let plain = "";
  let from = 0;
  const flush = (): void => {
    if (plain !== "") {
      nodes.push(document.createTextNode(visible(plain)));
      plain = "";
    }
  };
  const next = new RegExp(part); // each call has a place of its own
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    plain += text.slice(from, match.index);
    from = match.index + match[0].length;
    const [, escaped, bold, ticks, link] = match;
    let code: string | undefined;
    if (ticks !== undefined) {
      const end = nextTicks(text, from, ticks.length);
      if (end < 0) {
        plain += ticks;
        continue;
      }
      code = text.slice(from, end);
      next.lastIndex = from = end + ticks.length;
    }
    if (escaped !== undefined) {
      plain += escaped;
      continue;
    }
    if (bold === undefined && code === undefined && link === undefined) {
      plain += " ";
      continue;
    }
    flush();
    if (bold !== undefined) {
      nodes.push(element("strong", {}, ...inline(bold)));
    } else if (code !== undefined) {
      nodes.push(element("code", {}, visible(code.replace(/^ (.*) $/s, "$1"))));
    } else if (link !== undefined) {
      nodes.push(element("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, visible(link)));
    }
  }
  plain += text.slice(from);
  flush();
  return nodes;
}

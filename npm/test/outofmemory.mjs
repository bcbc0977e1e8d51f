// Keeps files until the memory of the module is full, and prints what happens then.

import { load } from "@kosterhq/robotstxt";

const engine = await load();
const body = `User-agent: *\n${"Disallow: /a-long-pattern-that-needs-memory\n".repeat(100_000)}`;
const first = engine.parse("User-agent: *\nDisallow: /cart");
const rules = first.rules("Foo");
const kept = [];

function codeOf(call) {
  try {
    return call();
  } catch (error) {
    return error.code ?? error;
  }
}

let code;
for (let i = 0; i < 1000 && typeof code !== "string"; i++) {
  code = codeOf(() => kept.push(engine.parse(body, { limit: -1 })));
}
console.log(
  code,
  codeOf(() => rules.allowed("/cart")),
  codeOf(() => first.sitemaps),
  codeOf(() => engine.parse("User-agent: *\nDisallow: /cart").rules("Foo").allowed("/cart")),
);

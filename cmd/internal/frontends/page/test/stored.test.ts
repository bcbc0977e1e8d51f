import assert from "node:assert/strict";
import { test } from "node:test";

import { isEntry, isKept, isSession, storedName } from "../src/stored";

const contents = { text: "User-agent: *\n", lineEnd: "\n", encoding: "utf-8" };
const site = {
  schema: 1, robots_url: "https://shop.example/robots.txt", fetch_reason: "", status: 200, source: "network", fetched_at: "2026-01-01T00:00:00Z", policy: "google", outcome: "rules",
  origin: "https://shop.example", final_url: "https://shop.example/robots.txt", hops: [{ url: "https://shop.example/x", status: 301 }], bytes: 14, truncated: false, delimited: true,
  headers: [{ name: "Age", value: "1" }], fresh_until: "2026-01-02T00:00:00.5Z", age: 3,
};
const kept = {
  ...contents, before: { ...contents, name: "robots.txt", site }, source: null, sites: [{ schema: 1, site, body: "" }], agents: ["Googlebot"], purposes: ["search"], urls: ["/x"],
  dialect: "", view: "grid", document: { id: "a", name: "shop.example", opened: contents },
};
const entry = { id: "a", name: "shop.example", changed: 1, edited: false, lines: 1 };
const session = { id: "a", address: "" };

/** Yields each value with one field removed, a number, null or an object, at every depth. */
function* damaged(value: unknown, path = ""): Generator<[path: string, what: string, value: unknown]> {
  if (typeof value !== "object" || value === null) {
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    const without = Array.isArray(value) ? value.filter((_, i) => String(i) !== name) : Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    yield [at, "removed", without];
    for (const [what, other] of [["a number", -0.5], ["null", null], ["an object", {}], ["a list of a number", [5]]] as const) {
      yield [at, what, Array.isArray(value) ? value.map((item: unknown, i) => (String(i) === name ? other : item)) : { ...value, [name]: other }];
    }
    for (const [inner, what, changed] of damaged(field, at)) {
      yield [inner, what, Array.isArray(value) ? value.map((item: unknown, i) => (String(i) === name ? changed : item)) : { ...value, [name]: changed }];
    }
  }
}

test("a stored value is taken only if all its fields are as the page writes them", () => {
  const allowed = new Set([
    // What may be missing, or null, or a shorter list.
    "before null", "source null", "before.site removed", "sites.0 removed", "agents.0 removed", "purposes.0 removed", "urls.0 removed",
    ...["before.site", "sites.0.site"].flatMap((at) => ["hops.0", "headers", "headers.0", "fresh_until", "age"].map((field) => `${at}.${field} removed`)),
    "changed a number", // of milliseconds
  ]);
  let seen = 0;
  for (const [is, value] of [[isKept, kept], [isEntry, entry], [isSession, session]] as const) {
    assert.ok(is(value));
    assert.ok(is(JSON.parse(JSON.stringify(value))));
    for (const [path, what, changed] of damaged(value)) {
      seen++;
      assert.equal(is(changed), allowed.has(`${path} ${what}`), `${path} ${what}`);
    }
    for (const other of [undefined, null, 5, "text", [], {}]) {
      assert.equal(is(other), false);
    }
  }
  assert.ok(seen > 300, String(seen));
});

test("the file of a site is taken if a service can read it", () => {
  const takes = (changed: object): boolean => isKept({ ...kept, sites: [{ schema: 1, site: { ...site, ...changed }, body: "" }] });
  assert.ok(takes({ outcome: "disallow-all", origin: "ftp://shop.example:21", fetched_at: "2026-01-01T00:00:00+01:00" }));
  for (const [field, values] of Object.entries({
    schema: [2, "1"], fetched_at: ["", "x", "2026-01-01", "2026-13-01T00:00:00Z"], fresh_until: ["soon"], next_try: [5], failing_since: ["x"],
    outcome: ["", "local", "x"], origin: ["", "shop.example", "mailto:x", "https://shop.example/x", "https://a b"], age: [1.5, -1],
  })) {
    for (const value of values) {
      assert.equal(takes({ [field]: value }), false, `${field}: ${value}`);
    }
  }
});

test("a row is taken if its time is one", () => {
  assert.ok(isEntry({ ...entry, changed: 8.64e15 }));
  assert.equal(isEntry({ ...entry, changed: 8.65e15 }), false);
});

test("a text is taken if its encoding has it, and its lines end as those of the state do", () => {
  assert.equal(isKept({ ...kept, text: "\u4e2d", encoding: "windows-1252" }), false);
  assert.equal(isKept({ ...kept, text: "a\r\n" }), false);
  assert.equal(isKept({ ...kept, text: "#".repeat(3 << 20) }), true); // it was in the editor
});

test("what cannot be shown has the name that it has", () => {
  const names = [{ name: "a" }, { document: { name: "b" } }, { name: 5, document: { name: "c" } }, { name: "", document: 5 }, null, 5, [null]].map(storedName);
  assert.deepEqual(names, ["a", "b", "c", undefined, undefined, undefined, undefined]);
});

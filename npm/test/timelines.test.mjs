// The client plays conformance/timelines.json: it requests what the Go client requests, and decides the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { RobotsClient } from "@kosterhq/robotstxt/client";

const { format, user_agent: userAgent, start, cases } = JSON.parse(readFileSync(new URL("../../conformance/timelines.json", import.meta.url)));

const hidden = "body: gzip, something after"; // which runtimes take for an error

/** Returns the response to an answer of the site as a runtime has it: gzip is decoded. Response itself has no status below 200 or above 599. */
function responseTo({ status, headers = {}, body = "", base64 = "", pad = 0, cut }) {
  if (status === 0) throw new TypeError("fetch failed");
  const bytes = Buffer.concat([Buffer.from(body), Buffer.from(base64, "base64"), Buffer.from("# filler\n".repeat(pad))]);
  const sent = new Headers({ "content-length": String(bytes.length + (cut ? 5000 : 0)) });
  for (const [name, value] of Object.entries(headers)) sent.set(name, Buffer.from(value).toString("latin1"));
  const parts = [];
  for (let at = 0; at < bytes.length; at += 65_536) parts.push(bytes.subarray(at, at + 65_536));
  const raw = new ReadableStream({
    pull(controller) {
      if (parts.length > 0) controller.enqueue(parts.shift());
      else if (cut) controller.error(new TypeError("terminated"));
      else controller.close();
    },
  });
  const isZipped = /^(?:x-)?gzip$/i.test(sent.get("content-encoding") ?? "") && bytes.length > 0;
  return { status, headers: sent, body: isZipped ? raw.pipeThrough(new DecompressionStream("gzip")) : raw };
}

async function play(steps, policy) {
  let now, url, answers, asked;
  const fetch = async (requested) => {
    asked.push(requested);
    return responseTo(answers[requested] ?? answers["*"]);
  };
  const client = new RobotsClient({ userAgent, policy, fetch, now: () => now });
  for (const step of steps) {
    now = 1000 * (start + step.at);
    ({ url = url, answers = answers } = step);
    asked = [];
    const { allowed, site } = await client.check(url);
    const got = {
      asked, outcome: site.outcome, status: site.status, allowed, hops: site.hops.length, stale: site.source === "stale",
      fresh: site.freshUntil === undefined ? 0 : Math.floor((site.freshUntil - now) / 1000),
    };
    const { wait, ...want } = { hops: 0, stale: false, fresh: 0, ...step.want };
    assert.deepEqual(got, want);
    assert.equal(site.nextTry === undefined, wait === undefined);
    if (wait) {
      const seconds = (site.nextTry - now) / 1000;
      assert.ok(wait[0] - 1 <= seconds && seconds <= wait[1] + 1, `the next try is in ${seconds} seconds, not ${wait}`);
    }
  }
}

test("timelines", async (t) => {
  assert.equal(format, 1);
  let count = 0;
  for (const { name, policies, steps } of cases) {
    if (name === hidden) continue;
    for (const policy of policies) {
      await t.test(`${name}, ${policy}`, () => play(steps, policy));
      count++;
    }
  }
  assert.ok(count > 800);
  t.diagnostic(`${count} timelines`);
});

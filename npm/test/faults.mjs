// Asks the client about sites of fetch/javascript_test.go, which it reads as JSON, one on each
// line, and prints what it finds in the same order.

import { createInterface } from "node:readline";

import { RobotsClient } from "@kosterhq/robotstxt/client";

async function find({ url, options, notFoundPages }) {
  const notFoundPage = (_, head) => head.includes("Page not found");
  const client = new RobotsClient({ userAgent: "FooBot/1.0 (+https://foo.example)", ...options, ...(notFoundPages && { notFoundPage }) });
  const site = await client.site(url);
  let text = `${site.outcome} ${site.source} ${site.status}`;
  if (site.robots) {
    text += ` ${site.robots.rules("*").allowed("/private") ? "open" : "closed"}`;
    text += site.truncated ? " truncated" : "";
  }
  text += site.hops.length > 0 ? ` after ${site.hops.length}` : "";
  text += site.fault ? `: ${site.fault.kind === "status" ? "status" : "no response"}` : "";
  return { result: text, why: site.fault?.text ?? "" };
}

const waiting = [];
for await (const line of createInterface({ input: process.stdin })) {
  waiting.push(JSON.parse(line));
}
const found = [];
let next = 0;
await Promise.all(Array.from({ length: 8 }, async () => {
  for (let i; (i = next++) < waiting.length;) {
    found[i] = await find(waiting[i]);
  }
}));
console.log(JSON.stringify(found));
process.exit(); // connections that sites hold are of no interest

// A tool of an agent, "may I fetch this?", in the form that model APIs and MCP servers take:
// node tool.mjs URL…

import { RobotsClient } from "@kosterhq/robotstxt/client";

const robots = new RobotsClient({ userAgent: "FooAgent/1.0 (+https://fooagent.example)" });

export const tool = {
  name: "may_fetch",
  description: "Says whether this agent may fetch a URL by the site's robots.txt. Call it before each fetch, and do not fetch what is disallowed or unknown.",
  inputSchema: { type: "object", properties: { url: { type: "string", description: "An absolute URL" } }, required: ["url"] },
};

/** Answers a call of the tool. An error is a result too: the model must not take it for a yes. */
export async function call({ url }) {
  try {
    const { verdict, allowed, line, site } = await robots.check(url);
    return { may_fetch: allowed, verdict, reason: site.reason, status: site.status, line, robots_txt: site.url, try_again: site.nextTry && new Date(site.nextTry).toISOString() };
  } catch (error) {
    return { may_fetch: false, verdict: "unknown", reason: error.message };
  }
}

for (const url of process.argv.slice(2)) {
  console.log(JSON.stringify(await call({ url })));
}

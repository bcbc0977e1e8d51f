// A fetch that obeys robots.txt: node fetch.mjs URL…

import { RobotsClient } from "@kosterhq/robotstxt/client";

const userAgent = "FooBot/1.0 (+https://foobot.example)";
const robots = new RobotsClient({ userAgent });

/** Fetches a URL and the targets of its redirects, each if the crawler may. */
async function politeFetch(url, redirects = 5) {
  const { verdict, allowed, line, site } = await robots.check(url);
  if (!allowed) {
    throw new Error(`${url}: ${verdict}, ${site.reason}${line ? `, line ${line} of ${site.url}` : ""}`);
  }
  const response = await fetch(url, { redirect: "manual", headers: { "user-agent": userAgent } });
  const location = response.headers.get("location");
  if (response.status < 300 || response.status >= 400 || location === null || redirects === 0) {
    return response;
  }
  await response.body?.cancel();
  return politeFetch(new URL(location, url).href, redirects - 1);
}

for (const url of process.argv.slice(2)) {
  try {
    const response = await politeFetch(url);
    console.log(url, response.status, (await response.text()).length);
  } catch (error) {
    console.log(error.message);
  }
}

// A crawler of crawlee that obeys robots.txt: node crawlee.mjs URL…

import { HttpCrawler } from "@crawlee/http";
import { RobotsClient } from "@kosterhq/robotstxt/client";

const userAgent = "FooBot/1.0 (+https://foobot.example)";
const robots = new RobotsClient({ userAgent });

const crawler = new HttpCrawler({
  maxRequestRetries: 0,
  additionalMimeTypes: ["text/plain"],
  preNavigationHooks: [
    async ({ request }, options) => {
      options.headers = { ...options.headers, "user-agent": userAgent };
      const { allowed, verdict, site } = await robots.check(request.url);
      if (!allowed) {
        request.noRetry = true;
        throw new Error(`${verdict}, ${site.reason}`);
      }
    },
  ],
  requestHandler({ request, body }) {
    console.log(request.url, body.length);
  },
  failedRequestHandler({ request }, error) {
    console.log(request.url, error.message);
  },
});
await crawler.run(process.argv.slice(2));

// What the page shows before anybody fetched or opened a file.

import type { State } from "./state";

export const example: Pick<State, "text" | "agents" | "urls" | "selected"> = {
  text: `# An example. Edit it, or fetch the file of a site.
User-agent: *
Disallow: /search
Disallow: /account/
Allow: /account/help

User-agent: Googlebot
Disallow: /search
Allow: /search/about$

User-agent: GPTBot
User-agent: CCBot
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`,
  agents: ["Googlebot", "Bingbot", "GPTBot", "*"],
  urls: ["/", "/search?q=tea", "/search/about", "/account/orders", "/account/help"],
  selected: { agent: "Bingbot", url: "/account/help" },
};

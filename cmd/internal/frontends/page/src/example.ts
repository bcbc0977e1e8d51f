// What the page shows before anybody fetched or opened a file.

import { messages } from "./messages";
import type { State } from "./state";

export const example: Pick<State, "text" | "agents" | "urls" | "selected"> = {
  get text() {
    return `# ${messages.documents.exampleComment}
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
`;
  },
  agents: ["Googlebot", "Bingbot", "GPTBot", "*"],
  urls: ["/account/help", "/account/orders", "/", "/search?q=tea", "/search/about"],
  selected: { agent: "Bingbot", url: "/account/help" },
};

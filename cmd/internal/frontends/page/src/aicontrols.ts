// What controls the AI answers of search engines, in the words of their operators.

export interface Control {
  readonly token: string; // of the crawler whose group decides
  readonly about: "google" | "gemini" | "bing";
  readonly quote: string; // of the operator
  readonly url: string; // of the quote
}

export const controls: readonly Control[] = [
  {
    token: "Googlebot",
    about: "google",
    quote: "AI is built into Search and integral to how Search functions, which is why robots.txt directives for Googlebot is the control for site owners to manage access to how their sites are crawled for Search.",
    url: "https://developers.google.com/search/docs/appearance/ai-features",
  },
  {
    token: "Google-Extended",
    about: "gemini",
    quote: "Google-Extended is a standalone product token that web publishers can use to manage whether content Google crawls from their sites may be used for training future generations of Gemini models",
    url: "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers",
  },
  {
    token: "bingbot",
    about: "bing",
    quote: "Content without NOCACHE tag and without NOARCHIVE tag may be included in Bing Chat answers",
    url: "https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat",
  },
];

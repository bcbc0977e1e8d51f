// All texts that the page shows, in one object, so that a translation is another object
// of this type. A text with values is a function. The panels have a section each.
//
// index.html has no texts of its own, except for visitors without scripts: an element
// with data-message="NAME" gets the text shell.NAME, and data-label="NAME" its aria-label.

export const messages = {
  shell: {
    title: "robots.txt",
    subtitle: "who may fetch what, and which line decides",
    skipEditor: "Skip to the editor",
    skipAnswers: "Skip to the answers",
    host: "Site or URL",
    hostPlaceholder: "example.com",
    fetch: "Fetch",
    editor: "Editor",
    editorHelp: "Text of the robots.txt. Escape, then Tab leaves the editor. F8 goes to the next problem.",
    answers: "Answers",
    checked: "What is checked",
    dialect: "Dialect",
    format: "Format",
    open: "Open file",
    download: "Download",
    views: "Views",
    changes: "What the edit changes",
  },
  views: {
    grid: "Crawlers × URLs",
    tree: "Tree",
    ai: "AI",
    resources: "Page resources",
  },
  dialects: {
    google: "Google",
    rfc9309: "RFC 9309",
    koster1996: "Koster 1996",
  },
  verdicts: {
    allowed: "allowed",
    disallowed: "disallowed",
    unknown: "unknown",
  },
} as const;

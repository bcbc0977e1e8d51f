// The browser refuses to make scripts and markup from text (the policy of the page
// requires Trusted Types), except for the addresses of the page's own workers.

interface Policy {
  createScriptURL(url: string): string; // a TrustedScriptURL, which types still lack
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;

const ofText = new Set<string>();

const policy = factory?.createPolicy("robots", {
  createScriptURL(url) {
    if (/^(?:worker\.js\?v=\w*|serviceworker\.js)$/.test(url) || ofText.has(url)) {
      return url;
    }
    throw new TypeError("not a script of this page");
  },
});

/** Returns the address of a worker in the form that the browser accepts. */
export function workerURL(url: string): string {
  return policy ? policy.createScriptURL(url) : url;
}

/** Returns the address of a worker whose script is in the page. */
export function workerOfText(script: string): string {
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  ofText.add(url);
  return workerURL(url);
}

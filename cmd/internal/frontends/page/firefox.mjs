// The smoke part of the tests in Firefox: node firefox.mjs FIREFOX URL...
//
// For each URL it checks a file, edits it, shows each view and the page in German. It ends
// with status 1 and says why if something is not as expected, or if the page reports an error.

import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const [executablePath, ...pages] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });

async function smoke(url) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.setViewport({ width: 1280, height: 900 });
  const wait = (expression) => page.waitForFunction(expression, { timeout: 60_000 });

  await page.goto(url);
  await wait(`document.querySelector("#engine-state")?.dataset.state === "ready"`);
  await wait(`document.querySelectorAll("#grid td .word").length === 20`);
  const verdict = (row, column) => `document.querySelector("#grid tbody").rows[${row}].cells[${column}].textContent`;
  await wait(`${verdict(0, 2)}.startsWith("allowed")`);
  await wait(`document.querySelector("#explanation .why").textContent.includes("Bingbot may fetch /account/help")`);

  await page.click("#editor .cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await page.keyboard.type("\nUser-agent: Bingbot\nDisallow: /\n");
  await wait(`${verdict(0, 2)}.startsWith("disallowed")`);
  await wait(`document.querySelector("#editor .cm-line .tok-key") && document.querySelector("#problems .finding")`);

  for (const [view, content] of [["changes", "#slot-changes .diff-summary"], ["ai", "#slot-ai .ai-blocks"], ["resources", "#resources-url"], ["grid", "#grid td"]]) {
    await page.click(`#tab-${view}`);
    await wait(`document.querySelector("${content}")?.checkVisibility()`);
  }
  await page.goto(`${url}?lang=de`);
  await wait(`document.querySelector("#tab-changes")?.textContent.startsWith("Änderungen")`); // the number of changes follows
  assert.deepEqual(problems, [], url);
  await page.close();
}

try {
  for (const url of pages) {
    await smoke(url);
  }
} finally {
  await browser.close();
}

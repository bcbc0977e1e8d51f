// Answers questions that it reads as JSON, one on each line after the files: by the engine, by its
// call check, by the core, and by the calls of robots-parser. cmd/robots asks and compares.

import { createInterface } from "node:readline";

import { load } from "@kosterhq/robotstxt";
import * as core from "@kosterhq/robotstxt/core";
import robotsParser from "@kosterhq/robotstxt/robots-parser";

const engine = await load();

/** Returns what a function returns, or the verdict for a crawler that no line can name. */
function answer(ask) {
  try {
    return ask();
  } catch (error) {
    if (error.code === "invalid-field" && error.field === "agent") {
      return { verdict: "unknown" };
    }
    throw error;
  }
}

const word = (allowed) => (allowed ? "allowed" : "disallowed");

/** The core takes a token. A header goes through tokenOf first. */
function rulesOfCore(robots, agent) {
  try {
    return robots.rules(agent);
  } catch (error) {
    if (error.code !== "invalid-field" || !error.hint.includes("tokenOf")) throw error;
    let token;
    try {
      token = core.tokenOf(agent);
    } catch {
      throw error;
    }
    return robots.rules(token);
  }
}

/** Answers with the handles that the engine and the core have. */
function decide(implementation, body, q, options) {
  return answer(() => {
    const robots = implementation.parse(body, options);
    const rules = implementation === core ? rulesOfCore(robots, q.agent) : robots.rules(q.agent);
    const { allowed, line } = rules.verdict(q.url);
    const { dialect } = rules.explain(q.url);
    const decided = { verdict: word(allowed), line, matched_by: rules.matchedBy, dialect };
    rules.free();
    robots.free();
    return decided;
  });
}

let files; // base64, by name
for await (const line of createInterface({ input: process.stdin })) {
  if (!files) {
    files = JSON.parse(line);
    continue;
  }
  const q = JSON.parse(line);
  const body = Buffer.from(files[q.case] ?? "", "base64");
  const options = q.dialect ? { dialect: q.dialect } : {};
  const direct = decide(engine, body, q, options);
  const small = decide(core, body, q, options);
  const { answers } = engine.check({ body_base64: body.toString("base64"), agents: [q.agent], urls: [q.url], ...options });
  const { verdict, line: deciding, matched_by, dialect } = answers[0];
  const parser = answer(() => {
    const robots = robotsParser(new URL("/robots.txt", q.url.trim()).href, body.toString("utf8"));
    return { verdict: word(robots.isAllowed(q.url, q.token)), line: Math.max(robots.getMatchingLineNumber(q.url, q.token), 0) };
  });
  console.log(JSON.stringify({ engine: direct, core: small, check: { verdict, line: deciding, matched_by, dialect }, parser }));
}

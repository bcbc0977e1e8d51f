// A program that uses the types of the package. It is compiled, not run.

import { type Comparison, type Engine, load, RobotsError } from "@kosterhq/robotstxt";
import { type Answer, RobotsClient, type Store } from "@kosterhq/robotstxt/client";
import * as core from "@kosterhq/robotstxt/core";
import { load as loadLinter, type Findings, type Linter } from "@kosterhq/robotstxt/lint";
import robotsParser, { type Robot } from "@kosterhq/robotstxt/robots-parser";

const engine: Engine = await load();
const line: number = engine.parse("User-agent: *", { dialect: "rfc9309" }).rules("Foo").verdict("/").line;
const verdict: "allowed" | "disallowed" | "unknown" | undefined = engine.check({ body: "", urls: ["/"] }).answers[0]?.verdict;
const change: Comparison = engine.diff({ before: "", after: "" });
const parse: (body: string) => { rules(agent: string): { verdict(url: string): { allowed: boolean; line: number }; explain(url: string): core.Decision; free(): void } } =
  Math.random() < 0.5 ? core.parse : (body) => engine.parse(body);
const store: Store = new Map<string, string>();
const answer: Answer = await new RobotsClient({ userAgent: "Foo", fetch, store, policy: "rfc9309" }).check(new URL("https://shop.example/"));
const linter: Linter = await loadLinter();
const findings: Findings = linter.lint({ body: "", fix: "plain", severities: { RX101: "off" } });
const fixed: string | undefined = findings.body;
const robot: Robot = robotsParser("https://shop.example/robots.txt", "");
const allowed: boolean | undefined = robot.isAllowed("https://shop.example/");
try {
  // @ts-expect-error a misspelt field
  engine.check({ body: "", url: ["/"] });
} catch (error) {
  if (error instanceof RobotsError && error.code === "malformed-request") {
    throw error;
  }
}
export { allowed, answer, parse, change, fixed, line, verdict };

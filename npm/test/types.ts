// A program that uses the types of the package. It is compiled, not run.

import { type Comparison, type Engine, load, RobotsError } from "@kosterhq/robotstxt";
import { load as loadLinter, type Findings, type Linter } from "@kosterhq/robotstxt/lint";
import robotsParser, { type Robot } from "@kosterhq/robotstxt/robots-parser";

const engine: Engine = await load();
const line: number = engine.parse("User-agent: *", { dialect: "rfc9309" }).rules("Foo").verdict("/").line;
const verdict: "allowed" | "disallowed" | "unknown" | undefined = engine.check({ body: "", urls: ["/"] }).answers[0]?.verdict;
const change: Comparison = engine.diff({ before: "", after: "" });
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
export { allowed, change, fixed, line, verdict };

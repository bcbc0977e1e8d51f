import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { answersCSV, answersJSON, curlCommand, expectations, type Question, quotePowerShell, quoteSh, robotsCommand, urlFile } from "../src/commands";
import type { Answer } from "../src/wire";

const question: Question = {
  text: "User-agent: *\nDisallow: /caf\u00e9\n", lineEnd: "\n", encoding: "utf-8", live: false,
  agents: ["Googlebot", "Googlebot-News:Googlebot"], purposes: [], urls: ["https://shop.example/a?b=c&d=$HOME"], dialect: "",
};

const hostile = [
  "", " ", "a b", "'", "''", "it's", '"', '\\"', "\\", "$(touch x)", "`id`", "$HOME", "!!", "*", "?", "[a]", "{a,b}", "~", "#x", "-x", "--file=x", "a\nb", "a\tb",
  "a;b", "a|b", "a&b", ">x", "<x", "%PATH%", "\u2018a\u2019", "\u00e9\ud83d\ude00", "\u202e", "a=b", "^x", "\r", "%", "@x", "",
];

/** Runs a script and returns the arguments that "robots" and "curl" were given, and their input. */
function run(script: string): { args: string[]; input: string } {
  const shown = 'show() { for a in "$@"; do printf "%s\\0" "$a"; done; printf "INPUT\\0"; cat; }\nrobots() { show "$@" </dev/null; }\ncurl() { show "$@"; }\n';
  const out = execFileSync("sh", ["-c", shown + script], { encoding: "utf8", env: { PATH: process.env.PATH, HOME: "/home" } });
  const at = out.lastIndexOf("INPUT\0");
  return { args: out.slice(0, at).split("\0").slice(0, -1), input: out.slice(at + "INPUT\0".length) };
}

test("sh reads a quoted argument as the text", () => {
  for (const text of hostile) assert.deepEqual(run("robots " + quoteSh(text)).args, [text], text);
});

test("PowerShell's quotes are doubled in quotes", () => {
  assert.equal(quotePowerShell("https://shop.example/a"), "https://shop.example/a");
  assert.equal(quotePowerShell("it's"), "'it''s'");
  assert.equal(quotePowerShell("\u2018a\u2019\u201ab\u201b"), "'\u2018\u2018a\u2019\u2019\u201a\u201ab\u201b\u201b'");
  for (const text of ["", "@x", "a b", "$HOME", "a,b", "`", "-x", "--", "a;b", "#x", "(x)", "{x}", "a&b", "?x=1"]) assert.equal(quotePowerShell(text), `'${text}'`, text);
});

test("the command has the crawlers, the dialect and the URLs", () => {
  assert.deepEqual(run(robotsCommand(question, "sh")).args, [
    "check", "--file", "robots.txt", "--agent=Googlebot", "--agent=Googlebot-News:Googlebot", "https://shop.example/a?b=c&d=$HOME",
  ]);
  const other: Question = { ...question, live: true, agents: ['"Tea;Bot"', "-x"], purposes: ["ai-training", "search"], urls: [...hostile, "a\0b"], dialect: "rfc9309" };
  assert.deepEqual(run(robotsCommand(other, "sh")).args, [
    "check", '--agent="Tea;Bot"', "--agent=-x", "--purpose=ai-training,search", "--dialect=rfc9309", "--",
    ...hostile.map((url) => url.replace("\n", "%0A").replace("\t", "%09").replace("\r", "%0D").replace("\u202e", "%E2%80%AE")), "a%00b",
  ]);
  assert.equal(robotsCommand(question, "powershell"), "robots check `\n  --file robots.txt `\n  '--agent=Googlebot' `\n  '--agent=Googlebot-News:Googlebot' `\n  'https://shop.example/a?b=c&d=$HOME'\n");
});

test("many URLs are in a file", () => {
  const urls = Array.from({ length: 51 }, (_, i) => `/\u0003${i}`);
  assert.deepEqual(run(robotsCommand({ ...question, urls }, "sh")).args.slice(-2), ["--urls", "urls.txt"]);
  assert.deepEqual(run(robotsCommand({ ...question, urls: ["/" + "x".repeat(5_000)] }, "sh")).args.slice(-2), ["--urls", "urls.txt"]);
  assert.equal(urlFile(urls).split("\n")[50], "/%0350");
});

test("curl sends the request on standard input", () => {
  const text = question.text + "Disallow: /'\nJSON\n'@\nEOF $(id) `id` \u2028\ud83d\ude00\n";
  const { args, input } = run(curlCommand({ ...question, text }, "http://127.0.0.1:8080/", "sh"));
  assert.deepEqual(args, ["-sS", "-H", "Content-Type: application/json", "--data-binary", "@-", "http://127.0.0.1:8080/v1/check"]);
  assert.deepEqual(JSON.parse(input), { body: text, agents: question.agents, urls: question.urls });
  const powershell = curlCommand({ ...question, text }, "http://127.0.0.1:8080/page/", "powershell");
  assert.match(powershell, /^@'\n\{[\x20-\x7e]*\}\n'@ \| curl\.exe [ -~]+ 'http:\/\/127\.0\.0\.1:8080\/page\/v1\/check'\n$|^@'\n\{[\x20-\x7e]*\}\n'@ \| curl\.exe [ -~]+ http:\/\/127\.0\.0\.1:8080\/page\/v1\/check\n$/);
  assert.deepEqual(JSON.parse(powershell.split("\n")[1] ?? ""), JSON.parse(input));
});

function answer(agent: string, url: string, verdict: Answer["verdict"], line: number, rule: string): Answer {
  return {
    schema: 1, url, agent, allowed: verdict === "allowed", line, rule, reason: line > 0 ? "rule" : "no-match", dialect: "google", verdict,
    matched_by: "star", group: "*", group_line: 1, outcome: "local",
  } as Answer;
}

// testdata/copied.txt is the robots.txt of these answers. The tests in Go run the file
// of expectations with "robots test".
const answers: Answer[] = ["Googlebot", "Googlebot-News:Googlebot", "FooBot", "Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example/a,b)", '"Tea;Bot"', "*"].flatMap((agent) => [
  answer(agent, "https://shop.example/", "allowed", 0, ""),
  answer(agent, "/cart", agent.includes("Googlebot") ? "allowed" : "disallowed", agent.includes("Googlebot") ? 5 : 2, "Disallow: /cart"),
  answer(agent, "[x]", "allowed", 0, ""),
  answer(agent, '/"quoted" \\ ', "allowed", 0, ""),
  answer(agent, "/\udb40\udc41\udc41\x7f", "allowed", 0, ""),
  answer(agent, "/cart\u202e\t\u0085\ufeff\ud83d\ude00", agent.includes("Googlebot") ? "allowed" : "disallowed", 2, ""),
  answer(agent, "/unknown", "unknown", 0, ""),
]);

test("the file of expectations is the one that the tests in Go run", () => {
  const name = "testdata/copied.robots-test";
  const text = expectations(answers, "copied.txt", "Made by\nthe page", "");
  if (process.env.UPDATE) writeFileSync(name, text);
  assert.equal(text, readFileSync(name, "utf8"));
});

test("without an answer there is no file of expectations", () => {
  assert.equal(expectations([], "robots.txt", "", ""), "");
  assert.equal(expectations([answer("A", "/", "unknown", 0, "")], "robots.txt", "", ""), "");
});

test("CSV quotes cells and disarms formulas", () => {
  const rows = answersCSV([
    answer("A, B", "=1+1", "allowed", 0, ""), answer('"x"', "/a", "disallowed", 2, "Disallow: /\u202e"), answer("-1", "\t=1", "unknown", 0, "@x"),
  ]).split("\r\n");
  assert.deepEqual(rows, [
    "url,agent,verdict,line,rule,reason,matched_by,dialect,compared_url,unresolved_verdict,robots_url,status,fetch_reason,governed_by,joined_line,fetched_anyway",
    "'=1+1,\"A, B\",allowed,,,no-match,star,google,,,,,,,,",
    '/a,"""x""",disallowed,2,Disallow: /\\u202e,rule,star,google,,,,,,,,',
    "\\t=1,'-1,unknown,,'@x,no-match,star,google,,,,,,,,",
    "",
  ]);
});

test("JSON has an object a line, without characters that do not print", () => {
  const list = [answer("A", "/\u202e\ud83d\ude00\u{e0041}\n", "allowed", 0, ""), answer("B", "/", "allowed", 0, "")];
  const lines = answersJSON(list).split("\n");
  assert.equal(lines.length, 3);
  assert.deepEqual(lines.slice(0, 2).map((line) => JSON.parse(line) as Answer), list);
  assert.match(lines[0] ?? "", /"url":"\/\\u202e\ud83d\ude00\\udb40\\udc41\\n"/);
});

// Runs the examples of README.md in the current folder, where the package is installed,
// and compares what each console.log prints with the comment after it.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const text = readFileSync(process.argv[2], "utf8");
let compared = 0;
for (const [, code] of text.matchAll(/```js\n(.*?)```/gs)) {
  const want = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
  const got = execFileSync(process.execPath, ["--input-type=module", "-e", code.replaceAll(/console\.log\((.*)\); \/\//g, "show($1); //") +
    'import { inspect } from "node:util"; function show(...values) { console.log(values.map((v) => typeof v === "string" ? v.replaceAll("\\n", "\\\\n") : inspect(v, { breakLength: Infinity })).join(" ")) }',
  ], { encoding: "utf8" }).trimEnd().split("\n");
  for (const [i, line] of want.entries()) {
    compared++;
    if (got[i] !== line) {
      throw new Error(`README.md says ${line}, the example prints ${got[i]}`);
    }
  }
}
if (compared < 5) {
  throw new Error(`only ${compared} lines were compared`);
}
console.log(`README.md: ${compared} lines of output are as it says`);

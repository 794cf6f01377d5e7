import { el } from "../el.js";
import { dateText, nameWords, quantity } from "../format.js";
import { instantOf } from "../instant.js";
import { unitOf } from "../meaning.js";
import { isString, list, plain, string } from "../plain.js";
/** @import { Show } from "./show.js" */

const TONES = ["good", "warning", "bad"];

/**
 * A status in a word or two.
 * @param {string} text
 * @param {string} [tone] `"neutral"`, `"good"`, `"warning"` or `"bad"`
 */
export function badge(text, tone = "neutral") {
  return el(
    "span",
    { class: TONES.includes(tone) ? `badge ${tone}` : "badge", title: /_/.test(text) && text },
    /_/.test(text) ? nameWords(text.toLowerCase()) : text,
  );
}

/**
 * A date or time, with what the tool sent as its title.
 * @param {string | number} value
 * @param {Show} show
 * @returns {HTMLElement | undefined} undefined when the value is none
 */
export function moment(value, show) {
  const isDeclared = [show.schema, ...list(plain(show.schema).anyOf)].some((one) =>
    string(plain(one).format).startsWith("date"),
  );
  const instant = instantOf(value, isDeclared ? "at" : show.name);
  return (
    instant &&
    el(
      "time.short",
      { datetime: isString(value) ? value : new Date(instant.at).toISOString(), title: value },
      dateText(instant),
    )
  );
}

/**
 * A number as its name and its description tell to read it; the exact one is its title.
 * @param {number} value
 * @param {Show} show
 * @param {boolean} [alone] whether it stands alone, with room for all its digits
 */
export function numeral(value, show, alone = false) {
  const words = string(plain(show.schema).description);
  const described = /\bpercent(age)?\b/i.test(words)
    ? "%"
    : (/\bin (\w+)(?=\W*$|[.,;)])/.exec(words)?.[1] ?? "");
  const text = quantity(value, show.name, unitOf(described), alone);
  return el("span.number", { title: text !== `${value}` && value }, text);
}

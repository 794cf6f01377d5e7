import { button, el, inLine } from "../kit/el.js";
import { nameWords } from "../kit/format.js";
import { entriesOf, fromEntries, isString, list, plain, propertiesOf, string } from "../kit/plain.js";
import { saysFailed } from "../kit/result/data.js";
import { notice } from "../kit/result/figures.js";
/** @import { Plain } from "../kit/plain.js" */

/** More values, or longer ones, are chosen in the form. */
const [MOST_VALUES, MOST_LETTERS, MOST_CHOICES] = [6, 40, 2];
/** The verbs of tools that change nothing. */
const READS = /^(get|list|search|find|read|convert)/i;
/** The verbs of tools that change something. */
const WRITES =
  /(^|[_.-])(add|append|clear|close|create|delete|edit|generate|insert|move|post|publish|put|remove|rename|save|send|set|start|stop|update|upload|write)(?![a-z])/;
/** What says how a call went, or is what it made. */
const SAYS = ".said, .hero, .doubtful, figure, .warning, .bad";

/**
 * That the call was done, where the tool changes something and nothing else in its result says so.
 * @param {Plain} tool @param {any} result @param {HTMLElement[]} nodes what draws it
 */
export function doneOf({ name, annotations }, result, nodes) {
  const isWrite = plain(annotations).readOnlyHint !== true && WRITES.test(string(name));
  return isWrite &&
    !saysFailed(result) &&
    nodes.every((node) => !node.matches(SAYS) && !node.querySelector(SAYS))
    ? [notice("Done", "ok")]
    : [];
}

/** The arguments that the server takes where a call has none. @param {Plain} tool @returns {Plain} */
export function presetsOf({ inputSchema }) {
  return fromEntries(
    entriesOf(propertiesOf(inputSchema))
      .map(([key, one]) => /** @type {[string, any]} */ ([key, plain(one).default]))
      .filter(([, preset]) => preset !== undefined),
  );
}

/**
 * The few values of an argument of the call as buttons that run the tool again with another one, where it only reads.
 * @param {Plain} tool @param {Plain} args of the result @param {(args: Plain) => unknown} run
 */
export function choicesOf({ name, annotations, inputSchema }, args, run) {
  if (!(plain(annotations).readOnlyHint ?? READS.test(string(name)))) return [];
  const groups = entriesOf(propertiesOf(inputSchema))
    .flatMap(([key, one]) => {
      const values = list(plain(one).enum);
      const now = args[key];
      if (
        !values.includes(now) ||
        values.length < 2 ||
        values.length > MOST_VALUES ||
        !values.every(isString) ||
        values.join("").length > MOST_LETTERS
      )
        return [];
      const label = nameWords(key);
      return inLine(
        { role: "group", "aria-label": label },
        el("span.hint", label),
        el(
          "div.switch",
          values.map((value) =>
            button(value, () => run({ ...args, [key]: value }), { "aria-pressed": `${value === now}` }),
          ),
        ),
      );
    })
    .slice(0, MOST_CHOICES);
  return groups.length ? [el("div.row.choices", groups)] : [];
}

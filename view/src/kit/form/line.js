import { el, newId } from "../el.js";
import { asText, isBranch, list } from "../plain.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Parsed } from "./leaf.js" */

const MAX_SUGGESTIONS = 50;

/** @param {string} shown @returns {Parsed} */
export function unlessEmpty(shown) {
  return shown ? { value: shown } : undefined;
}

/** A line, with the schema's examples to choose from when there are several. @param {FieldSpec} spec @param {string} type */
export function line({ schema, kind }, type) {
  const { format, minimum, formatMinimum, formatMaximum } = schema;
  const examples =
    type === "text"
      ? list(schema.examples)
          .filter((one) => !isBranch(one))
          .slice(0, MAX_SUGGESTIONS)
      : [];
  const beside =
    examples.length > 1
      ? el(
          "datalist",
          { id: newId() },
          examples.map((one) => el("option", { value: asText(one) })),
        )
      : undefined;
  const control = el("input", {
    type,
    inputmode:
      kind === "number"
        ? schema.type === "integer" && minimum >= 0
          ? "numeric"
          : "decimal"
        : format === "email"
          ? format
          : /^ur[il]/.test(format)
            ? "url"
            : null,
    autocomplete: type === "password" ? "new-password" : "off",
    autocapitalize: "off",
    spellcheck: "false",
    step: "any",
    min: formatMinimum,
    max: formatMaximum,
    list: beside?.id,
    placeholder: placeholder(schema),
    dir: "auto",
  });
  return { control, beside };
}

/** Bounds from here on are those of numbers, not of the argument. */
const NO_BOUND = 9e15;

/** An example, or the range. @param {FieldSpec["schema"]} schema */
export function placeholder({ examples, example, minimum, maximum }) {
  const one = list(examples)[0] ?? example ?? {};
  if (!isBranch(one)) return `e.g. ${asText(one).slice(0, 120)}`;
  return minimum > -NO_BOUND && maximum < NO_BOUND ? `${minimum} \u2013 ${maximum}` : null;
}

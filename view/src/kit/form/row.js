import { el, quietButton } from "../el.js";
import { makeFrame } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field } from "./field.js" */

/**
 * @typedef {object} Row one entry of a list or map
 * @property {Field} field
 * @property {HTMLElement} element
 * @property {any} blank its value before a person touches it
 * @property {HTMLInputElement | false} key of a map
 * @property {() => string} name the key as it is sent: one that was given and not touched is sent exactly as it came
 * @property {Field | undefined} naming the key as a field, for what is wrong with it
 * @property {boolean} meant whether its value is sent even when no person touched it
 * @property {HTMLButtonElement} up
 * @property {HTMLButtonElement} down
 * @property {(name: string, value: any) => void} write
 * @property {(label: string, place: number) => void} number says which one it is now
 *
 * @typedef {{ remove: (row: Row) => void, move: (row: Row, step: number) => void }} Acts
 */

/** @param {FieldSpec} spec of the list or map @param {boolean} keyed @param {Acts} acts @returns {Row} */
export function makeRow(spec, keyed, acts) {
  const item = /** @type {FieldSpec} */ (spec.item);
  const block = /^(group|variants|list|map|tuple)$/.test(item.kind);
  const field = makeField(
    { ...item, required: item.kind !== "boolean" && item.required, key: "" },
    { hideLabel: !block },
  );
  const key =
    keyed &&
    el("input.key", {
      type: "text",
      placeholder: "key",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      dir: "auto",
      oninput: () => {
        given = undefined;
      },
    });
  /** @type {string | undefined} */
  let given;
  const naming = key
    ? makeFrame(
        { ...item, name: "", kind: "text", description: "", required: false },
        { hideLabel: true },
        key,
        { read: () => key.value, write() {} },
      )
    : undefined;
  const up = quietButton("\u2191", () => acts.move(row, -1), { class: "quiet up" });
  const down = quietButton("\u2193", () => acts.move(row, 1), { class: "quiet down" });
  const remove = quietButton("\u00d7", () => acts.remove(row), { class: "quiet remove" });
  const blank = field.read([]);
  /** @type {Row} */
  const row = {
    field,
    key,
    name: () => given ?? (key ? key.value : ""),
    naming,
    blank,
    meant: false,
    up,
    down,
    element: el(
      block ? "div.row.block" : "div.row",
      naming?.element,
      field.element,
      el("div.acts", !keyed && [up, down], remove),
    ),
    write(name, value) {
      if (key) key.value = given = name;
      row.meant = true;
      field.write(value);
    },
    number(label, place) {
      const name = `${keyed ? "Key" : label} ${place}`;
      field.rename(`${keyed ? "Value" : label} ${place}`);
      naming?.rename(name);
      remove.ariaLabel = `Remove ${name}`;
      up.ariaLabel = `Move ${name} up`;
      down.ariaLabel = `Move ${name} down`;
    },
  };
  return row;
}

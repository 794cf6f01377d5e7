// The arguments as fields, made from the input schema: one per property, JSON where there is nothing plainer.

import { el } from "./dom.js";
import { resolve } from "./example-arguments.js";

export class ArgumentForm {
  /** `onChange(arguments)` gets the whole of them after every change. */
  constructor(place, onChange) {
    this.#place = place;
    this.#onChange = onChange;
  }

  #place;
  #onChange;
  #values = {};

  /** Show `values`; what the schema does not know stays as it is. */
  show(schema, values) {
    this.#values = { ...values };
    const required = new Set(Array.isArray(schema?.required) ? schema.required : []);
    const fields = Object.entries(schema?.properties ?? {}).map(([name, property]) =>
      this.#field(name, plain(resolve(property, schema)), required.has(name)),
    );
    this.#place.replaceChildren(
      ...(fields.length ? fields : [el("p", { class: "nothing" }, "This tool takes no arguments.")]),
    );
  }

  #field(name, schema, isRequired) {
    const id = `argument-${name}`;
    const complaint = el("p", { class: "complaint", role: "alert", id: `${id}-complaint`, hidden: true });
    const control = controlFor(schema, this.#values[name]);
    control.id = id;
    control.setAttribute("aria-describedby", `${id}-words ${complaint.id}`);
    control.addEventListener("change", () => this.#take(name, schema, control, complaint));
    return el(
      "div",
      { class: "field" },
      el(
        "label",
        { for: id },
        schema.title ?? name,
        isRequired ? el("span", { class: "required" }, " required") : null,
      ),
      control,
      schema.description ? el("p", { class: "field-words", id: `${id}-words` }, schema.description) : null,
      complaint,
    );
  }

  #take(name, schema, control, complaint) {
    const { value, error } = valueOf(schema, control.value);
    complaint.textContent = error ?? "";
    complaint.hidden = error === undefined;
    control.setAttribute("aria-invalid", String(error !== undefined));
    if (error !== undefined) return;
    if (value === undefined) delete this.#values[name];
    else this.#values[name] = value;
    this.#onChange({ ...this.#values });
  }
}

/** A schema without its null: a field that is left empty says the same. */
function plain(schema) {
  const branches = (schema.anyOf ?? schema.oneOf)?.filter((each) => each?.type !== "null");
  if (branches?.length === 1) return { ...schema, ...branches[0], anyOf: undefined, oneOf: undefined };
  const types = Array.isArray(schema.type) ? schema.type.filter((each) => each !== "null") : [];
  return types.length === 1 ? { ...schema, type: types[0] } : schema;
}

const INPUTS = { number: "number", integer: "number", string: "text" };
const FORMATS = { date: "date", email: "email", uri: "url", time: "time" };

function controlFor(schema, value) {
  const choices = schema.enum ?? (schema.type === "boolean" ? [true, false] : null);
  if (Array.isArray(choices)) {
    const written = value === undefined ? "" : JSON.stringify(value);
    const options = choices.map((each) =>
      el("option", { value: JSON.stringify(each), selected: JSON.stringify(each) === written }, String(each)),
    );
    return el("select", {}, el("option", { value: "" }, "not set"), options);
  }
  if (INPUTS[schema.type] && (value === undefined || typeof value !== "object")) {
    const type = (schema.type === "string" && FORMATS[schema.format]) || INPUTS[schema.type];
    const example = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
    return el("input", {
      type,
      value: value ?? "",
      step: type === "number" ? "any" : null,
      placeholder: example,
      autocomplete: "off",
    });
  }
  const text = value === undefined ? "" : JSON.stringify(value);
  return Object.assign(el("textarea", { rows: "2", spellcheck: "false", placeholder: "JSON" }), {
    value: text,
  });
}

/** What a field's text says: a value, nothing, or in words why neither. */
function valueOf(schema, text) {
  if (text === "") return {};
  if (schema.type === "string" && !schema.enum) return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch (mistake) {
    return { error: `Not JSON: ${mistake.message}` };
  }
}

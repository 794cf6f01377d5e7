// The arguments, and the button that does what the model would do.

import { linked, settle } from "./address.js";
import { ArgumentForm } from "./argument-form.js";
import { choice } from "./choice.js";
import { exampleArguments } from "./example-arguments.js";
import { remember, remembered } from "./settings.js";

const LONGEST_LINKED = 4000;

export class CallPanel {
  /** `onCall(arguments)` and `onCancel()` are what the buttons do, `onEdit(text)` hears of the arguments. */
  constructor({ editor, form, looks, error, call, cancel, note, reset }, { onCall, onCancel, onEdit }) {
    Object.assign(this, { editor, error, call, cancel, note, form });
    this.#onCall = onCall;
    this.#onEdit = onEdit;
    this.#fields = new ArgumentForm(form, (args) => this.#write(args));
    this.#look = remembered("arguments", "json");
    this.#showLook = choice(looks, {
      name: "arguments-look", legend: "Arguments as", options: [["form", "Form"], ["json", "JSON"]], value: this.#look,
      onChange: (look) => this.#lookAt(look),
    });
    call.addEventListener("click", () => this.submit());
    cancel.addEventListener("click", onCancel);
    reset.addEventListener("click", () => this.#fill(this.#example));
    editor.addEventListener("input", () => this.#edited());
    for (const place of [editor, form]) place.addEventListener("keydown", (event) => this.#keyed(event));
  }

  #onCall;
  #onEdit;
  #fields;
  #look;
  #showLook;
  #tool = null;
  #example = "{}";
  /** Unsent edits survive a look at another tool. */
  #drafts = new Map();

  show(tool) {
    const isFirst = this.#tool === null;
    if (!isFirst) this.#drafts.set(this.#tool.name, this.editor.value);
    this.#tool = tool;
    this.#example = JSON.stringify(exampleArguments(tool.inputSchema), null, 2);
    this.#fill((isFirst && indented(linked("args"))) || this.#drafts.get(tool.name) || this.#example);
    this.call.disabled = false;
    this.note.hidden = tool.annotations?.destructiveHint !== true || tool.annotations?.readOnlyHint === true;
  }

  running(isRunning) {
    this.call.disabled = isRunning;
    this.cancel.hidden = !isRunning;
  }

  submit() {
    if (this.call.disabled) return;
    const args = this.#parsed();
    if (args) this.#onCall(args);
  }

  focus() {
    (this.editor.hidden ? this.form.querySelector("input, select, textarea") : this.editor)?.focus();
  }

  /** The other of form and JSON. */
  turn() {
    this.#lookAt(this.#look === "json" ? "form" : "json");
  }

  #keyed(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.target.dispatchEvent(new Event("change"));
    this.submit();
  }

  #fill(text) {
    this.editor.value = text;
    this.editor.rows = Math.min(14, Math.max(4, text.split("\n").length));
    this.#edited();
    this.#lookAt(this.#look, { quietly: true });
  }

  #write(args) {
    this.editor.value = JSON.stringify(args, null, 2);
    this.#edited();
  }

  #edited() {
    this.#complain("");
    const text = this.editor.value;
    const isUsual = text.trim() === this.#example || text.length > LONGEST_LINKED;
    settle({ args: isUsual ? null : compact(text) });
    this.#onEdit(text);
  }

  /** JSON that is none cannot be a form: then it stays JSON, and says why unless `quietly`. */
  #lookAt(look, { quietly = false } = {}) {
    const args = look === "form" ? this.#parsed({ quietly }) : null;
    const shown = args ? "form" : "json";
    if (args) this.#fields.show(this.#tool?.inputSchema, args);
    this.form.hidden = !args;
    this.editor.hidden = Boolean(args);
    this.#showLook(shown);
    if (!quietly) {
      this.#look = shown;
      remember("arguments", shown);
    }
  }

  #parsed({ quietly = false } = {}) {
    try {
      const value = JSON.parse(this.editor.value.trim() || "{}");
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
      if (!quietly) this.#complain("Arguments are a JSON object: { … }");
    } catch (mistake) {
      if (!quietly) this.#complain(`Not JSON: ${mistake.message}`);
    }
    if (!quietly) this.editor.focus();
    return null;
  }

  #complain(text) {
    this.error.textContent = text;
    this.error.hidden = text === "";
    this.editor.setAttribute("aria-invalid", String(text !== ""));
  }
}

function compact(text) {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function indented(text) {
  try {
    return text === null ? null : JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

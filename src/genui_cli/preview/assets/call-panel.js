// The arguments as JSON, the form for them where the view has none, and the button that calls as the model does.

import { linked, settle } from "./address.js";
import { ArgumentForm } from "./argument-form.js";
import { exampleArguments } from "./example-arguments.js";
import { hasFormInView, isDestructive } from "./tools.js";

const LONGEST_LINKED = 4000;

export class CallPanel {
  /**
   * `onCall(arguments)` is what the button does, `onEdit(text)` hears of the arguments. `ask(tool, arguments)`
   * resolves to whether a tool that may destroy something is called.
   */
  constructor({ editor, form, error, call, note, reset }, { onCall, onEdit, ask }) {
    Object.assign(this, { editor, error, call, note, form });
    this.#onCall = onCall;
    this.#onEdit = onEdit;
    this.#ask = ask;
    this.#fields = new ArgumentForm(form.querySelector(".fields"), (args) => this.#write(args));
    call.addEventListener("click", () => this.submit());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    reset.addEventListener("click", () => this.#fill(this.#example));
    editor.addEventListener("input", () => {
      this.#edited();
      this.#showFields();
    });
    for (const place of [editor, form]) place.addEventListener("keydown", (event) => this.#keyed(event));
  }

  #onCall;
  #onEdit;
  #ask;
  #fields;
  #tool = null;
  #example = "{}";
  /** Unsent edits survive a look at another tool. */
  #drafts = new Map();

  show(tool) {
    const isFirst = this.#tool === null;
    if (!isFirst) this.#drafts.set(this.#tool.name, this.editor.value);
    this.#tool = tool;
    this.#example = JSON.stringify(exampleArguments(tool.inputSchema), null, 2);
    this.form.hidden = hasFormInView(tool);
    this.#fill((isFirst && indented(linked("args"))) || this.#drafts.get(tool.name) || this.#example);
    this.running(false);
    this.note.hidden = !isDestructive(tool);
  }

  running(isRunning) {
    for (const button of [this.call, this.form.querySelector("button")]) button.disabled = isRunning;
  }

  /** Show the arguments with which the view called its own tool. */
  mirror({ name, arguments: args }) {
    if (name === this.#tool?.name) this.#fill(JSON.stringify(args ?? {}, null, 2));
  }

  async submit() {
    const tool = this.#tool;
    if (this.call.disabled) return;
    const args = this.#parsed();
    if (!args || (isDestructive(tool) && !(await this.#ask(tool, args)))) return;
    if (tool === this.#tool) this.#onCall(args);
  }

  focus() {
    this.editor.focus();
  }

  #keyed(event) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.target.dispatchEvent(new Event("change"));
    this.submit();
  }

  #fill(text) {
    this.editor.value = text;
    this.editor.rows = Math.min(14, Math.max(4, text.split("\n").length));
    this.#edited();
    this.#showFields();
  }

  #showFields() {
    const args = this.form.hidden ? null : this.#parsed({ quietly: true });
    if (args) this.#fields.show(this.#tool?.inputSchema, args);
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

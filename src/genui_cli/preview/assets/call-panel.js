// The arguments, and the button that does what the model would do.

import { exampleArguments } from "./example-arguments.js";

export class CallPanel {
  /** `onCall(arguments)` and `onCancel()` are what the buttons do. */
  constructor({ editor, error, call, cancel, note, reset }, { onCall, onCancel }) {
    Object.assign(this, { editor, error, call, cancel, note });
    this.#onCall = onCall;
    call.addEventListener("click", () => this.#submit());
    cancel.addEventListener("click", onCancel);
    reset.addEventListener("click", () => this.#fill());
    editor.addEventListener("input", () => this.#complain(""));
    editor.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#submit();
    });
  }

  #onCall;
  #tool = null;
  /** Unsent edits survive a look at another tool. */
  #drafts = new Map();

  show(tool) {
    if (this.#tool) this.#drafts.set(this.#tool.name, this.editor.value);
    this.#tool = tool;
    const draft = this.#drafts.get(tool.name);
    if (draft === undefined) this.#fill();
    else this.editor.value = draft;
    this.#complain("");
    this.call.disabled = false;
    this.note.hidden = tool.annotations?.destructiveHint !== true || tool.annotations?.readOnlyHint === true;
  }

  running(isRunning) {
    this.call.disabled = isRunning;
    this.cancel.hidden = !isRunning;
  }

  #fill() {
    if (!this.#tool) return;
    this.editor.value = JSON.stringify(exampleArguments(this.#tool.inputSchema), null, 2);
    this.editor.rows = Math.min(14, Math.max(4, this.editor.value.split("\n").length + 1));
    this.#complain("");
  }

  #submit() {
    if (this.call.disabled) return;
    const args = this.#parsed();
    if (args) this.#onCall(args);
  }

  #parsed() {
    try {
      const value = JSON.parse(this.editor.value.trim() || "{}");
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
      this.#complain("Arguments are a JSON object: { … }");
    } catch (mistake) {
      this.#complain(`Not JSON: ${mistake.message}`);
    }
    this.editor.focus();
    return null;
  }

  #complain(text) {
    this.error.textContent = text;
    this.error.hidden = text === "";
    this.editor.setAttribute("aria-invalid", String(text !== ""));
  }
}

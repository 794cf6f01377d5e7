import { button, el, newId, quietButton } from "../kit/el.js";
import { shorten } from "../kit/format.js";
import { asText, entriesOf, jsonText } from "../kit/plain.js";
import { isPersons } from "../runtime/acts.js";
import { copyText } from "./copy.js";
/** @import { Arguments } from "../kit/form/arguments.js" */
/** @import { Plain } from "../kit/plain.js" */

/**
 * @typedef {object} RunForm
 * @property {HTMLElement} element
 * @property {(event: unknown) => void} submit runs the tool, or asks first; opens when there is something to do. Only
 *   the event of a person confirms
 * @property {(running: boolean) => void} setRunning
 * @property {() => void} setRunAgain
 * @property {(open: boolean) => void} setOpen
 * @property {(args: Plain) => void} setArguments shows the arguments of another call; what a person changed and did not run stays in the form
 * @property {() => boolean} touched whether the user did anything in it
 *
 * @param {Arguments} inputs
 * @param {{ title: string, destructive: boolean, run: (args: Plain) => void, reset: () => void }} options
 * @returns {RunForm}
 */
export function runForm(inputs, { title, destructive, run, reset }) {
  const state = { again: false, confirming: false, running: false };
  const name = shorten(title, 60);
  let touched = false;
  /** Whether a person changed something since the last run. */
  let changed = false;
  const go = el("button.primary", { type: "submit" });
  const warning = el("p.error-line", { role: "alert" });
  const update = (/** @type {Partial<typeof state>} */ change) => {
    const { again, confirming, running } = Object.assign(state, change);
    go.textContent = running ? "Running\u2026" : confirming ? `Run ${name} now` : again ? "Run again" : "Run";
    go.ariaDisabled = running ? "true" : null;
    go.classList.toggle("danger", confirming);
    warning.hidden = !confirming;
    warning.textContent = confirming ? `${name} can change or delete things. Press the button again to run it.` : "";
  };
  const calm = () => update({ confirming: false });
  const submit = (/** @type {unknown} */ event) => {
    if (state.running) return;
    touched = true;
    const args = inputs.submit();
    const ask = !!args && destructive && !(state.confirming && isPersons(event));
    update({ confirming: ask });
    if (args && !ask) {
      changed = false;
      run(args);
    } else view.setOpen(true);
  };
  const onSubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    submit(event);
  };
  update({});

  const choices = inputs.structured && [
    quietButton("Reset", () => { calm(); reset(); }),
    copyButton(inputs),
    modeSwitch((raw) => { calm(); inputs.setRaw(raw); }),
  ];
  go.addEventListener("click", onSubmit);
  const form = el("form", {
    novalidate: true, autocomplete: "off", "aria-label": "Arguments",
    onsubmit: onSubmit,
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (sends(event)) onSubmit(event); },
    oninput: () => { touched = changed = true; calm(); },
  }, inputs.none ? [el("div.bar", go, inputs.element), warning] : [inputs.element, warning, el("div.bar", go, choices || [])]);
  const view = inputs.none ? { element: el("section", form), setOpen() {}, say() {} } : folded(form, inputs);
  return {
    ...view,
    submit,
    setRunning: (running) => update({ running }),
    setRunAgain: () => update({ again: true }),
    touched: () => touched,
    setArguments(args) {
      if (!changed) inputs.fill(args);
      view.say(args);
    },
  };
}

/** Enter in a line, Ctrl+Enter in a text. @param {KeyboardEvent} event */
function sends({ key, target, isComposing, ctrlKey, metaKey, defaultPrevented }) {
  if (key !== "Enter" || isComposing || defaultPrevented) return false;
  if (target instanceof HTMLTextAreaElement) return ctrlKey || metaKey;
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type);
}

/** Copies the arguments as they stand; says so until it is left. @param {Arguments} inputs */
function copyButton(inputs) {
  const copy = quietButton("Copy as JSON", () => {
    copyText(jsonText(inputs.peek()));
    copy.textContent = "Copied";
    copy.focus();
  }, { onblur: () => { copy.textContent = "Copy as JSON"; } });
  return copy;
}

/** Form or JSON text. @param {(raw: boolean) => void} setRaw */
function modeSwitch(setRaw) {
  const name = newId();
  const choice = (/** @type {string} */ text, /** @type {boolean} */ raw) => {
    const id = newId();
    return [el("input", { type: "radio", name, id, checked: !raw, onchange: () => setRaw(raw) }), el("label", { for: id }, text)];
  };
  return el("div.modes.bar", { role: "group", "aria-label": "How to enter arguments" }, choice("Form", false), choice("Raw arguments (JSON)", true));
}

/** The form behind one line that says what was sent. @param {HTMLElement} form @param {Arguments} inputs */
function folded(form, inputs) {
  const sent = el("span.sent");
  const toggle = button("", () => setOpen(form.hidden === true), { class: "fold" });
  toggle.append(el("span.label", "Arguments"), " ", sent);
  const say = (/** @type {Plain} */ args) => { sent.textContent = form.hidden ? oneLine(args) : ""; };
  const setOpen = (/** @type {boolean} */ open) => {
    form.hidden = !open;
    toggle.ariaExpanded = `${open}`;
    say(inputs.peek());
  };
  setOpen(true);
  return { element: el("section.panel", toggle, form), setOpen, say };
}

/** @param {Plain} args */
function oneLine(args) {
  const parts = entriesOf(args).map(([name, value]) => `${name}: ${shorten(asText(value), 60)}`);
  return shorten(parts.join("  \u00b7  "), 200) || "none";
}

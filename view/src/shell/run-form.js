import { el, inLine, newId, quietButton } from "../kit/el.js";
import { shorten } from "../kit/format.js";
import { jsonText } from "../kit/plain.js";
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
 * @property {() => void} setOver from now on it stands over a result
 * @property {(open: boolean) => void} setOpen
 * @property {() => boolean} isOpen
 * @property {(args: Plain) => void} setArguments shows the arguments of another call; what a person changed and did not run stays in the form
 * @property {() => boolean} touched whether the user did anything in it
 *
 * @param {Arguments} inputs
 * @param {{ title: string, lead: HTMLElement | false, destructive: boolean, run: (args: Plain) => void, reset: () => void, opened: (open: boolean, lostFocus: boolean) => void }} options
 *   `lead`: what stands above it until there is a result, `opened`: called at each opening and closing
 * @returns {RunForm}
 */
export function runForm(inputs, { title, lead, destructive, run, reset, opened }) {
  const state = { again: false, confirming: false, running: false };
  const name = shorten(title, 60);
  let touched = false;
  /** Whether a person changed something since the last run. */
  let changed = false;
  const go = el("button.primary", { type: "submit" });
  const warning = el("p.error-line", { role: "alert" });
  const update = (/** @type {Partial<typeof state>} */ change) => {
    const { again, confirming, running } = Object.assign(state, change);
    go.textContent = running
      ? "Running\u2026"
      : confirming
        ? `Run ${name} now`
        : (again ? "Run again" : destructive ? name : "Run") + (destructive ? "\u2026" : "");
    go.classList.toggle("danger", confirming);
    go.ariaDisabled = running ? "true" : null;
    warning.hidden = !confirming;
    warning.textContent = confirming
      ? `${name} can change or delete things. Press the button again to run it.`
      : "";
  };
  const calm = () => update({ confirming: false });
  const setOpen = (/** @type {boolean} */ open) => {
    const hadFocus = element.contains(document.activeElement);
    element.hidden = !open;
    if (!open) calm();
    opened(open, hadFocus && !open);
  };
  const submit = (/** @type {unknown} */ event) => {
    if (state.running) return;
    touched = true;
    const args = inputs.submit();
    const ask = !!args && destructive && !(state.confirming && isPersons(event));
    if (!args || ask) setOpen(true);
    update({ confirming: ask });
    if (!args || ask) return;
    changed = false;
    run(args);
  };
  const onSubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    submit(event);
  };
  update({});

  const close = quietButton("Close", () => setOpen(false), { hidden: true });
  const choices =
    inputs.structured &&
    el(
      "div.bar.side",
      quietButton("Reset", () => {
        calm();
        reset();
      }),
      quietButton("Copy as JSON", () => copyText(jsonText(inputs.peek()))),
      modeSwitch((raw) => {
        calm();
        inputs.setRaw(raw);
      }),
    );
  go.addEventListener("click", onSubmit);
  const form = el(
    "form",
    {
      novalidate: true,
      autocomplete: "off",
      "aria-label": "Arguments",
      onsubmit: onSubmit,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (sends(event)) onSubmit(event);
      },
      oninput: () => {
        touched = changed = true;
        calm();
      },
    },
    inputs.element,
    warning,
    inLine(go, close, choices),
  );
  const element = el(
    "section.panel",
    {
      onkeydown: (/** @type {KeyboardEvent} */ { key, defaultPrevented }) => {
        if (key === "Escape" && !close.hidden && !defaultPrevented) setOpen(false);
      },
    },
    lead,
    form,
  );
  return {
    element,
    submit,
    setOpen,
    isOpen: () => !element.hidden,
    setRunning: (running) => update({ running }),
    setOver() {
      update({ again: true });
      element.classList.add("over");
      close.hidden = false;
      if (lead) lead.hidden = true;
    },
    touched: () => touched,
    setArguments(args) {
      if (!changed) inputs.fill(args);
    },
  };
}

/** Enter in a line, Ctrl+Enter in a text. @param {KeyboardEvent} event */
function sends({ key, target, isComposing, ctrlKey, metaKey, defaultPrevented }) {
  if (key !== "Enter" || isComposing || defaultPrevented) return false;
  if (target instanceof HTMLTextAreaElement) return ctrlKey || metaKey;
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type);
}

/** Form or JSON text. @param {(raw: boolean) => void} setRaw */
function modeSwitch(setRaw) {
  const name = newId();
  const choice = (/** @type {string} */ text, /** @type {boolean} */ raw) => {
    const id = newId();
    return [
      el("input", { type: "radio", name, id, checked: !raw, onchange: () => setRaw(raw) }),
      el("label", { for: id }, text),
    ];
  };
  return el(
    "div.modes.bar",
    { role: "group", "aria-label": "How to enter arguments" },
    choice("Form", false),
    choice("Raw arguments (JSON)", true),
  );
}

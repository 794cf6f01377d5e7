import { button, el, newId } from "../kit/el.js";
import { shorten } from "../kit/format.js";
/** @import { Arguments } from "../kit/form/arguments.js" */
/** @import { Plain } from "../kit/plain.js" */

/**
 * @typedef {object} RunForm
 * @property {HTMLElement} element
 * @property {(running: boolean) => void} setRunning
 * @property {(again: boolean) => void} setRunAgain
 * @property {(open: boolean) => void} setOpen
 * @property {() => boolean} touched whether the user did anything in it
 *
 * @param {Arguments} inputs
 * @param {{ toolName: string, destructive: boolean, run: (args: Plain) => void, reset: () => void }} options
 * @returns {RunForm}
 */
export function runForm(inputs, { toolName, destructive, run, reset }) {
  const words = { run: "Run", confirm: false, running: false };
  let touched = false;
  const go = el("button", { type: "submit", class: "primary" }, "Run");
  const warning = el("p", { class: "confirm", role: "alert", hidden: true });
  const label = () => {
    go.textContent = words.running ? "Running\u2026" : words.confirm ? `Run ${shorten(toolName, 60)} now` : words.run;
    go.classList.toggle("danger", words.confirm);
    warning.hidden = !words.confirm;
    warning.textContent = words.confirm ? `${shorten(toolName, 60)} can change or delete things. Press the button again to run it.` : "";
  };
  const askFirst = () => {
    if (!destructive || words.confirm) return false;
    words.confirm = true;
    label();
    return true;
  };
  const calm = () => {
    if (!words.confirm) return;
    words.confirm = false;
    label();
  };
  const submit = () => {
    if (words.running) return;
    touched = true;
    const value = inputs.submit();
    if (!value) return calm();
    if (askFirst()) return;
    calm();
    run(value);
  };
  const modes = modeSwitch(inputs, calm);
  const clear = button("Reset", () => { calm(); reset(); }, { class: "quiet" });
  const cancel = el("div", { class: "actions" }, go, inputs.structured ? clear : null, modes);
  const form = el("form", { novalidate: true, autocomplete: "off", "aria-label": "Arguments" }, inputs.element, warning, cancel);
  form.addEventListener("submit", (event) => { event.preventDefault(); submit(); });
  go.addEventListener("click", (event) => { event.preventDefault(); submit(); });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    const line = event.target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(event.target.type);
    if (!line && !((event.ctrlKey || event.metaKey) && event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener("input", () => { touched = true; calm(); });
  const fold = foldable(form, inputs);
  return {
    element: fold.element,
    setRunning(running) {
      words.running = running;
      if (running) go.setAttribute("aria-disabled", "true");
      else go.removeAttribute("aria-disabled");
      label();
    },
    setRunAgain(again) {
      words.run = again ? "Run again" : "Run";
      label();
    },
    setOpen: fold.setOpen,
    touched: () => touched,
  };
}

/** Form or JSON text. @param {Arguments} inputs @param {() => void} changed */
function modeSwitch(inputs, changed) {
  if (!inputs.structured) return null;
  const name = newId();
  const choice = (/** @type {string} */ text, /** @type {boolean} */ raw) => {
    const radio = el("input", { type: "radio", name, id: newId(), checked: !raw });
    radio.addEventListener("change", () => { changed(); inputs.setRaw(raw); });
    return [radio, el("label", { for: radio.id }, text)];
  };
  return el("div", { class: "modes", role: "group", "aria-label": "How to enter arguments" }, choice("Form", false), choice("Raw arguments (JSON)", true));
}

/** The form behind one line that says what was sent. @param {HTMLElement} form @param {Arguments} inputs */
function foldable(form, inputs) {
  const summary = el("span", { class: "sent", dir: "auto" });
  form.id = newId();
  const toggle = el("button", { type: "button", class: "fold", "aria-expanded": "true", "aria-controls": form.id },
    el("span", { class: "label" }, "Arguments"), " ", summary);
  const element = el("section", { class: "panel input" }, toggle, form);
  const setOpen = (/** @type {boolean} */ open) => {
    form.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
    summary.textContent = open ? "" : oneLine(inputs.peek());
  };
  toggle.addEventListener("click", () => setOpen(!!form.hidden));
  return { element, setOpen };
}

/** @param {Plain} args */
function oneLine(args) {
  const parts = Object.entries(args).map(([name, value]) => `${name}: ${shorten(typeof value === "string" ? value : JSON.stringify(value) ?? "", 60)}`);
  return shorten(parts.join("  \u00b7  "), 200) || "none";
}

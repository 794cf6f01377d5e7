import { isPersons } from "./acts.js";
import { descriptor, element, uncurried } from "./native.js";

const listen = uncurried(EventTarget.prototype.addEventListener);
const append = uncurried(Node.prototype.appendChild);
const open = uncurried(HTMLDialogElement.prototype.showModal);
const { get, set } = /** @type {PropertyDescriptor} */ (descriptor(Node.prototype, "textContent"));
const textOf = uncurried(get);
const write = uncurried(set);

/**
 * Asks the person whether a tool that can change things may run. Only a click or key of a person says yes, and only
 * while the question stands as it was asked.
 * @param {string} tool the tool's name
 * @param {(yes: boolean) => void} decide
 * @returns {() => void} takes the question back, which is a no
 */
export function askPerson(tool, decide) {
  const dialog = element(document, "dialog");
  let isOpen = true;
  const end = (/** @type {boolean} */ yes) => {
    if (!isOpen) return;
    isOpen = false;
    dialog.remove();
    decide(yes);
  };
  const put = (
    /** @type {string} */ name,
    /** @type {string} */ words,
    /** @type {(event: Event) => void} */ onclick,
  ) => {
    const made = element(document, name);
    write(made, words);
    if (name === "button") made.type = "button";
    listen(made, "click", onclick);
    append(dialog, made);
    return made;
  };
  put("p", `${tool} can change or delete things. Run it?`, () => {});
  const no = put("button", "Cancel", () => end(false));
  const yes = put("button", `Run ${tool}`, (event) => {
    if (isPersons(event) && dialog.isConnected && textOf(dialog) === asked) end(true);
  });
  yes.style.marginInlineStart = "8px";
  const asked = textOf(dialog);
  dialog.setAttribute("aria-label", "Confirm");
  dialog.style.cssText =
    "max-inline-size:min(90%,480px);overflow-wrap:anywhere;font:14px/1.5 system-ui,sans-serif;position:fixed;inset-block-start:16px";
  listen(dialog, "close", () => end(false));
  append(document.body, dialog);
  open(dialog);
  no.focus();
  return () => end(false);
}

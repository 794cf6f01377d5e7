import { getter } from "./native.js";

const isTrusted = getter(new Event("click"), "isTrusted");
const typeOf = getter(Event.prototype, "type");
/** Whether a person did anything just now; browsers without it do not say. */
const isActive =
  typeof UserActivation === "function" ? getter(UserActivation.prototype, "isActive") : () => true;
const activation = navigator.userActivation;

/** Whether a script's own click is under way: a click on a label causes one on its control that browsers trust. */
let isMade = false;

addEventListener(
  "click",
  (event) => {
    if (isTrusted(event)) return;
    isMade = true;
    setTimeout(() => {
      isMade = false;
    }, 0);
  },
  true,
);

/**
 * Whether a person caused an event: a click or a key that no script made.
 * @param {unknown} event anything at all
 */
export function isPersons(event) {
  try {
    const type = typeOf(event);
    return (
      isTrusted(event) === true &&
      !isMade &&
      (type === "click" || type === "keydown") &&
      isActive(activation) === true
    );
  } catch {
    return false;
  }
}

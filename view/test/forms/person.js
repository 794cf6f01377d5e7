// Somebody who tries out a form, in ways of which only some make sense.
const TYPED = [
  "",
  "",
  "a",
  "abc",
  "12",
  "0",
  "-1",
  "1.5",
  "9007199254740993",
  "2.50",
  "true",
  "null",
  "AB-12",
  "x@y.zz",
  "https://example.com",
  "2026-02-28",
  "2026-03-14T15:09",
  "15:09",
  "[1, 2]",
  '{"a": 1}',
  '[["x"]]',
  "{",
  " ",
  "value 7",
  "Łódź",
  "127.0.0.1",
  "é\u0000",
  "1e400",
  "__proto__",
  "x-key",
  "P1D",
];

const NUMBERS = ["0", "1", "2", "3", "0.5", "-1"];

/** @param {ReturnType<typeof import("./random.js").random>} dice */
export function person(dice) {
  /** Mostly what the control asks for. @param {any} control */
  const words = ({ type, placeholder, className, attributes: { inputmode } }) => {
    const asked =
      type === "date"
        ? ["2026-02-28"]
        : type === "datetime-local"
          ? ["2026-03-14T15:09"]
          : type === "time"
            ? ["15:09"]
            : /decimal|numeric/.test(inputmode?.value)
              ? NUMBERS
              : className === "code"
                ? ["{}", "[]", "1", '"x"', '{"a": 1}']
                : placeholder === "key"
                  ? ["a", "b1", "x-1"]
                  : TYPED;
    return dice.pick(dice.chance(0.8) ? asked : [...TYPED, placeholder.replace("e.g. ", "")]);
  };
  const say = (/** @type {Element} */ on, /** @type {string} */ what) =>
    on.dispatchEvent(new window.Event(what, { bubbles: true }));
  const use = (/** @type {any} */ control) => {
    if (control.readOnly || control.disabled) return;
    if (control.localName === "button") return control.click();
    if (control.localName === "select") {
      control.selectedIndex = dice.integer(0, control.options.length - 1);
      say(control, "input");
      return say(control, "change");
    }
    if (control.type === "checkbox") return control.click();
    control.focus();
    control.value = words(control);
    say(control, "input");
    if (control.getAttribute("role") === "combobox" && dice.chance(0.5)) {
      for (const key of ["ArrowDown", "ArrowDown", "Enter"])
        control.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    control.blur();
  };
  return {
    /** Does something to a few controls. @param {HTMLElement} form @param {number} count */
    tryOut(form, count) {
      for (let i = 0; i < count; i++)
        use(
          dice.pick(
            [...form.querySelectorAll("input, select, textarea, button")].filter(
              (one) => !one.closest("[hidden]"),
            ),
          ),
        );
    },
    /** Gives every typed control something that looks right. @param {HTMLElement} form */
    fillAll(form) {
      for (const control of form.querySelectorAll("input, select, textarea"))
        if (!control.closest("[hidden]") && control.type !== "search") use(control);
    },
  };
}

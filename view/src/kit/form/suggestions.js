import { el, newId } from "../el.js";
/** @import { Option } from "./choice.js" */

/** The list below a combobox. @param {(option: Option) => void} take */
export function suggestions(take) {
  const list = el("ul", { role: "listbox", id: newId(), "aria-label": "Values" });
  const status = el("p.hint", { role: "status" });
  const element = el(
    "div.popup",
    { hidden: true, onmousedown: (/** @type {Event} */ event) => event.preventDefault() },
    list,
    status,
  );
  let at = -1;
  const mark = (/** @type {number} */ next) => {
    list.children[at]?.setAttribute("aria-selected", "false");
    at = next;
    list.children[at]?.setAttribute("aria-selected", "true");
    list.children[at]?.scrollIntoView?.({ block: "nearest" });
  };
  return {
    element,
    id: list.id,
    active: () => list.children[at],
    hide() {
      element.hidden = true;
      at = -1;
    },
    /** @param {{ found: Option[], count: string }} result */
    show({ found, count }) {
      list.replaceChildren(
        ...found.map((option) =>
          el(
            "li",
            { role: "option", id: newId(), "aria-selected": "false", onclick: () => take(option) },
            option[1],
          ),
        ),
      );
      at = -1;
      status.textContent = count;
      element.hidden = false;
      element.scrollIntoView?.({ block: "nearest" });
    },
    /** @param {number} step */
    move(step) {
      const { length } = list.children;
      if (length) mark(at < 0 && step < 0 ? length - 1 : (at + step + length) % length);
    },
    /** Takes the marked option, or the only one. */
    take() {
      const chosen = list.children[at] ?? (list.children.length === 1 ? list.firstChild : null);
      /** @type {HTMLElement | null} */ (chosen)?.click();
      return !!chosen;
    },
  };
}

import { button, el } from "../kit/el.js";
import { icon, OUTLINES } from "../kit/icon.js";

/**
 * @typedef {object} Item of the menu
 * @property {keyof typeof OUTLINES} icon
 * @property {string} text
 * @property {() => void} act
 */

/**
 * The button for what is rarely needed, with its menu, as the ARIA pattern for a menu button has it.
 * @param {() => (Item | false | undefined)[]} items asked for at each opening: the menu holds what is possible by then
 * @returns {{ elements: HTMLElement[], button: HTMLElement }}
 */
export function menu(items) {
  const list = el("div.menu", {
    role: "menu",
    "aria-label": "More",
    hidden: true,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (onKey(event.key)) event.preventDefault();
    },
  });
  const opener = button("", () => setOpen(list.hidden === true), {
    class: "quiet sign",
    "aria-label": "More",
    "aria-haspopup": "menu",
    "aria-expanded": "false",
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (!/^Arrow(Down|Up)$/.test(event.key)) return;
      event.preventDefault();
      setOpen(true);
      if (event.key === "ArrowUp") move(-1);
    },
  });
  opener.append(icon(OUTLINES.more));
  const setOpen = (/** @type {boolean} */ open) => {
    if (open)
      list.replaceChildren(
        ...items()
          .filter((item) => !!item)
          .map((item) => lineOf(item, () => setOpen(false))),
      );
    list.hidden = !open;
    opener.ariaExpanded = `${open}`;
    if (open) focus(0);
  };
  const focus = (/** @type {number} */ place) =>
    /** @type {HTMLElement | undefined} */ ([...list.children].at(place))?.focus();
  const move = (/** @type {number} */ step) =>
    focus(
      ([...list.children].indexOf(/** @type {Element} */ (document.activeElement)) + step) %
        list.children.length,
    );
  const onKey = (/** @type {string} */ key) => {
    if (key === "ArrowDown") move(1);
    else if (key === "ArrowUp") move(-1);
    else if (key === "Home" || key === "End") focus(key === "End" ? -1 : 0);
    else if (key !== "Escape" && key !== "Tab") return false;
    else {
      setOpen(false);
      opener.focus();
      return key === "Escape";
    }
    return true;
  };
  document.addEventListener("pointerdown", ({ target }) => {
    if (
      !list.hidden &&
      !list.contains(/** @type {Node} */ (target)) &&
      !opener.contains(/** @type {Node} */ (target))
    )
      setOpen(false);
  });
  return { elements: [opener, list], button: opener };
}

/** @param {Item} item @param {() => void} close */
function lineOf({ icon: name, text, act }, close) {
  const line = button(
    text,
    () => {
      close();
      act();
    },
    { role: "menuitem", tabindex: -1 },
  );
  line.prepend(icon(OUTLINES[name]));
  return line;
}

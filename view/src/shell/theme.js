import { language, speak } from "../kit/locale.js";
import { entriesOf, plain } from "../kit/plain.js";
import { applyHostStyle, root } from "../runtime/host-style.js";

/**
 * Follows the host: theme, variables, fonts, language, time zone, safe area. Takes partial contexts.
 * @param {any} context
 * @returns {boolean} whether numbers or dates read differently now, so that what is shown is old
 */
export function followHost(context) {
  applyHostStyle(context);
  const isNew = speak(plain(context));
  Object.assign(root(), language());
  for (const [side, inset] of entriesOf(plain(plain(context).safeAreaInsets)))
    if (inset > 0) document.body.style.setProperty(`--inset-${side}`, `${Number(inset)}px`);
  return isNew;
}

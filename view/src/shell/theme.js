import { language, speak } from "../kit/locale.js";
import { entriesOf, plain, string } from "../kit/plain.js";
import { applyDocumentTheme, applyHostFonts, applyHostStyleVariables, root } from "../runtime/host-style.js";

/**
 * Follows the host: theme, variables, fonts, language, time zone, safe area. Takes partial contexts.
 * @param {any} context
 * @returns {boolean} whether numbers or dates read differently now, so that what is shown is old
 */
export function followHost(context) {
  const isNew = followLook(context);
  Object.assign(root(), language());
  for (const [side, inset] of entriesOf(plain(plain(context).safeAreaInsets)))
    if (inset > 0) document.body.style.setProperty(`--inset-${side}`, `${Number(inset)}px`);
  return isNew;
}

/**
 * The same for a page that brings a language, a direction and a layout of its own.
 * @param {any} context
 */
export function followLook(context) {
  const { theme, styles } = plain(context);
  const { variables, css } = plain(styles);
  if (theme === "light" || theme === "dark") applyDocumentTheme(theme);
  applyHostStyleVariables(plain(variables));
  const fonts = string(plain(css).fonts);
  if (fonts) applyHostFonts(fonts);
  return speak(plain(context));
}

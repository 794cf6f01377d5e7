import { language, speak } from "../kit/locale.js";
import { entriesOf, plain, string } from "../kit/plain.js";
import { applyDocumentTheme, applyHostFonts, applyHostStyleVariables, root } from "../runtime/host-style.js";

/**
 * Follows the host: theme, variables, fonts, language, time zone, safe area. Takes partial contexts.
 * @param {any} context
 * @returns {boolean} whether numbers or dates read differently now, so that what is shown is old
 */
export function followHost(context) {
  const { theme, styles, safeAreaInsets } = plain(context);
  const { variables, css } = plain(styles);
  if (theme === "light" || theme === "dark") applyDocumentTheme(theme);
  applyHostStyleVariables(plain(variables));
  const fonts = string(plain(css).fonts);
  if (fonts) applyHostFonts(fonts);
  const isNew = speak(plain(context));
  Object.assign(root(), language());
  for (const [side, inset] of entriesOf(plain(safeAreaInsets)))
    if (inset > 0) document.body.style.setProperty(`--inset-${side}`, `${Number(inset)}px`);
  return isNew;
}

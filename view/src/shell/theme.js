import { entriesOf, plain, string } from "../kit/plain.js";
import { applyDocumentTheme, applyHostFonts, applyHostStyleVariables, root } from "../runtime/host-style.js";

/**
 * Follows the host: theme, variables, fonts, language, safe area. Takes partial contexts.
 * @param {any} context
 */
export function followHost(context) {
  const { theme, styles, locale, safeAreaInsets } = plain(context);
  const { variables, css } = plain(styles);
  if (theme === "light" || theme === "dark") applyDocumentTheme(theme);
  applyHostStyleVariables(plain(variables));
  const fonts = string(plain(css).fonts);
  if (fonts) applyHostFonts(fonts);
  if (string(locale)) root().dataset.locale = locale;
  for (const [side, inset] of entriesOf(plain(safeAreaInsets)))
    if (inset > 0) document.body.style.setProperty(`--inset-${side}`, `${Number(inset)}px`);
}

import { plain, string } from "../kit/plain.js";
import { applyDocumentTheme, applyHostFonts, applyHostStyleVariables } from "../runtime/host-style.js";

/**
 * Shows the page in the theme it was made for, until the host says otherwise.
 * @param {"light" | "dark" | "system"} theme
 */
export function startTheme(theme) {
  if (theme !== "system") applyDocumentTheme(theme);
}

/**
 * Follows the host: theme, variables, fonts, language. Takes partial contexts.
 * @param {any} context
 */
export function followHost(context) {
  const { theme, styles, locale, safeAreaInsets } = plain(context);
  if (theme === "light" || theme === "dark") applyDocumentTheme(theme);
  applyHostStyleVariables(plain(plain(styles).variables));
  const fonts = string(plain(plain(styles).css).fonts);
  if (fonts) applyHostFonts(fonts);
  if (typeof locale === "string") document.documentElement.dataset.locale = locale;
  for (const side of ["top", "right", "bottom", "left"]) {
    const inset = plain(safeAreaInsets)[side];
    if (inset > 0) document.body.style.setProperty(`--inset-${side}`, `${Number(inset)}px`);
  }
}

import { entriesOf } from "../kit/plain.js";

/** @returns {"light" | "dark"} the theme that the document shows now */
export function getDocumentTheme() {
  const { dataset, classList } = root();
  return dataset.theme === "dark" || classList.contains("dark") ? "dark" : "light";
}

/** @param {"light" | "dark"} theme */
export function applyDocumentTheme(theme) {
  root().dataset.theme = theme;
  root().style.colorScheme = theme;
}

/**
 * Sets the host's CSS variables on an element.
 * @param {Record<string, string | undefined> | undefined} variables only names that start with `--` are taken
 * @param {HTMLElement} [target]
 */
export function applyHostStyleVariables(variables, target = root()) {
  for (const [name, value] of entriesOf(variables ?? {}))
    if (name.startsWith("--") && typeof value === "string") target.style.setProperty(name, value);
}

/** @param {string} css the host's `@font-face` rules; a second call replaces the first */
export function applyHostFonts(css) {
  const id = "mcp-gen-ui-host-fonts";
  const style = document.getElementById(id) ?? document.createElement("style");
  style.id = id;
  style.textContent = css;
  (document.head ?? root()).append(style);
}

/**
 * Takes over how the host looks: theme, variables, fonts. What it does not say stays as it is.
 * @param {any} context of the host, or a part of it
 */
export function applyHostStyle(context) {
  const { theme, styles } = context ?? {};
  if (theme === "light" || theme === "dark") applyDocumentTheme(theme);
  applyHostStyleVariables(styles?.variables);
  if (typeof styles?.css?.fonts === "string" && styles.css.fonts) applyHostFonts(styles.css.fonts);
}

/** The element that themes and sizes are about. */
export function root() {
  return document.documentElement;
}

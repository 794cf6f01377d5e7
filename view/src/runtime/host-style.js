/** @returns {"light" | "dark"} the theme that the document shows now */
export function getDocumentTheme() {
  const root = document.documentElement;
  return root.getAttribute("data-theme") === "dark" || root.classList.contains("dark") ? "dark" : "light";
}

/** @param {"light" | "dark"} theme */
export function applyDocumentTheme(theme) {
  document.documentElement.setAttribute("data-theme", theme);
  document.documentElement.style.colorScheme = theme;
}

/**
 * Sets the host's CSS variables on an element.
 * @param {Record<string, string | undefined> | undefined} variables only names that start with `--` are taken
 * @param {HTMLElement} [target]
 */
export function applyHostStyleVariables(variables, target = document.documentElement) {
  for (const [name, value] of Object.entries(variables ?? {}))
    if (name.startsWith("--") && typeof value === "string") target.style.setProperty(name, value);
}

/** @param {string} css the host's `@font-face` rules; a second call replaces the first */
export function applyHostFonts(css) {
  const id = "mcp-gen-ui-host-fonts";
  const style = document.getElementById(id) ?? document.createElement("style");
  style.id = id;
  style.textContent = css;
  (document.head ?? document.documentElement).append(style);
}

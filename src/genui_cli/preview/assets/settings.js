// What the page remembers in this browser. A browser that forbids storage costs the memory, not the page.

const PREFIX = "mcp-gen-ui.preview.";

export function remembered(name, otherwise) {
  try {
    return localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Storage is off or full; the choice lasts as long as the page.
  }
}

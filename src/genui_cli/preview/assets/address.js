// The fragment of the address: the token once, and then what this page shows, for others to open.

import { remember, remembered } from "./settings.js";

function fragment() {
  return new URLSearchParams(location.hash.slice(1));
}

function replace(parts) {
  history.replaceState(null, "", parts.size ? `#${parts}` : location.pathname);
}

/** Take the token out of the address, so that it is neither seen nor copied, and return it. */
export function takeToken() {
  const parts = fragment();
  const token = parts.get("token");
  if (token === null) return remembered("token", "");
  remember("token", token);
  parts.delete("token");
  replace(parts);
  return token;
}

/** When the terminal's address is opened in this very tab only the fragment changes: begin again with it. */
export function beginAgainOnNewToken() {
  window.addEventListener("hashchange", () => fragment().has("token") && location.reload());
}

/** What the address says about `name`, or null. */
export function linked(name) {
  return fragment().get(name);
}

export function linkTo(tool) {
  return `#${new URLSearchParams({ tool })}`;
}

/** Change what the address says, without a new entry in the history; null takes a name out of it. */
export function settle(changes) {
  const parts = fragment();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parts.delete(name);
    else parts.set(name, value);
  }
  replace(parts);
}

// The fragment of the address: the token once, the chosen tool always.

import { remember, remembered } from "./settings.js";

function fragment() {
  return new URLSearchParams(location.hash.slice(1));
}

/** Take the token out of the address, so that it is neither seen nor copied, and return it. */
export function takeToken() {
  const parts = fragment();
  const token = parts.get("token");
  if (token === null) return remembered("token", "");
  remember("token", token);
  parts.delete("token");
  history.replaceState(null, "", parts.size ? `#${parts}` : location.pathname);
  return token;
}

/** When the terminal's address is opened in this very tab only the fragment changes: begin again with it. */
export function beginAgainOnNewToken() {
  window.addEventListener("hashchange", () => fragment().has("token") && location.reload());
}

/** The tool named by the address, or null. */
export function chosenName() {
  return fragment().get("tool");
}

export function linkTo(name) {
  return `#${new URLSearchParams({ tool: name })}`;
}

/** Name a tool in the address without a new entry in the history. */
export function settleOn(name) {
  history.replaceState(null, "", linkTo(name));
}

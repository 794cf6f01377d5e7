/** Leaves patterns to the server. @returns {boolean | undefined} */
export function matches() {
  return undefined;
}

/** @returns {any} none: a pattern is left to the server */
export function compile() {
  return undefined;
}

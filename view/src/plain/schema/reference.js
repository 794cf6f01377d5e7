/** A plain schema has no references. @returns {any} */
export function lookUp() {
  return undefined;
}

/** Leaves formats to the server. @returns {string} */
export function formatProblem() {
  return "";
}

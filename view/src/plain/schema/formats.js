/** Leaves patterns and formats to the server. @returns {string} */
export function formProblem() {
  return "";
}

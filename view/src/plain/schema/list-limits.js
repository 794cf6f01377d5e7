/** No field of a plain form is a list. @returns {string} */
export function listProblem() {
  return "";
}

/** No object of a plain form holds more than its own fields. @returns {undefined} */
export function restField() {
  return undefined;
}

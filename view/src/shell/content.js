/** What the host takes as the content of a message. @param {string} text */
export function contentOf(text) {
  return [{ type: "text", text }];
}

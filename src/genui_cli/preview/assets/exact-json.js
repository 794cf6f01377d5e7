// Numbers as they were written: `1.0` and integers beyond 2^53 survive for the eye, where the browser can.

const texts = new WeakMap();

/** Parse `text`; the object under `key` remembers how it was written. */
export function parsed(text, key) {
  const value = JSON.parse(text);
  if (typeof value[key] === "object" && value[key] !== null) texts.set(value[key], { text, key });
  return value;
}

/** A copy of `value` for showing, whose numbers print as the server wrote them. */
export function asWritten(value) {
  const written = texts.get(value);
  if (!written || typeof JSON.rawJSON !== "function") return value;
  return JSON.parse(written.text, exactNumber)[written.key];
}

/** The object or list that `text` holds as JSON, its numbers as written; undefined if it holds none. */
export function dataIn(text) {
  if (typeof text !== "string" || !/^\s*[{[]/.test(text)) return undefined;
  try {
    return typeof JSON.rawJSON === "function" ? JSON.parse(text, exactNumber) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function exactNumber(_key, value, context) {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return String(value) === context.source ? value : JSON.rawJSON(context.source);
}

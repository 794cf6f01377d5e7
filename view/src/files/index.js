/** Puts a file into a field for base64, in the pages of tools that ask for one; it stands before the kit's script, and finds the fields in the form. */
import { el } from "../kit/el.js";
import { byteSize } from "../kit/format.js";
import { entriesOf, isBranch, plain, propertiesOf, string, valuesOf } from "../kit/plain.js";
import { stated } from "../shell/page-data.js";

/** A larger file has no place in a call's arguments. */
const MOST_BYTES = 2 * 1024 * 1024;

/** The most characters that each binary member of a schema takes, by its name. @param {any} schema @param {Map<string, number>} found @returns {Map<string, number>} */
function binaryMembers(schema, found = new Map()) {
  for (const [name, one] of entriesOf(propertiesOf(schema))) {
    const { contentEncoding, format, maxLength } = plain(one);
    if (/^base64$/i.test(string(contentEncoding)) || /^(byte|binary|base64)$/.test(string(format)))
      found.set(name, maxLength ?? Infinity);
  }
  for (const inner of valuesOf(plain(schema))) if (isBranch(inner)) binaryMembers(inner, found);
  return found;
}

/** @param {Blob} file @returns {Promise<string>} */
function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(string(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** @param {any} control @param {number} characters that it takes */
function offerFile(control, characters) {
  const most = Math.min(MOST_BYTES, Math.floor(characters / 4) * 3);
  const said = el("span.hint", { role: "status" });
  const choose = async (/** @type {any} */ { target }) => {
    const [file] = target.files;
    if (!file) return;
    if (file.size > most) {
      target.value = "";
      said.textContent = `${file.name} has ${byteSize(file.size)}; this field takes ${byteSize(most)} at most.`;
      return;
    }
    try {
      control.value = await base64Of(file);
      control.dispatchEvent(new Event("input", { bubbles: true }));
      said.textContent = `${file.name}, ${byteSize(file.size)}`;
    } catch (/** @type {any} */ error) {
      said.textContent = `${file.name} cannot be read: ${error?.message ?? error}`;
    }
  };
  const label = `File for ${control.dataset.field}`;
  control.after(el("div.bar", el("input", { type: "file", "aria-label": label, onchange: choose }), said));
}

const members = binaryMembers(stated().tool?.inputSchema);
const offered = new WeakSet();
new MutationObserver(() => {
  for (const control of document.querySelectorAll("form textarea[data-field], form input[data-field]")) {
    const characters = members.get(
      string(/** @type {HTMLElement} */ (control).dataset.field).replace(/^.*\./, ""),
    );
    if (characters === undefined || offered.has(control)) continue;
    offered.add(control);
    offerFile(control, characters);
  }
}).observe(document, { childList: true, subtree: true });

import { click, element, exec, uncurried } from "./native.js";

const attribute = uncurried(Element.prototype.getAttribute);

/** The blobs that have an address now: no view can fetch its own addresses. @type {Map<string, Blob>} */
const blobs = new Map();

/**
 * Saves a text or a blob as a file.
 * @param {any} app @param {string} name @param {string | Blob} content @param {string} [type]
 */
export function save(app, name, content, type = "text/plain") {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  return saveFrom(app, name, URL.createObjectURL(blob), blob);
}

/**
 * Saves what an address holds: through the host where it does that, else as browsers do, which some sandboxes forbid.
 * @param {any} app @param {string} name @param {string} href @param {Blob} [blob]
 */
async function saveFrom(app, name, href, blob) {
  if (!app?.getHostCapabilities()?.downloadFile) {
    const link = Object.assign(element(document, "a"), { href, download: name });
    // Of the link as it is now: what a view has put in place of these functions sends the page nowhere.
    if (exec(/^(blob|data):/i, attribute(link, "href"))) click(link);
    return;
  }
  const [, mimeType, encoded, data = ""] =
    /^data:([^;,]*)[^,]*?(;base64)?,(.*)/s.exec(blob ? await dataUrl(blob) : href) ?? [];
  const resource = {
    uri: `file:///${encodeURIComponent(name)}`,
    mimeType: mimeType || "text/plain",
    ...(encoded ? { blob: data } : { text: decodeURIComponent(data) }),
  };
  await app.downloadFile({ contents: [{ type: "resource", resource }] });
}

/**
 * Lets a view save files by a link, as pages do that are not in a frame: the event's detail is the link that it
 * would click. Only content that the page itself holds is saved.
 * @param {() => any} app that speaks for the view by then
 */
export function installDownloads(app) {
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (content) => {
    const url = createObjectURL.call(URL, content);
    if (content instanceof Blob) blobs.set(url, content);
    return url;
  };
  URL.revokeObjectURL = (url) => {
    blobs.delete(url);
    revokeObjectURL.call(URL, url);
  };
  document.addEventListener("mcp-gen-ui-download", (event) => {
    const { href, download } = /** @type {CustomEvent} */ (event).detail;
    const blob = blobs.get(href);
    if (blob || /^data:/i.test(href)) saveFrom(app(), download || "download", href, blob).catch(console.warn);
  });
}

/** @param {Blob} blob @returns {Promise<string>} */
function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = reject;
    reader.readAsDataURL(blob);
  });
}

import { messageOf, string } from "../kit/plain.js";
/** @import { Plain } from "../kit/plain.js" */

const CALL_TIMEOUT_MS = 10 * 60_000;

/**
 * What a page asks of its host. Where the host refuses anything but a call, the console says so.
 * @param {any} app
 * @param {Plain} tool the page's own
 */
export function hostOf(app, tool) {
  const asked = (/** @type {string} */ what, /** @type {Promise<any>} */ answer) =>
    answer.catch((error) => console.warn(`The host did not ${what}: ${messageOf(error)}`));
  return {
    /** Resolves with the result, whatever it is. @param {string} name @param {object} args @returns {Promise<any>} */
    callTool: (name, args) => app.callServerTool({ name: nameAtHost(app, string(tool.name), name), arguments: args }, { timeout: CALL_TIMEOUT_MS }),
    openLink: (/** @type {string} */ url) => asked("open a link", app.openLink({ url })),
    download: (/** @type {object} */ resource) => asked("save a file", app.downloadFile({ contents: [{ type: "resource", resource }] })),
    tellModel: (/** @type {string} */ text) => asked("tell the model", app.updateModelContext({ content: [{ type: "text", text }] })),
  };
}

/**
 * What the host calls a tool. Gateways put a word before the names of tools: the one that the
 * page's own got is the one that the others have.
 * @param {any} app @param {string} own @param {string} name
 */
function nameAtHost(app, own, name) {
  const known = string(app.getHostContext()?.toolInfo?.tool?.name) || own;
  if (name === own) return known;
  return own && known.endsWith(own) ? known.slice(0, -own.length) + name : name;
}

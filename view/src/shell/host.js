import { messageOf } from "../kit/plain.js";
import { nameAtHost } from "../runtime/gate.js";

const CALL_TIMEOUT_MS = 10 * 60_000;

/**
 * What a page asks of its host. Where the host refuses anything but a call, the console says so.
 * @param {any} app
 */
export function hostOf(app) {
  const asked = (/** @type {string} */ what, /** @type {Promise<any>} */ answer) =>
    answer.catch((error) => console.warn(`The host did not ${what}: ${messageOf(error)}`));
  return {
    /** Resolves with the result, whatever it is. @param {string} name @param {object} args @param {AbortSignal} [signal] @returns {Promise<any>} */
    callTool: (name, args, signal) => app.callServerTool({ name: nameAtHost(name), arguments: args }, { timeout: CALL_TIMEOUT_MS, signal }),
    setDisplayMode: (/** @type {string} */ mode) => asked("change the display", app.requestDisplayMode({ mode })),
    openLink: (/** @type {string} */ url) => asked("open a link", app.openLink({ url })),
    download: (/** @type {object} */ resource) => asked("save a file", app.downloadFile({ contents: [{ type: "resource", resource }] })),
    ask: (/** @type {string} */ text) => asked("send a message", app.sendMessage({ role: "user", content: [{ type: "text", text: `${text}` }] })),
    tellModel: (/** @type {string} */ text) => asked("tell the model", app.updateModelContext({ content: [{ type: "text", text }] })),
  };
}

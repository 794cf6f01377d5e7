import { messageOf } from "../kit/plain.js";
import { nameAtHost } from "../runtime/gate.js";

const CALL_TIMEOUT_MS = 10 * 60_000;

/** Says in the console what the host refused. @param {string} what @param {Promise<any>} answer */
export function asked(what, answer) {
  return answer.catch((error) => console.warn(`The host did not ${what}: ${messageOf(error)}`));
}

/**
 * What a page asks of its host. Where the host refuses anything but a call, the console says so.
 * @param {any} app
 */
export function hostOf(app) {
  return {
    /** Resolves with the result, whatever it is. @param {string} name @param {object} args @param {AbortSignal} [signal] @returns {Promise<any>} */
    callTool: (name, args, signal) =>
      app.callServerTool({ name: nameAtHost(name), arguments: args }, { timeout: CALL_TIMEOUT_MS, signal }),
    setDisplayMode: (/** @type {string} */ mode) =>
      asked("change the display", app.requestDisplayMode({ mode })),
    openLink: (/** @type {string} */ url) => asked("open a link", app.openLink({ url })),
    download: (/** @type {object} */ resource) =>
      asked("save a file", app.downloadFile({ contents: [{ type: "resource", resource }] })),
  };
}

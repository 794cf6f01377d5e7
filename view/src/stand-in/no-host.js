/** @import { StandIn } from "./install.js" */

const NO_HOST = "No MCP host shows this page, and so its tool cannot be run here.";
const ADVICE = "The page was opened by itself. It works where a host shows it, or a server hands it out.";

/**
 * Stands in where the page is a window of its own: the view starts, and says what it cannot do.
 * @returns {StandIn}
 */
export function noHost() {
  return {
    answer(method, { protocolVersion }) {
      if (method !== "ui/initialize") throw new Error(NO_HOST);
      const words = document.createElement("aside");
      words.style.cssText =
        "margin:12px;padding:8px 12px;border:1px solid;border-radius:6px;font:13.5px/1.5 system-ui,sans-serif";
      words.textContent = `${NO_HOST} ${ADVICE}`;
      document.body?.prepend(words);
      return {
        protocolVersion,
        hostInfo: { name: "none", version: "1" },
        hostCapabilities: {},
        hostContext: {},
      };
    },
    notice() {},
  };
}

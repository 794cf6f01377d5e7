/** What follows the kit on a page that leaves the wrapper: in a file, in a result, in somebody else's server. */
import { installStandIn } from "./stand-in/install.js";

installStandIn(/** @type {any} */ (globalThis).McpGenUi.PostMessageTransport);

import { App } from "./app.js";
import { installBlockedSubmit } from "./blocked-submit.js";
import { installDownloads } from "./downloads.js";
import { applyHostStyle } from "./host-style.js";
import { installLinks } from "./links.js";
import { sealTransport } from "./transport.js";
import { showMissingTexts } from "./missing-texts.js";

/**
 * Makes the page ready for a document, which brings all else itself: it follows the host's theme and
 * variables, its links leave through the host, its forms submit in every sandbox, and the texts of a result that it
 * does not show stand below it.
 * @param {(app: any) => void} [made] called with every App that the document makes
 * @param {(context: any) => void} [follow] is told what the host says of itself, at first and when it changes
 */
export function prepareDocument(made, follow) {
  sealTransport();
  App.onresult = showMissingTexts;
  /** @type {any} */
  let last;
  App.made = (app) => {
    last = app;
    made?.(app);
    const { connect } = app;
    const look = () => {
      applyHostStyle(app.getHostContext());
      follow?.(app.getHostContext());
    };
    app.connect = async (/** @type {any[]} */ ...how) => {
      await connect(...how);
      look();
    };
    app.addEventListener("hostcontextchanged", look);
  };
  installBlockedSubmit();
  installDownloads(() => last);
  installLinks((url) => last?.openLink({ url }).catch(console.warn));
}

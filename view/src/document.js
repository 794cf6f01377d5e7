import { Show } from "./kit/result/show.js";
import { uiOf } from "./kit/ui.js";
import { App } from "./runtime/app.js";
import { installBlockedSubmit } from "./runtime/blocked-submit.js";
import { askingOf } from "./shell/asking.js";
import { copyText } from "./shell/copy.js";
import { installLinks } from "./shell/links.js";
import { readPageData } from "./shell/page-data.js";
import { followLook } from "./shell/theme.js";

/** The App that the document made last. @type {any} */
let app;

const asking = askingOf(() => {
  if (!app) throw new Error("Nobody listens yet: make an App and connect it first");
  return app;
}, readPageData().tool);

/** What a document imports from `@mcp-gen-ui/kit`. */
export const ui = Object.freeze(uiOf(() => new Show({ openLink: asking.openLink, copy: copyText }), asking));

/**
 * Makes the page ready for a document, which brings all else itself: it follows the host's theme,
 * variables and numbers, its links leave through the host, and its forms submit in every sandbox.
 */
export function prepareDocument() {
  App.made = (made) => {
    app = made;
    const { connect } = made;
    const follow = () => followLook(made.getHostContext());
    made.connect = async (/** @type {any[]} */ ...how) => {
      await connect(...how);
      follow();
    };
    made.addEventListener("hostcontextchanged", follow);
  };
  installBlockedSubmit();
  installLinks(asking.openLink);
}

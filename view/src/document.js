import { speak } from "./kit/locale.js";
import { plain } from "./kit/plain.js";
import { Show } from "./kit/result/show.js";
import { uiOf } from "./kit/ui.js";
import { prepareDocument } from "./runtime/document.js";
import { askingOf } from "./shell/asking.js";
import { copyText } from "./shell/copy.js";
import { readPageData } from "./shell/page-data.js";

/** The App that the document made last. @type {any} */
let app;

const asking = askingOf(() => {
  if (!app) throw new Error("No App is connected yet");
  return app;
}, readPageData().tool);

const show = new Show({ openLink: asking.openLink, copy: copyText });
let serial = 0;

/** What a document imports from `@mcp-gen-ui/kit`. */
export const ui = Object.freeze(uiOf((part) => show.at(`${part} ${serial++}`, {}), asking, show));

/** Makes the page ready for a document that draws with the kit: it writes numbers and dates as the host does. */
export function prepareDocumentWithKit() {
  prepareDocument(
    (made) => {
      app = made;
    },
    (context) => speak(plain(context)),
  );
}

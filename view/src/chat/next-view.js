import { isString, plain } from "../kit/plain.js";
import { stated } from "../shell/page-data.js";
import { listenTo } from "./selected.js";
import { contentOf } from "../shell/content.js";
/** @import { Page } from "./index.js" */

/** Between two questions; some hosts ask the person about a call. */
const FOCUS_MS = 60_000;
/** What a person came to press goes first. */
const SOON_MS = 500;

/**
 * Offers the next view of the tool in a page that cannot put it into its place: the chat shows it when it calls the tool again.
 * @param {Page} page
 * @param {(args: object) => Promise<any>} ask
 */
export function nextView({ app, tool }, ask) {
  const { version: have } = plain(stated().live);
  let askedMs = -FOCUS_MS;
  let isOver = false;

  const look = async () => {
    if (isOver || document.hidden || performance.now() < askedMs + FOCUS_MS) return;
    askedMs = performance.now();
    const { version } = await ask({ have, waitMs: 0 });
    isOver ||= version !== have;
    if (!isString(version) || version === have) return;
    // The kit's own makers of elements would stand in this script a second time.
    const [offer, act] = ["span", "button"].map((name) => document.createElement(name));
    offer.className = "chip news";
    act.className = "link";
    act.textContent = "Show the new view";
    act.onclick = () => {
      offer.remove();
      app
        .sendMessage({ role: "user", content: contentOf(`Show ${tool.name} again in its new view.`) })
        .catch(console.warn);
    };
    offer.append(act);
    document.querySelector(".who")?.after(offer);
  };
  return {
    begin() {
      if (app.yielding || !app.getHostCapabilities()?.message) return;
      const lookSoon = () => setTimeout(look, SOON_MS);
      addEventListener("focus", lookSoon);
      listenTo("visibilitychange", lookSoon);
    },
  };
}

import { startAdaptiveView } from "../auto.js";
import { el, quietButton } from "../kit/el.js";
import { plain } from "../kit/plain.js";
import { App } from "../runtime/app.js";
import { PostMessageTransport } from "../runtime/transport.js";
import { contentOf } from "../shell/content.js";
import { stated } from "../shell/page-data.js";
import { polling } from "./poll.js";
import { swappable } from "./swap.js";

/** How long a person may take an update back. */
const UNDO_MS = 10_000;

/** Says what is new in the header, with something to do about it. @param {string} words @param {string} label @param {() => void} act */
function offer(words, label, act) {
  document.querySelector("header .news")?.remove();
  const news = el(
    "span.chip.news",
    { role: "status" },
    words,
    quietButton(
      label,
      () => {
        news.remove();
        act();
      },
      { class: "link" },
    ),
  );
  document.querySelector(".who")?.after(news);
  return news;
}

/** The page of a tool that shows the next view as soon as it is there. @param {boolean} isWritten whether it begins with a written view */
export function startLiveView(isWritten) {
  const line = PostMessageTransport.line();
  const { live, tool } = stated();
  const { tool: asks, version, pending } = plain(live);
  const { name } = plain(tool);
  /** @type {ReturnType<typeof swappable>} */
  let drawing;
  /** @type {any} */
  let host;
  const { poll, stop, yielding, rollBack } = polling(line, {
    asks,
    tool: name,
    have: version,
    pending,
    settled: () => document.querySelector(".brief:has(.ring)")?.remove(),
    async show(answer) {
      // A document cannot be shown in this page.
      if (answer.document) {
        offer("", "Show the new view", () => {
          host
            .sendMessage({
              role: "user",
              content: contentOf(`Show ${name} again in its new view.`),
            })
            .catch(console.warn);
        });
        return true;
      }
      const isDrawn = await drawing.show(answer);
      const { choice, undo } = answer;
      if (isDrawn && choice) offer(`Variant ${choice.shown}/2`, "Show the other", () => rollBack(choice));
      else if (isDrawn && undo) {
        const news = offer("Updated", "Undo", () => rollBack(undo));
        setTimeout(() => news.remove(), UNDO_MS);
      }
      return isDrawn;
    },
  });
  App.made = (app) => {
    const { connect, callServerTool } = (host = app);
    app.yielding = yielding;
    app.connect = async () => {
      await connect();
      // After the question for the page's state, which would take this one back.
      if (pending) setTimeout(poll);
    };
    app.callServerTool = (/** @type {any[]} */ ...call) => yielding(() => callServerTool(...call));
    app.onteardown = () => {
      stop();
      return {};
    };
  };
  return startAdaptiveView((around) => {
    drawing = swappable(around, isWritten);
    return drawing.draw;
  });
}

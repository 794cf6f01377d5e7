import { startAdaptiveView } from "../auto.js";
import { plain, string } from "../kit/plain.js";
import { App } from "../runtime/app.js";
import { PostMessageTransport } from "../runtime/transport.js";
import { stated } from "../shell/page-data.js";
import { polling } from "./poll.js";
import { swappable } from "./swap.js";

/** The page of a tool whose view is being written: the minimal view, and the written one as soon as it is there. */
export function startLiveView() {
  const line = PostMessageTransport.line();
  const { live, tool } = stated();
  const { tool: asks, version } = plain(live);
  /** @type {ReturnType<typeof swappable>} */
  let drawing;
  const settled = () => document.querySelector("header .ring")?.parentElement?.remove();
  const { poll, stop, yielding } = polling(line, {
    asks: string(asks), tool: string(plain(tool).name), have: string(version), settled,
    show: (answer) => drawing.show(answer),
  });
  App.made = (app) => {
    const { connect, callServerTool } = app;
    app.connect = async () => {
      await connect();
      poll();
    };
    app.callServerTool = (/** @type {any[]} */ ...call) => yielding(() => callServerTool(...call));
    app.onteardown = () => {
      stop();
      return {};
    };
  };
  return startAdaptiveView((around) => {
    drawing = swappable(around);
    return drawing.draw;
  });
}

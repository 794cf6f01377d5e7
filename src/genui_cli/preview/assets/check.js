// Shows one view to the program that drives this page (mcp-gen-ui check). The host is that of the preview, but no
// call of a tool reaches the upstream: the program's stories answer it.

import { rpc, session } from "./api.js";
import { byId } from "./dom.js";
import { HostChoices } from "./host-choices.js";
import { Refusal } from "./view-peer.js";
import { ViewSlot } from "./view-slot.js";

const READY_WITHIN_MS = 8000;
const seen = { calls: [], issues: [] };
let answers = {};
let host = null;

async function called(params) {
  if (params.name.startsWith("_ui_")) return rpc("tools/call", params);
  seen.calls.push(params);
  const { result, error } = answers[params.name] ?? { error: { message: `No story answers ${params.name}` } };
  if (error) throw new Refusal(error.code ?? -32000, error.message);
  return result;
}

const slot = new ViewSlot(
  { card: byId("card"), chip: byId("state") },
  {
    session: await session(),
    choices: new HostChoices(),
    toolNamed: () => undefined,
    events: {
      called,
      link: () => ({ isError: true }),
      said: () => {},
      logged: () => {},
      message: () => {},
      diagnostic: (issue) => seen.issues.push(issue),
    },
  },
);

window.check = {
  seen,
  /** Show a view, and answer its calls with the result or error of each tool; tell whether it became ready in time. */
  mount({ tool, resource, answeredBy }) {
    answers = answeredBy;
    host = slot.hold(tool, resource);
    const late = new Promise((resolve) => {
      setTimeout(resolve, READY_WITHIN_MS, false);
    });
    return Promise.race([host.initialized.then(() => true), late]);
  },
  /** Tell the view of a call by the model: its arguments, and its result or error where there is one. */
  async tell({ args, result, error }) {
    await host.toolInput(args);
    if (result) await host.toolResult(result);
    else if (error) await host.toolCancelled(error.message);
  },
  /** Where the card is, in CSS pixels. */
  place() {
    const { x, y, width, height } = byId("card").getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  },
};

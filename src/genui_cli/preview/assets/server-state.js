// Following the server: its state, its notifications, and the stream breaking and coming back.

import { events, progressed } from "./api.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/**
 * Call `onState`, `onNotification` and, when files changed that the server had read, `onChanged(source)`, for ever;
 * `onLost(message)` whenever the preview stops answering.
 */
export async function followServer({ onState, onNotification, onChanged, onLost }) {
  let wait = FIRST_WAIT_MS;
  for (;;) {
    try {
      for await (const event of events()) {
        wait = FIRST_WAIT_MS;
        if (event.type === "state") onState(event);
        else if (event.type === "changed") onChanged(event.source);
        else if (event.message.method === "notifications/progress") progressed(event.message.params ?? {});
        else onNotification(event.message);
      }
      onLost("The preview has ended. Start it again in the terminal.");
    } catch (failure) {
      onLost(failure.message);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, wait);
    });
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

import { isString, list, parseJson, plain, string } from "../kit/plain.js";
import { nameAtHost } from "../runtime/gate.js";

/** How long the wrapper may keep a page waiting, and how much longer the page waits for its host. */
const WAIT_MS = 20_000;
const GRACE_MS = 10_000;
/** Between two questions while a view is being made, and where nothing says so. */
const PAUSE_MS = 2_000;
const FOCUS_MS = 60_000;
/** What a person came to press goes first. */
const SOON_MS = 500;
const nowMs = () => performance.now();

/**
 * @typedef {object} Line to the host
 * @property {(message: unknown) => void} post
 * @property {(hear: (data: any) => void) => () => void} listen
 */

/**
 * Asks the wrapper for the view that the page should show: again and again while one is being made, else when the page
 * gets the focus. A refusal of the host, or no answer, ends that for good.
 * @param {Line} line
 * @param {{ asks: string, tool: string, have: string, pending: boolean, show: (answer: any) => Promise<boolean>, settled: () => void }} options
 *   `asks`: the wrapper's tool, `tool`: the page's, `have`: the version on the page, `pending`: whether another is being made,
 *   `show`: gets the answer with another version and tells whether the page shows it, `settled`: called when no view is being made any more
 */
export function polling(line, { asks, tool, have, pending: isPending, show, settled }) {
  let serial = 0;
  let calls = 0;
  let lastMs = -FOCUS_MS;
  let isOver = false;
  let isBusy = false;
  /** Whether it had to ask while a call of the page was open. */
  let isLate = false;
  /** Ends the open question. @type {((answer?: any) => void) | undefined} */
  let end;
  /** @type {string} */
  let openId;
  /** @type {any} */
  let delayed;

  line.listen((data) => {
    if (data?.jsonrpc === "2.0" && data.id === openId && !data.method) end?.(data);
  });
  const stop = () => {
    isOver = true;
    cancel();
    settled();
  };
  /** Takes the open question back. */
  const cancel = () => {
    if (!end) return;
    line.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: openId } });
    end("cancelled");
  };
  const request = (/** @type {string} */ name, /** @type {object} */ args, withinMs = WAIT_MS) =>
    new Promise((resolve) => {
      openId = `mcp-gen-ui-view-${++serial}`;
      const timer = setTimeout(() => end?.(), withinMs + GRACE_MS);
      end = (answer) => {
        clearTimeout(timer);
        end = undefined;
        resolve(answer);
      };
      line.post({
        jsonrpc: "2.0",
        id: openId,
        method: "tools/call",
        params: { name: nameAtHost(name), arguments: { toolName: tool, ...args } },
      });
    });

  const poll = async (/** @type {object | undefined} */ more = undefined) => {
    isLate = calls > 0;
    if (isOver || isBusy || isLate) return;
    isBusy = true;
    lastMs = nowMs();
    const waitMs = isPending ? WAIT_MS : 0;
    const answer = await request(asks, { have, waitMs, ...more }, waitMs);
    let isDrawn = true;
    if (answer !== "cancelled") {
      const told = answerIn(answer?.result);
      if (!told) return stop();
      isPending = told.state === "pending";
      if (told.version !== have) {
        have = told.version;
        isDrawn = await show(told);
      }
      if (!isPending) settled();
    }
    isBusy = false;
    if (!isDrawn) poll({ broken: true });
    else if (isPending) setTimeout(poll, PAUSE_MS + lastMs - nowMs());
  };
  /** Asks soon, or when the minute is over if the page has the focus then. */
  const onFocus = () => {
    if (isPending || document.hidden) return;
    const restMs = lastMs + FOCUS_MS - nowMs();
    clearTimeout(delayed);
    delayed =
      restMs > 0 ? setTimeout(() => document.hasFocus() && onFocus(), restMs) : setTimeout(poll, SOON_MS);
  };
  addEventListener("focus", onFocus);
  document.addEventListener("visibilitychange", onFocus);
  addEventListener("pagehide", stop);

  /** Makes way for a call of the page. @template T @param {() => Promise<T>} call @returns {Promise<T>} */
  const yielding = async (call) => {
    calls++;
    cancel();
    try {
      return await call();
    } finally {
      calls--;
      if (isPending || isLate) poll();
    }
  };
  return {
    poll,
    stop,
    yielding,
    /** Gives the tool a version that it had, and asks for it. @param {any} undo */
    async rollBack({ tool: rollsBack, version }) {
      await yielding(() => request(rollsBack, { version }));
      poll();
    },
  };
}

/** What the wrapper says; undefined for an error, and for anything else. @param {any} result */
function answerIn(result) {
  const { structuredContent, content, isError } = plain(result);
  const told = plain(structuredContent ?? parseJson(string(plain(list(content)[0]).text)));
  return !isError && isString(told.version) && isString(told.state) ? told : undefined;
}

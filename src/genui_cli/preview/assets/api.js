// The page's own API: requests to the server, and the stream of what happens.

import { takeToken } from "./address.js";
import { parsed } from "./exact-json.js";

const token = takeToken();

/** A JSON-RPC error, or the failure to get any answer (code null). */
export class RpcError extends Error {
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }

  asWire() {
    return {
      code: this.code ?? -32000,
      message: this.message,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
  }
}

async function ask(path, init = {}) {
  const headers = { "x-preview-token": token, ...(init.body ? { "content-type": "application/json" } : {}) };
  let response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new RpcError({
      code: null,
      message: "The preview is not answering. Is it still running in the terminal?",
    });
  }
  if (!response.ok) throw new RpcError({ code: null, message: await response.text() });
  return response;
}

export async function session() {
  return (await ask("/api/session")).json();
}

export async function restart() {
  await ask("/api/restart", { method: "POST", body: "{}" });
}

/** Send one request to the server and return its result; a failure is an RpcError. */
export async function rpc(method, params = {}, signal = undefined) {
  const response = await ask("/api/rpc", {
    method: "POST",
    body: JSON.stringify({ method, params }),
    signal,
  });
  const answer = parsed(await response.text(), "result");
  if (answer.error) throw new RpcError(answer.error);
  return answer.result;
}

const progressListeners = new Map();

/** As `rpc`; `onProgress` gets each progress report: its `message`, `progress` and `total`. */
export async function rpcWithProgress(method, params, signal, onProgress) {
  if (params._meta?.progressToken !== undefined) return rpc(method, params, signal);
  const progressToken = crypto.randomUUID();
  progressListeners.set(progressToken, onProgress);
  try {
    return await rpc(method, { ...params, _meta: { ...params._meta, progressToken } }, signal);
  } finally {
    progressListeners.delete(progressToken);
  }
}

/** Give a progress report to the listener of its request. */
export function progressed({ progressToken, ...report }) {
  progressListeners.get(progressToken)?.(report);
}

let told = Promise.resolve();

/** Send the preview a value, after those before it; does not wait for the answer and ignores errors. */
export function tell(path, value) {
  const body = JSON.stringify(value);
  told = told.then(() => ask(path, { method: "POST", body })).catch(() => {});
}

/** Yield the events of one connection until it ends. */
export async function* events() {
  const response = await ask("/api/events");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop();
      for (const block of blocks) if (block.startsWith("data: ")) yield JSON.parse(block.slice(6));
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// Calls of the chosen tool: by the model (this page), or by the view through its host.

import { rpcWithProgress, RpcError } from "./api.js";

export class Calls {
  /** `runBar` shows the newest call while it runs; `showResult()` is called when the model calls. */
  constructor({ stage, panel, results, diary, runBar, showResult }) {
    this.#runBar = runBar;
    this.#stage = stage;
    this.#panel = panel;
    this.#results = results;
    this.#diary = diary;
    this.#showResult = showResult;
  }

  #stage;
  #panel;
  #results;
  #diary;
  #showResult;
  #runBar;
  #underWay = null;
  /** Only the newest call may show itself: an older one that ends late must not cover it. */
  #newest = 0;
  /** The last call by the model per tool: what a host would give a view that it mounts again. */
  #last = new Map();

  cancel() {
    this.#underWay?.abort();
  }

  async byTheModel(tool, args) {
    const abort = (this.#underWay = new AbortController());
    this.#panel.running(true);
    const view = this.#stage.forACall();
    view.then((host) => host?.toolInput(args));
    try {
      const result = await this.#called("model", { name: tool.name, arguments: args }, abort);
      this.#last.set(tool.name, { args, result });
      (await view)?.toolResult(result);
    } catch (failure) {
      // A host has no result to give here; what it can say is that there will be none.
      (await view)?.toolCancelled(abort.signal.aborted ? "Cancelled in the preview" : failure.message);
    } finally {
      if (this.#underWay === abort) this.#finish();
    }
  }

  byTheView(params, signal) {
    const abort = new AbortController();
    signal?.addEventListener("abort", () => abort.abort());
    this.#panel.mirror(params);
    return this.#called("view", params, abort);
  }

  /** Give a view that was mounted again what the one before it had; a host that forgets has an empty result. */
  replay(tool, host, { forgets = false } = {}) {
    const last = this.#last.get(tool.name);
    if (!last || !host) return;
    host.toolInput(last.args);
    host.toolResult(forgets ? { content: [], structuredContent: {} } : last.result);
  }

  /** Leave what is under way to its tool; its result is no longer awaited here. */
  leave() {
    this.#newest += 1;
    this.cancel();
    this.#finish();
    this.#results.clear();
  }

  #finish() {
    this.#underWay = null;
    this.#panel.running(false);
  }

  async #called(by, params, abort) {
    const { signal } = abort;
    const began = performance.now();
    const own = (this.#newest += 1);
    const show = (state, facts) => {
      if (own === this.#newest)
        this.#results[state]({ by, milliseconds: performance.now() - began, ...facts });
    };
    show("calling");
    this.#diary.note("called", { by, tool: params.name, arguments: params.arguments });
    const answered = (facts) => {
      show("answered", facts);
      this.#diary.note("answered", {
        by,
        tool: params.name,
        milliseconds: Math.round(performance.now() - began),
        ...facts,
      });
    };
    if (by === "model") this.#showResult();
    const run = this.#runBar.start(params.name, () => abort.abort());
    try {
      const result = await rpcWithProgress("tools/call", params, signal, run.progress);
      answered({ result });
      return result;
    } catch (failure) {
      if (!signal.aborted) answered({ error: asError(failure) });
      else {
        show("cancelled");
        this.#diary.note("cancelled", { by, tool: params.name });
      }
      throw failure;
    } finally {
      run.end();
    }
  }
}

function asError(failure) {
  return failure instanceof RpcError
    ? failure.asWire()
    : { code: -32603, message: String(failure.message ?? failure) };
}

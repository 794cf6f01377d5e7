// The host's side of one mounted view: its answers to the view, and what it tells the view.

import { rpc } from "./api.js";
import { has } from "./profiles.js";
import { belongsToTheWrapper, isForTheModel, isForViews } from "./tools.js";
import { ViewFrame } from "./view-frame.js";
import { INVALID_PARAMS, Refusal, ViewPeer } from "./view-peer.js";

const PROTOCOL_VERSION = "2026-01-26";
const GOODBYE_MS = 500;
const TOOL_MS = 5000;
const FORWARDED = ["resources/list", "resources/read", "resources/templates/list", "prompts/list", "ping"];
export class ViewHost {
  /**
   * `events` has a function for each thing that a view does to its host: `initialized`, `sized`, `called`,
   * `link`, `said`, `logged`, `leaving`, `displayed`, `diagnostic`, `message`.
   */
  constructor({ port, kind, profile, resource, label, version, context, toolNamed, events }) {
    this.#profile = profile;
    this.#context = context;
    this.#version = version;
    this.#toolNamed = toolNamed;
    this.#events = events;
    this.initialized = new Promise((resolve) => {
      this.#sayInitialized = resolve;
    });
    this.#frame = new ViewFrame({
      port,
      kind,
      profile,
      resource,
      label,
      onMessage: (message) => this.#peer.receive(message),
      onDiagnostic: (diagnostic) => events.diagnostic(diagnostic),
    });
    this.#peer = new ViewPeer({
      post: (message) => this.#frame.send(message),
      requests: this.#requests(),
      notifications: this.#notifications(),
      record: (from, message) => events.message(from, message),
    });
    this.element = this.#frame.element;
  }

  #profile;
  #context;
  #version;
  #toolNamed;
  #events;
  #frame;
  #peer;
  #sayInitialized;
  #greeted = false;
  #offersTools = false;
  /** Whether this view already got its tool input: in a chat, another call is another view. */
  used = false;

  async toolInput(args) {
    this.used = true;
    await this.initialized;
    this.#peer.notify("ui/notifications/tool-input", { arguments: args });
  }

  async toolResult(result) {
    await this.initialized;
    this.#peer.notify("ui/notifications/tool-result", this.#asPassedOn(result));
  }

  async toolCancelled(reason) {
    await this.initialized;
    this.#peer.notify("ui/notifications/tool-cancelled", { reason });
  }

  /** Change part of the context; a view that has not asked for it yet will get it whole. */
  contextChanged(part) {
    Object.assign(this.#context, part);
    if (this.#greeted) this.#peer.notify("ui/notifications/host-context-changed", part);
  }

  /** The tools that the view offers to an agent; none where it offers none. */
  async tools() {
    await this.initialized;
    const answer = this.#offersTools ? await this.#peer.ask("tools/list", {}, TOOL_MS) : null;
    return answer?.result?.tools ?? [];
  }

  /** Call a tool of the view, as an agent does; the answer is its result or an error. */
  async callTool(name, args) {
    const answer = await this.#peer.ask("tools/call", { name, arguments: args }, TOOL_MS);
    return answer?.result ?? answer?.error ?? { message: "The view did not answer." };
  }

  /** Let the view clean up, for a moment, and take it away. */
  async close() {
    if (this.#greeted) await this.#peer.ask("ui/resource-teardown", {}, GOODBYE_MS);
    this.#peer.close();
    this.#frame.remove();
  }

  #requests() {
    const forwarded = FORWARDED.map((method) => [method, (params, signal) => rpc(method, params, signal)]);
    return {
      ...Object.fromEntries(forwarded),
      "ui/initialize": (params) => this.#greet(params),
      "tools/call": (params, signal) => this.#call(params, signal),
      "ui/open-link": (params) => this.#events.link(params),
      "ui/message": (params) => this.#said("message", params),
      "ui/update-model-context": (params) => this.#said("context", params),
      "ui/request-display-mode": ({ mode }) => this.#display(mode),
    };
  }

  #notifications() {
    return {
      "ui/notifications/initialized": () => {
        this.#sayInitialized();
        this.#events.initialized();
      },
      "ui/notifications/size-changed": (size) => this.#events.sized(size),
      "ui/notifications/request-teardown": () => this.#events.leaving(),
      "notifications/message": (params) => this.#events.logged(params),
    };
  }

  #greet({ appCapabilities }) {
    this.#greeted = true;
    this.#offersTools = Boolean(appCapabilities?.tools);
    if (has(this.#profile, "eagerInput")) setTimeout(this.#sayInitialized);
    return {
      protocolVersion: PROTOCOL_VERSION,
      hostInfo: { name: "mcp-gen-ui-preview", version: this.#version },
      hostCapabilities: this.#profile.capabilities,
      hostContext: this.#context,
    };
  }

  async #call(params, signal) {
    const tool = this.#toolNamed(params.name);
    if (tool && !isForViews(tool)) throw new Refusal(INVALID_PARAMS, `${params.name} is not for views`);
    // What a page asks the wrapper about itself is no call that a person wants to see.
    if (tool && belongsToTheWrapper(tool) && !isForTheModel(tool)) return rpc("tools/call", params, signal);
    return this.#asPassedOn(await this.#events.called(params, signal));
  }

  #asPassedOn(result) {
    if (!has(this.#profile, "textOnly")) return result;
    const { structuredContent: _left, ...rest } = result;
    return rest;
  }

  /** Show the view in another way, if this kind of host has it; the answer is the way it is shown. */
  #display(mode) {
    const given = this.#profile.modes.includes(mode) ? mode : "inline";
    this.#events.displayed(given);
    this.contextChanged({ displayMode: given });
    return { mode: given };
  }

  #said(kind, params) {
    this.#events.said(kind, params);
    return {};
  }
}

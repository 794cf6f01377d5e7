// The tools that the view offers to the host's agent: here the person calls them in its place.

import { el } from "./dom.js";

export class AgentTools {
  constructor({ section, select, args, call, answer }) {
    Object.assign(this, { section, select, args, call, answer });
    call.addEventListener("click", () => this.#call());
    select.addEventListener("change", () => this.#chosen());
  }

  #host = null;
  #tools = [];

  /** Offer the tools of a view that was mounted; a view without any hides the section. */
  async show(host) {
    this.#host = host;
    this.section.hidden = true;
    const tools = await host.tools();
    if (this.#host !== host) return;
    this.#tools = tools;
    this.section.hidden = tools.length === 0;
    this.select.replaceChildren(
      ...tools.map(({ name, title }) => el("option", { value: name }, title ?? name)),
    );
    this.#chosen();
  }

  #chosen() {
    const properties = Object.keys(
      this.#tools.find(({ name }) => name === this.select.value)?.inputSchema?.properties ?? {},
    );
    this.args.placeholder = properties.length ? `{} or with ${properties.join(", ")}` : "{}";
    this.args.value = "";
    this.answer.textContent = "";
  }

  async #call() {
    try {
      const given = JSON.parse(this.args.value.trim() || "{}");
      this.answer.textContent = JSON.stringify(await this.#host.callTool(this.select.value, given), null, 2);
    } catch (mistake) {
      this.answer.textContent = `Not JSON: ${mistake.message}`;
    }
  }
}

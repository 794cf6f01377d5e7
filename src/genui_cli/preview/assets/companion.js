// The companion page: the calls of an agent's session, each as a view, and what the person does in them.

import { linked, settle } from "./address.js";
import { events, rpc, session } from "./api.js";
import { Banner } from "./banner.js";
import { Diary } from "./diary.js";
import { byId, el, parts } from "./dom.js";
import { HostChoices } from "./host-choices.js";
import { LinkDialog } from "./link-dialog.js";
import { RefineBar } from "./refine-bar.js";
import { STAGE_PARTS, Stage } from "./stage.js";
import { belongsToTheWrapper, listTools } from "./tools.js";
import { Whispers } from "./whispers.js";
import { WrapperTools } from "./wrapper-tools.js";

const WAIT_MS = 1500;
const NOTHING = { form: { hidden: true }, show() {} };

class Session {
  constructor(facts) {
    const diary = {
      describe: (part) => this.#diary.describe(part),
      note: (kind, told) => this.#noted(kind, told),
    };
    const links = new LinkDialog(
      parts({ dialog: "link-dialog", address: "link-address", open: "link-open" }),
    );
    const whispers = new Whispers(byId("said"), diary);
    this.#stage = new Stage(parts(STAGE_PARTS), {
      session: facts,
      choices: new HostChoices(),
      toolNamed: (name) => this.#tools.find((tool) => tool.name === name),
      onReload: () => this.#show(this.#chosen),
      events: {
        called: (params, signal) => this.#called(params, signal),
        link: (params) => whispers.link(params, links.ask(params)),
        said: (kind, params) => whispers.said(kind, params),
        logged: () => {},
        diagnostic: ({ text }) => console.warn(text),
        message: () => {},
        stated: (view) => diary.describe({ view }),
      },
    });
    const desk = new WrapperTools(() => this.#tools);
    const box = {
      form: "refine",
      input: "feedback",
      button: "refine-button",
      cancel: "refine-cancel",
      status: "refine-status",
      steps: "refine-steps",
      compare: "refine-compare",
    };
    this.#refine = facts.hasModel
      ? new RefineBar(parts(box), { desk, diary, hasModel: true, onCompare: () => {} })
      : NOTHING;
    window.addEventListener("hashchange", () => this.#show(this.#entries.get(Number(linked("call")))));
  }

  #diary = new Diary();
  #stage;
  #refine;
  #tools = [];
  #entries = new Map();
  #chosen = null;

  /** Take in something that the agent shows; the newest is shown at once. */
  async add(entry) {
    if (this.#entries.has(entry.number)) return;
    this.#entries.set(entry.number, entry);
    byId("calls").prepend(item(entry));
    byId("call-count").textContent = String(this.#entries.size);
    await this.#show(entry);
  }

  async #show(entry) {
    if (!entry) return;
    this.#chosen = entry;
    settle({ call: String(entry.number) });
    for (const link of byId("calls").querySelectorAll("a"))
      link.ariaCurrent = link.dataset.number === String(entry.number) ? "true" : null;
    const tool = await this.#toolOf(entry);
    if (this.#chosen !== entry) return;
    this.#diary.describe({ tool: tool.name, call: entry.number });
    const mounted = this.#stage.show(tool, entry.html ? { html: entry.html } : null);
    this.#refine.show(tool);
    if (entry.html) this.#refine.form.hidden = true;
    const host = await mounted;
    host?.toolInput(entry.arguments ?? {});
    if (entry.result) host?.toolResult(entry.result);
    else host?.toolCancelled(entry.error?.message ?? "The call failed.");
  }

  async #toolOf({ kind, tool: name, title }) {
    if (kind === "pushed") return { name: title, inputSchema: { type: "object" } };
    const known = () => this.#tools.find((tool) => tool.name === name);
    if (!known()) this.#tools = await listTools().catch(() => this.#tools);
    return known() ?? { name, inputSchema: { type: "object" } };
  }

  /** Make a call for the view, and have the agent hear of it. A view that the agent pushed has no tool of its own. */
  async #called(params, signal) {
    const { name, arguments: args } = params;
    if (this.#chosen?.kind === "pushed" && name === "_ui_push") {
      this.#noted("submitted", { title: this.#chosen.title, arguments: args });
      return this.#chosen.result;
    }
    const note = (outcome) =>
      belongsToTheWrapper({ name }) || this.#noted("called", { tool: name, arguments: args, ...outcome });
    try {
      const result = await rpc("tools/call", params, signal);
      note({ result });
      return result;
    } catch (failure) {
      note({ error: { code: failure.code, message: failure.message } });
      throw failure;
    }
  }

  #noted(kind, told) {
    this.#diary.note(kind, { call: this.#chosen?.number, ...told });
    if (kind === "refined") this.#show(this.#chosen);
  }
}

function item({ number, kind, tool, title, arguments: args, error, result }) {
  const failed = error || result?.isError;
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#call=${number}`, "data-number": number },
      el("span", { class: "tool-name" }, kind === "pushed" ? title : tool),
      failed && el("span", { class: "badge badge-danger" }, "failed"),
      el(
        "span",
        { class: "call-arguments" },
        kind === "pushed" ? "from the agent" : JSON.stringify(args ?? {}),
      ),
    ),
  );
}

function stated(state, words) {
  byId("session-state").dataset.state = state;
  byId("session-state").textContent = words;
}

/** Follow the session until it ends, or another tab shows it. */
async function follow(shown, banner) {
  for (;;) {
    try {
      for await (const { type, entry } of events()) {
        if (type === "moved") {
          stated("ended", "in another tab");
          banner.lost("This session is open in another tab.");
          return;
        }
        banner.hide();
        stated("ready", "connected");
        if (type === "entry") shown.add(entry).catch((failure) => banner.lost(failure.message));
        if (type === "focus") attract();
      }
    } catch {
      // The stream broke: as after its end.
    }
    stated("ended", "ended");
    banner.lost("The agent's session does not answer. It may have ended.");
    await new Promise((resolve) => {
      setTimeout(resolve, WAIT_MS);
    });
  }
}

/** The agent wants this tab to be seen: a browser focuses none by itself, so its title says so until it is. */
function attract() {
  window.focus();
  const before = document.title;
  if (document.hasFocus() || before.startsWith("● ")) return;
  document.title = `● ${before}`;
  window.addEventListener(
    "focus",
    () => {
      document.title = before;
    },
    { once: true },
  );
}

async function start() {
  const banner = new Banner(byId("banner"));
  try {
    const facts = await session();
    byId("title").textContent = facts.title || "session";
    document.title = `${facts.title || "session"} – session`;
    await follow(new Session(facts), banner);
  } catch (failure) {
    banner.lost(failure.message);
  }
}

start();

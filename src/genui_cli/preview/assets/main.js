// Puts the page together.

import { beginAgainOnNewToken } from "./address.js";
import { session } from "./api.js";
import { Banner } from "./banner.js";
import { CallPanel } from "./call-panel.js";
import { Calls } from "./calls.js";
import { choice } from "./choice.js";
import { byId, el } from "./dom.js";
import { IssueList } from "./issue-list.js";
import { LinkDialog } from "./link-dialog.js";
import { MessageLog } from "./message-log.js";
import { RefineBar } from "./refine-bar.js";
import { ResultPane } from "./result-pane.js";
import { followServer } from "./server-state.js";
import { Stage } from "./stage.js";
import { Tabs } from "./tabs.js";
import { badge, ToolList } from "./tool-list.js";
import { badgesOf } from "./tools.js";
import { Workbench } from "./workbench.js";

const banner = new Banner(byId("banner"));
const darkOutside = matchMedia("(prefers-color-scheme: dark)");

function parts(ids) {
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, byId(id)]));
}

function listError(message) {
  byId("list-error").textContent = message;
  byId("list-error").hidden = message === "";
}

function about(tool) {
  byId("about-name").textContent = tool.name;
  byId("about-badges").replaceChildren(...badgesOf(tool).map(badge));
  byId("about-text").textContent = tool.description ?? "";
  byId("said").hidden = true;
}

function said(kind, params) {
  const text = params.content?.map((block) => block.text ?? `[${block.type}]`).join("\n") ?? JSON.stringify(params.structuredContent);
  const heading = kind === "message" ? "The view says to the chat" : "The view tells the model";
  byId("said").replaceChildren(el("strong", {}, heading), el("p", {}, text ?? ""));
  byId("said").hidden = false;
}

function build(facts) {
  const tabs = new Tabs(byId("tabs"));
  const log = new MessageLog(parts({ list: "messages", count: "message-count", clear: "clear-messages" }));
  const issues = new IssueList(parts({ list: "issues", count: "issue-count" }));
  const results = new ResultPane(byId("result"));
  const links = new LinkDialog(parts({ dialog: "link-dialog", address: "link-address", open: "link-open" }));
  const events = {
    called: (params, signal) => calls.byTheView(params, signal),
    link: (params) => links.ask(params),
    said,
    logged: () => {},
    diagnostic: (diagnostic) => issues.add(diagnostic),
    message: (from, message) => log.add(from, message),
  };
  const stage = new Stage(
    parts({ card: "card", title: "view-title", address: "view-address", state: "view-state", reload: "view-reload" }),
    { session: facts, toolNamed: (name) => workbench.toolNamed(name), events },
  );
  const panel = new CallPanel(
    parts({ editor: "arguments", error: "arguments-error", call: "call", cancel: "cancel", note: "call-note", reset: "reset" }),
    { onCall: (args) => calls.byTheModel(workbench.chosen, args), onCancel: () => calls.cancel() },
  );
  const calls = new Calls({ stage, panel, results, showResult: () => tabs.open("tab-result") });
  const refine = new RefineBar(parts({ form: "refine", input: "feedback", button: "refine-button", status: "refine-status" }));
  const list = new ToolList(parts({ search: "search", list: "tools", count: "tool-count" }));
  const workbench = new Workbench({ list, listError, stage, panel, calls, refine, log, issues, about });
  switches(stage);
  return workbench;
}

function switches(stage) {
  let wanted = "system";
  const apply = () => {
    const theme = wanted === "system" ? (darkOutside.matches ? "dark" : "light") : wanted;
    document.documentElement.dataset.theme = theme;
    stage.setTheme(theme);
  };
  choice(byId("theme"), {
    name: "theme", legend: "Theme", otherwise: "system",
    options: [["light", "Light"], ["dark", "Dark"], ["system", "System"]],
    onChange: (value) => { wanted = value; apply(); },
  });
  darkOutside.addEventListener("change", apply);
  choice(byId("width"), {
    name: "width", legend: "Width", otherwise: "full",
    options: [["320", "320"], ["480", "480"], ["720", "720"], ["full", "Full"]],
    onChange: (value) => { byId("card").style.width = value === "full" ? "" : `${value}px`; },
  });
}

function showState(workbench, state) {
  byId("server-state").dataset.state = state.state;
  byId("server-state").textContent = { starting: "starting", ready: "connected", ended: "ended" }[state.state];
  if (state.state === "ended") banner.ended(state);
  else banner.hide();
  if (state.state !== "ready") return;
  const { name, title, version } = state.server.serverInfo ?? {};
  byId("server-name").textContent = [title ?? name, version].filter(Boolean).join(" ");
  workbench.restarted();
}

async function start() {
  const facts = await session();
  byId("title").textContent = facts.title;
  byId("title").title = facts.title;
  const workbench = build(facts);
  await followServer({
    onState: (state) => showState(workbench, state),
    onNotification: (message) => workbench.notified(message),
    onLost: (message) => banner.lost(message),
  });
}

beginAgainOnNewToken();
start().catch((failure) => banner.lost(failure.message));

// Puts the page together.

import { beginAgainOnNewToken } from "./address.js";
import { AgentTools } from "./agent-tools.js";
import { session } from "./api.js";
import { AskDialog } from "./ask-dialog.js";
import { Banner } from "./banner.js";
import { CallPanel } from "./call-panel.js";
import { Calls } from "./calls.js";
import { Comparison } from "./comparison.js";
import { Diary } from "./diary.js";
import { byId, parts } from "./dom.js";
import { dropDown } from "./drop-down.js";
import { HostChoices } from "./host-choices.js";
import { hostSwitches, next } from "./host-switches.js";
import { IssueList } from "./issue-list.js";
import { LinkDialog } from "./link-dialog.js";
import { MessageLog } from "./message-log.js";
import { Panes } from "./panes.js";
import { RefineBar } from "./refine-bar.js";
import { ResultPane } from "./result-pane.js";
import { RunBar } from "./run-bar.js";
import { followServer } from "./server-state.js";
import { Shortcuts } from "./shortcuts.js";
import { STAGE_PARTS, Stage } from "./stage.js";
import { Tabs } from "./tabs.js";
import { badge, ToolList } from "./tool-list.js";
import { badgesOf, uiAddress } from "./tools.js";
import { ViewReport } from "./view-report.js";
import { Whispers } from "./whispers.js";
import { Workbench } from "./workbench.js";
import { WrapperTools } from "./wrapper-tools.js";

const banner = new Banner(byId("banner"));
const TABS = ["tab-result", "tab-messages", "tab-issues", "tab-view"];

function listError(message) {
  byId("list-error").textContent = message;
  byId("list-error").hidden = message === "";
}

function about(tool) {
  byId("about-name").textContent = tool.name;
  byId("about-badges").replaceChildren(...badgesOf(tool).map(badge));
  byId("about-text").textContent = tool.description ?? "";
}

function build(facts) {
  const diary = new Diary();
  const choices = new HostChoices();
  const desk = new WrapperTools(() => workbench.tools);
  const tabs = new Tabs(byId("tabs"));
  const log = new MessageLog(parts({ list: "messages", count: "message-count", clear: "clear-messages" }));
  const issues = new IssueList(parts({ list: "issues", count: "issue-count" }));
  const results = new ResultPane(byId("result"));
  const panes = new Panes(parts({ bar: "panes", skip: "skip", view: "view" }));
  const asking = new AskDialog(
    parts({ dialog: "ask-dialog", name: "ask-name", args: "ask-arguments", call: "ask-call" }),
  );
  const runBar = new RunBar(
    parts({ bar: "run", meter: "run-progress", text: "run-text", clock: "run-clock", cancel: "cancel" }),
  );
  const links = new LinkDialog(parts({ dialog: "link-dialog", address: "link-address", open: "link-open" }));
  const whispers = new Whispers(byId("said"), diary);
  const events = {
    called: (params, signal) => calls.byTheView(params, signal),
    link: (params) => whispers.link(params, links.ask(params)),
    said: (kind, params) => whispers.said(kind, params),
    logged: () => {},
    diagnostic: (diagnostic) => {
      const { kind: of, text, where } = diagnostic;
      if (issues.add(diagnostic)) diary.note("issue", { of, text, where });
    },
    message: (from, message) => log.add(from, message),
  };
  const means = { session: facts, choices, toolNamed: (name) => workbench.toolNamed(name), events };
  const agent = new AgentTools(
    parts({
      section: "agent",
      select: "agent-tool",
      args: "agent-arguments",
      call: "agent-call",
      answer: "agent-answer",
    }),
  );
  const stage = new Stage(parts(STAGE_PARTS), {
    ...means,
    events: { ...events, stated: (view) => diary.describe({ view }) },
    onReload: () => workbench.reload(),
    onHeld: (host) => agent.show(host),
  });
  const side = (name) =>
    parts({ card: `${name}-card`, chip: `${name}-state`, select: name, keep: `${name}-keep` });
  const rollBack = async (version) => {
    const { name } = workbench.chosen;
    if (!(await whispers.failing(desk.rollBack(name, version)))) return;
    diary.note("rolled_back", { tool: name, version });
    await comparison.close();
  };
  const comparison = new Comparison(
    { section: byId("comparison"), close: byId("comparison-close"), sides: [side("before"), side("after")] },
    {
      ...means,
      desk,
      replay: (tool, host) => calls.replay(tool, host),
      onRollBack: rollBack,
      onClosed: () => diary.describe({ compared: null }),
    },
  );
  const compare = (...versions) => {
    diary.describe({ compared: versions });
    return whispers.failing(comparison.open(workbench.chosen, ...versions));
  };
  const panel = new CallPanel(
    parts({
      editor: "arguments",
      form: "argument-form",
      error: "arguments-error",
      call: "call",
      note: "call-note",
      reset: "reset",
    }),
    {
      onCall: (args) => calls.byTheModel(workbench.chosen, args).then(() => comparison.renew()),
      ask: (tool, args) => asking.ask(tool, args),
      onEdit: (text) => diary.describe({ arguments: text }),
    },
  );
  const calls = new Calls({
    stage,
    panel,
    results,
    diary,
    runBar,
    showResult: () => {
      tabs.open("tab-result");
      panes.open(uiAddress(workbench.chosen) === null ? "call" : "view");
    },
  });
  const refine = new RefineBar(
    parts({
      form: "refine",
      input: "feedback",
      button: "refine-button",
      variants: "refine-variants",
      cancel: "refine-cancel",
      status: "refine-status",
      steps: "refine-steps",
      compare: "refine-compare",
    }),
    { desk, diary, hasModel: facts.hasModel !== false, onCompare: compare },
  );
  const report = new ViewReport(parts({ place: "report", count: "finding-count", compare: "compare" }), {
    desk,
    onCompare: compare,
    onRollBack: rollBack,
  });
  const list = new ToolList(parts({ search: "search", list: "tools", count: "tool-count" }));
  const workbench = new Workbench({
    list,
    panes,
    listError,
    stage,
    panel,
    calls,
    refine,
    comparison,
    report,
    log,
    issues,
    about,
    forget: () => whispers.clear(),
    choices,
    diary,
  });
  hostSwitches(
    parts({
      profile: "profile",
      words: "profile-words",
      width: "width",
      theme: "theme",
      locale: "locale",
      zone: "zone",
      styles: "styles",
      locales: "locales",
      zones: "zones",
      error: "choice-error",
    }),
    choices,
  );
  dropDown(byId("more"));
  choices.follow(() => diary.describe({ host: choices.all }));
  const shortcuts = new Shortcuts(
    parts({ dialog: "shortcut-dialog", list: "shortcut-list", active: "shortcuts-on", open: "shortcuts" }),
    {
      "/": [
        "Search the tools",
        () => {
          panes.open("tools");
          list.find();
        },
      ],
      f: ["Say what to change in the view", () => byId("feedback").focus()],
      a: [
        "Edit the arguments",
        () => {
          panes.open("call");
          panel.focus();
        },
      ],
      r: ["Reload the view", () => workbench.reload()],
      b: [
        "Before and after, or back",
        () => (comparison.isOpen ? comparison.close() : byId("compare").click()),
      ],
      t: ["Light or dark", () => next("theme", choices)],
      w: ["Next width", () => next("width", choices)],
      h: ["Next kind of host", () => next("profile", choices)],
      ...Object.fromEntries(
        TABS.map((tab, index) => [
          String(index + 1),
          [`Show ${byId(tab).firstChild.textContent.trim()}`, () => tabs.open(tab)],
        ]),
      ),
      "?": ["This list", () => shortcuts.explain()],
    },
  );
  return { workbench, whispers };
}

function showState(workbench, state) {
  byId("server-state").dataset.state = state.state;
  byId("server-state").textContent = { starting: "starting", ready: "connected", ended: "ended" }[
    state.state
  ];
  if (state.state === "ended") banner.ended(state);
  else banner.hide();
  if (state.state !== "ready") return;
  const { name, title, version } = state.server.serverInfo ?? {};
  byId("title").textContent = title ?? name ?? byId("title").title;
  byId("server-name").textContent = version ?? "";
  workbench.restarted();
}

async function start() {
  const facts = await session();
  byId("title").textContent = facts.title;
  byId("title").title = facts.title;
  const { workbench, whispers } = build(facts);
  await followServer({
    onState: (state) => showState(workbench, state),
    onNotification: (message) => workbench.notified(message),
    onChanged: (source) => whispers.changed(source),
    onLost: (message) => banner.lost(message),
  });
}

beginAgainOnNewToken();
start().catch((failure) => banner.lost(failure.message));

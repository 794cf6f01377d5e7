import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { installStandIn } from "../src/stand-in/install.js";
import { builtText } from "../build.mjs";
import { subjects } from "./subjects.js";

/** A window in another one: what the page says is kept, and what the parent says is heard. */
function frame({ search = "" } = {}) {
  const listeners = new Set();
  const said = [];
  const parent = { postMessage: (message) => said.push(structuredClone(message)) };
  globalThis.window = {
    parent,
    location: { search },
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  };
  const hear = (data, source = parent) => {
    for (const listener of [...listeners]) listener({ source, data });
  };
  const rpc = () => said.filter((message) => message.jsonrpc);
  const acts = () => said.filter((message) => message.type).map(({ type, payload }) => [type, payload]);
  return { said, hear, rpc, acts, listeners };
}
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
const renderData = (data) => ({ type: "ui-lifecycle-iframe-render-data", payload: { renderData: data } });

installStandIn(subjects[0].runtime.PostMessageTransport);
new Function("globalThis", builtText("standalone.js"))({ McpGenUi: subjects[1].runtime });

for (const {
  where,
  runtime: { App },
} of subjects)
  describe(where, () => {
    const start = async (options) => {
      mock.timers.reset();
      mock.timers.enable({ apis: ["setTimeout"] });
      const there = frame(options);
      const app = new App({ name: "t", version: "1" }, {}, { autoResize: false, echoToolResults: false });
      const heard = [];
      for (const name of ["ontoolinput", "ontoolresult", "onhostcontextchanged"])
        app[name] = (params) => heard.push([name, params]);
      const connected = app.connect().then(
        () => "connected",
        (error) => `refused: ${error.message}`,
      );
      await settle();
      return { ...there, app, heard, connected };
    };
    const startMcpUi = async (data = {}) => {
      const all = await start();
      all.hear(renderData(data));
      await all.connected;
      await settle();
      return all;
    };

    test("an MCP Apps host is spoken with as ever, and never knocked at", async () => {
      const { said, hear, app, connected, heard } = await start();
      hear({ jsonrpc: "2.0", id: said[0].id, result: { hostContext: { theme: "dark" } } });
      assert.equal(await connected, "connected");
      mock.timers.tick(10_000);
      hear(renderData({ late: 1 }));
      await settle();
      assert.deepEqual(
        said.map((message) => message.method),
        ["ui/initialize", "ui/notifications/initialized"],
      );
      const call = app.callServerTool({ name: "x", arguments: { a: 1 } });
      await settle();
      assert.deepEqual(said.at(-1), {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "x", arguments: { a: 1 } },
      });
      hear({ jsonrpc: "2.0", id: 1, result: { content: [] } });
      assert.deepEqual(await call, { content: [] });
      assert.deepEqual(heard, []);
    });

    test("a silent host is knocked at, and taken for one that speaks mcp-ui in the end", async () => {
      const { acts, connected, app } = await start();
      mock.timers.tick(399);
      assert.deepEqual(acts(), []);
      mock.timers.tick(1);
      assert.deepEqual(acts(), [["ui-lifecycle-iframe-ready", undefined]]);
      mock.timers.tick(4000);
      assert.equal(await connected, "connected");
      assert.deepEqual(acts(), [["ui-lifecycle-iframe-ready", undefined]]);
      assert.equal(app.getHostVersion().name, "mcp-ui");
    });

    test("an address that says so is knocked at without delay", async () => {
      const { acts } = await start({ search: "?waitForRenderData=true" });
      mock.timers.tick(0);
      assert.deepEqual(acts(), [["ui-lifecycle-iframe-ready", undefined]]);
    });

    test("render data are the tool's result, and what they say of the host is followed", async () => {
      for (const [data, expected] of [
        [{ city: "Oslo" }, [["ontoolresult", { content: [], structuredContent: { city: "Oslo" } }]]],
        [
          { toolInput: { city: "Oslo" }, toolOutput: { t: 1 } },
          [
            ["ontoolinput", { arguments: { city: "Oslo" } }],
            ["ontoolresult", { content: [], structuredContent: { t: 1 } }],
          ],
        ],
        [{ toolInput: { a: 1 }, toolOutput: null }, [["ontoolinput", { arguments: { a: 1 } }]]],
        [
          { toolOutput: { content: [{ type: "text", text: "x" }] } },
          [["ontoolresult", { content: [{ type: "text", text: "x" }] }]],
        ],
        [{ theme: "dark", locale: "fr" }, [["onhostcontextchanged", { theme: "dark", locale: "fr" }]]],
        [
          { theme: "dark", t: 1 },
          [
            ["onhostcontextchanged", { theme: "dark" }],
            ["ontoolresult", { content: [], structuredContent: { theme: "dark", t: 1 } }],
          ],
        ],
        [[1, 2], [["ontoolresult", { content: [{ type: "text", text: "[1,2]" }] }]]],
        ["words", [["ontoolresult", { content: [{ type: "text", text: "words" }] }]]],
        [{}, []],
        [null, []],
      ]) {
        const { heard } = await startMcpUi(data);
        assert.deepEqual(heard, expected, JSON.stringify(data));
      }
    });

    test("nothing is heard from anybody but the parent, and nonsense is not understood", async () => {
      const { hear, heard, connected, acts } = await start();
      hear(renderData({ a: 1 }), {});
      for (const odd of [
        null,
        5,
        "text",
        {},
        { type: 5 },
        { type: "other" },
        { jsonrpc: "2.0", id: 77, result: {} },
      ])
        hear(odd);
      assert.equal(await Promise.race([connected, settle()]), undefined);
      assert.deepEqual([heard, acts()], [[], []]);
    });

    test("what the view asks for is one of the five actions", async () => {
      const { app, acts } = await startMcpUi();
      await app.sendMessage({ role: "user", content: [{ type: "text", text: "Why?" }, { type: "image" }] });
      await app.openLink({ url: "https://example.org/" });
      await app.updateModelContext({ content: [{ type: "text", text: "chosen" }] });
      app.sendLog({ level: "info", data: { a: 1 } });
      app.sendSizeChanged({ width: 1, height: 2 });
      app.callServerTool({ name: "x" });
      await settle();
      assert.deepEqual(acts(), [
        ["ui-lifecycle-iframe-ready", undefined],
        ["prompt", { prompt: "Why?" }],
        ["link", { url: "https://example.org/" }],
        [
          "intent",
          { intent: "update-model-context", params: { content: [{ type: "text", text: "chosen" }] } },
        ],
        ["notify", { message: '{"a":1}' }],
        ["ui-size-change", { width: 1, height: 2 }],
        ["tool", { toolName: "x", params: {} }],
      ]);
      await assert.rejects(app.readServerResource({ uri: "x" }), /cannot do that: resources\/read/);
      await assert.rejects(app.request({ method: "toString" }), /cannot do that/);
    });

    test("a call gets the response under its own id: a result, a value, words, an error, or nothing", async () => {
      const { app, said, hear } = await startMcpUi();
      const ask = async () => {
        const answer = app.callServerTool({ name: "x", arguments: { a: 1 } });
        await settle();
        const { messageId } = said.at(-1);
        return {
          answer,
          respond: (payload) => hear({ type: "ui-message-response", messageId, payload }),
          messageId,
        };
      };
      const [one, other] = [await ask(), await ask()];
      hear({ type: "ui-message-received", messageId: one.messageId });
      other.respond({ response: { content: [{ type: "text", text: "second" }] } });
      one.respond({ response: { rows: [1] } });
      assert.deepEqual(await other.answer, { content: [{ type: "text", text: "second" }] });
      assert.deepEqual(await one.answer, { content: [], structuredContent: { rows: [1] } });
      for (const [payload, expected] of [
        [{ response: "words" }, "words"],
        [{ response: 5 }, "5"],
        [{}, /did not tell/],
        [undefined, /did not tell/],
      ]) {
        const { answer, respond } = await ask();
        respond(payload);
        assert.match((await answer).content[0].text, RegExp(expected));
      }
      for (const error of ["no", { message: "no" }]) {
        const { answer, respond } = await ask();
        respond({ error });
        await assert.rejects(answer, { message: "no" });
      }
    });

    test("a host that was only slow is welcome still", async () => {
      const { said, hear, rpc, connected, app, heard } = await start();
      mock.timers.tick(5000);
      assert.equal(await connected, "connected");
      hear({ jsonrpc: "2.0", id: said[0].id, result: { hostContext: { theme: "dark" } } });
      await settle();
      assert.deepEqual(
        rpc().map((message) => message.method),
        ["ui/initialize", "ui/notifications/initialized"],
      );
      assert.deepEqual(heard, [["onhostcontextchanged", { theme: "dark" }]]);
      app.openLink({ url: "x" }).catch(() => {});
      await settle();
      assert.equal(rpc().at(-1).method, "ui/open-link");
    });

    test("where no host is, the page starts and says so, and calls are refused in words", async () => {
      mock.timers.reset();
      frame();
      window.parent = window;
      const shown = [];
      globalThis.document = {
        createElement: () => ({ style: {} }),
        body: { prepend: (element) => shown.push(element.textContent) },
      };
      const app = new App({ name: "t", version: "1" }, {}, { autoResize: false });
      await app.connect();
      assert.match(shown.join(), /No MCP host shows this page/);
      await assert.rejects(app.callServerTool({ name: "x" }), /cannot be run here/);
      app.sendLog({ level: "info", data: "x" });
    });

    test("a view that leaves does not wait", async () => {
      const { app, acts, listeners } = await start();
      await app.close();
      mock.timers.tick(10_000);
      assert.deepEqual([acts(), listeners.size], [[], 0]);
    });
  });

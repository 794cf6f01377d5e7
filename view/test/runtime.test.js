import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { subjects } from "./subjects.js";

/** A host at the other end of a transport. @param {(message: any) => any} answer undefined: silence */
function fakeHost(answer = () => ({})) {
  const sent = [];
  const transport = {
    onmessage: undefined,
    async start() {},
    async close() {},
    async send(message) {
      sent.push(message);
      if (message.id === undefined || !message.method) return;
      const result =
        message.method === "ui/initialize"
          ? { hostContext: { toolInfo: { tool: { name: "own" } }, theme: "light" } }
          : answer(message);
      if (result !== undefined)
        queueMicrotask(() =>
          transport.onmessage({ jsonrpc: "2.0", id: message.id, ...(result.error ? result : { result }) }),
        );
    },
  };
  return {
    transport,
    sent,
    tell: (method, params, id) =>
      transport.onmessage({ jsonrpc: "2.0", method, params, ...(id === undefined ? {} : { id }) }),
  };
}
for (const {
  where,
  runtime: { App },
} of subjects)
  describe(where, () => {
    const start = async (host, options) => {
      const app = new App({ name: "t", version: "1" }, {}, { autoResize: false, ...options });
      await app.connect(host.transport);
      return app;
    };
    const tick = () => new Promise((done) => setTimeout(done, 0));

    test("says hello with all three parameters, then initialized", async () => {
      const host = fakeHost();
      await start(host);
      assert.deepEqual(host.sent[0].params, {
        appInfo: { name: "t", version: "1" },
        appCapabilities: {},
        protocolVersion: "2026-01-26",
      });
      assert.equal(host.sent[1].method, "ui/notifications/initialized");
    });

    test("a result that came early reaches a late handler once, in both styles", async () => {
      const host = fakeHost();
      const app = await start(host);
      host.tell("ui/notifications/tool-result", { content: [1] });
      const seen = [];
      app.addEventListener("toolresult", (result) => {
        seen.push(result);
      });
      app.ontoolresult = (result) => {
        seen.push(result);
      };
      await tick();
      assert.equal(seen.length, 1);
      host.tell("ui/notifications/tool-result", { content: [2] });
      await tick();
      assert.equal(seen.length, 3);
    });

    test("ping and teardown are answered, unknown methods refused, also inherited names", async () => {
      const host = fakeHost();
      await start(host);
      for (const [id, method] of [
        [7, "ping"],
        [8, "ui/resource-teardown"],
        [9, "no/such"],
        [10, "toString"],
      ])
        host.tell(method, {}, id);
      await tick();
      const answer = (id) => host.sent.find((message) => message.id === id && !message.method);
      assert.deepEqual(
        [answer(7).result, answer(8).result, answer(9).error.code, answer(10).error.code],
        [{}, {}, -32601, -32601],
      );
    });

    test("the result of the view's own call is echoed unless switched off", async () => {
      for (const [echoToolResults, expected] of [
        [true, 1],
        [false, 0],
      ]) {
        const app = await start(
          fakeHost(() => ({ content: [] })),
          { echoToolResults },
        );
        let seen = 0;
        app.ontoolresult = () => {
          seen++;
        };
        await app.callServerTool({ name: "own", arguments: {} });
        await app.callServerTool({ name: "other", arguments: {} });
        await tick();
        assert.equal(seen, expected);
      }
    });

    test("a refusal and a silence end in an error", async () => {
      const refusing = await start(fakeHost(() => ({ error: { code: -5, message: "no" } })));
      await assert.rejects(refusing.openLink({ url: "x" }), { code: -5, message: "no" });
      const silent = fakeHost(() => undefined);
      const app = await start(silent);
      await assert.rejects(app.sendMessage({}, { timeout: 10 }), { code: -32001 });
      assert.equal(silent.sent.at(-1).method, "notifications/cancelled");
    });

    test("partial contexts are merged", async () => {
      const host = fakeHost();
      const app = await start(host);
      host.tell("ui/notifications/host-context-changed", { theme: "dark" });
      assert.deepEqual(app.getHostContext(), { toolInfo: { tool: { name: "own" } }, theme: "dark" });
    });
  });

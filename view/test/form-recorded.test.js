// Forms for the tools of recorded servers, every folder of which has a `tools.json`: MCP_RECORDINGS says where.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { isPlain } from "../src/kit/plain.js";
import { compile } from "../src/kit/schema/pattern.js";
import { recordedTools, structuredShare } from "../structured.mjs";
import { freshDom } from "./dom.js";
import { obviousValue } from "./forms/obvious.js";
import { validator } from "./forms/validity.js";

const FOLDER = process.env.MCP_RECORDINGS ?? "";
const servers = existsSync(FOLDER) ? recordedTools(FOLDER) : new Map();

freshDom();
const { argumentsForm } = await import("../src/kit/form/arguments.js");

const plain = (value) => JSON.parse(JSON.stringify(value));
const reasons = () =>
  [...document.querySelectorAll(".error-line:not([hidden])")].map((one) => one.textContent);
const callsOf = (server) => {
  const file = path.join(FOLDER, server, "calls.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
};

/** A schema without the patterns that only a server can check. @param {any} schema */
function checkable(schema) {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === "pattern" && typeof value === "string" && !compile(value) ? undefined : value,
  );
}

/** @param {any} schema */
function show(schema) {
  const form = argumentsForm(schema ?? {}, { maxDepth: 5 });
  document.body.replaceChildren(form.element);
  return form;
}

/** Arguments that are sent fit, and what is not sent has a reason. */
function compare(form, complaint, about) {
  const sent = form.submit();
  if (sent === undefined) assert.ok(reasons().length, `${about}: refused without a reason`);
  else assert.equal(complaint(plain(sent)), "", about);
  return sent;
}

describe("recorded tools", { skip: servers.size ? false : "no recordings here" }, () => {
  for (const [server, tools] of servers)
    test(server, () => {
      const calls = callsOf(server);
      for (const { name, inputSchema } of tools) {
        const complaint = validator(checkable(inputSchema ?? {}));
        const form = show(inputSchema);
        compare(form, complaint, `${name}, untouched`);
        const entered = obviousValue(inputSchema, inputSchema);
        const obvious = isPlain(entered) ? entered : {};
        form.fill(obvious);
        const sent = compare(form, complaint, `${name}, filled in`);
        if (!complaint(plain(obvious))) assert.deepEqual(plain(sent ?? reasons()), plain(obvious), name);
        for (const call of calls.filter((one) => one.tool === name && !complaint(one.arguments))) {
          form.fill(call.arguments);
          assert.deepEqual(plain(form.submit() ?? reasons()), call.arguments, name);
        }
      }
    });

  test("have a control for nearly every property", () => {
    const all = [...servers.values()].map((tools) => structuredShare(tools));
    const sum = (key) => all.reduce((total, one) => total + one[key], 0);
    assert.ok(
      sum("structured") >= 0.99 * sum("properties"),
      JSON.stringify(all.flatMap(({ leftovers }) => leftovers).slice(0, 20)),
    );
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUDGET, buildTexts, pythonModule, sizes } from "../build.mjs";

const texts = await buildTexts();

test("sizes stay within the budget", () => {
  const size = sizes(texts);
  for (const key of Object.keys(BUDGET)) assert.ok(size[key] <= BUDGET[key], `${key} ${size[key]} > ${BUDGET[key]}`);
});

test("the output is deterministic, pure ASCII and cannot end its element", async () => {
  assert.equal(pythonModule(await buildTexts()), pythonModule(texts));
  assert.match(texts.script + texts.style, /^[\x00-\x7f]*$/);
  assert.doesNotMatch(texts.script + texts.style, /<\/(script|style)|<!--/i);
});

test("nothing that the policy or the rules forbid is in the script", () => {
  assert.doesNotMatch(texts.script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|localStorage|sessionStorage|\balert\(|\bconfirm\(|https?:\/\/(?!example\.com)/);
  assert.doesNotMatch(texts.style, /100vh|height:100%|url\(|@import/);
});

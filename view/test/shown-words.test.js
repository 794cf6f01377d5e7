// Whether a view says already what a text of the result says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDom } from "./dom.js";

freshDom();
const { repeatsWords, shownIn } = await import("../src/runtime/shown-words.js");

test("a text is said where all its words and numbers stand, in any of the usual spellings", () => {
  for (const [shown, text] of [
    ["x\u2081 -2 x\u2082 2", "[-2, 2]"],
    ["1,446 bytes", "Bytes: 1446"],
    ["1\u202f446 bytes", "1446 bytes"],
    ["1.446 Bytes", "1446 bytes"],
    ["5.68 km", "5.6789 km"],
    ["Jun 14, 2026, 10:30 AM", "2026-06-14T10:30:00Z"],
    ["The oven is hot: 200 degrees", "Oven hot, degrees 200"],
    ["Bytes 0 to 200 of 549", "200 bytes at 0/549"],
    ["[docs](https://a.example) say so", "docs say"],
    ["x", "x"],
  ])
    assert.equal(repeatsWords(shown)(text), true, text);
});

test("a text with another word or number is not said", () => {
  for (const [shown, text] of [
    ["-2 2", "[-2, 3]"],
    ["1,446 bytes", "1447 bytes"],
    ["5.68 km", "5.7 km"],
    ["Jun 14, 2026", "2027-06-14"],
    ["Oven", "Oven broken"],
    ["", "y"],
  ])
    assert.equal(repeatsWords(shown)(text), false, text);
});

test("what stands in controls and in folded parts is shown, and styles and scripts are not", () => {
  document.body.innerHTML =
    "<p>one<b>two</b></p><details><p>three</p></details><style>four {}</style><input value='five'><textarea>six</textarea>";
  const words = shownIn(document.body);
  for (const word of ["one\\s+two", "three", "five", "six"]) assert.match(words, RegExp(word));
  assert.doesNotMatch(words, /four/);
});

// A view saves files through its host; where that saves none, as browsers do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDom } from "./dom.js";

const window = freshDom();
for (const name of ["FileReader", "Blob", "CustomEvent"]) globalThis[name] = window[name];
let made = 0;
URL.createObjectURL = () => `blob:null/${made++}`;
URL.revokeObjectURL = () => {};
/** What was clicked: the kit keeps the function as it is when the page begins. @type {string[][]} */
const clicked = [];
window.HTMLElement.prototype.click = function () {
  clicked.push([this.href, this.download]);
};

const { installDownloads, save } = await import("../src/runtime/downloads.js");

/** An App whose host saves files, or does not. */
function appThat(saves) {
  const files = [];
  return {
    files,
    getHostCapabilities: () => (saves ? { downloadFile: {} } : {}),
    downloadFile: async ({ contents: [{ resource }] }) => {
      files.push(resource);
    },
  };
}
let app = appThat(true);
installDownloads(() => app);
const settled = async (count) => {
  for (let turn = 0; turn < 200 && app.files.length < count; turn++)
    await new Promise((done) => setImmediate(done));
  return app.files;
};
const ask = (link) => document.dispatchEvent(new CustomEvent("mcp-gen-ui-download", { detail: link }));
const linkTo = (href, download = "a b.csv") => Object.assign(document.createElement("a"), { href, download });

test("a text is saved through the host", async () => {
  app = appThat(true);
  await save(app, "ä.txt", "words", "text/plain");
  const [{ uri, mimeType, blob }] = app.files;
  assert.deepEqual([uri, mimeType, atob(blob)], ["file:///%C3%A4.txt", "text/plain", "words"]);
});

test("a link to a blob is saved, although its address is gone at once", async () => {
  app = appThat(true);
  const url = URL.createObjectURL(new Blob(["a,b"], { type: "text/csv" }));
  ask(linkTo(url));
  URL.revokeObjectURL(url);
  const [{ uri, mimeType, blob }] = await settled(1);
  assert.deepEqual([uri, mimeType, atob(blob)], ["file:///a%20b.csv", "text/csv", "a,b"]);
});

test("a link to data is saved as it is encoded", async () => {
  app = appThat(true);
  ask(linkTo("data:text/csv;charset=utf-8,a%2Cb%0A"));
  ask(linkTo("data:image/png;base64,AAEC", ""));
  const files = await settled(2);
  assert.deepEqual(
    files.map(({ mimeType, text, blob }) => [mimeType, text, blob]),
    [
      ["text/csv", "a,b\n", undefined],
      ["image/png", undefined, "AAEC"],
    ],
  );
  assert.equal(files[1].uri, "file:///download");
});

test("nothing outside the page is saved", async () => {
  app = appThat(true);
  for (const href of ["https://a.example/x", "blob:null/none", "javascript:a()", "#x"]) ask(linkTo(href));
  await settled(1);
  assert.deepEqual(app.files, []);
});

test("where the host saves nothing, the browser is asked to", async () => {
  app = appThat(false);
  await save(app, "a.txt", "words");
  ask(linkTo("data:,x"));
  await settled(1);
  assert.match(clicked[0][0], /^blob:/);
  assert.deepEqual(clicked[1], ["data:,x", "a b.csv"]);
});

import { argumentsNow, listenTo, selectedRows, selectedWords } from "./selected.js";
import { contentOf } from "../shell/content.js";
/** @import { Page } from "./index.js" */

/** So long nothing changes before the model is told. */
const QUIET_MS = 800;

/**
 * Tells the chat's model what a person selects and edits in a minimal view, and asks about it; each only where the host does that.
 * A view that a model wrote tells what it wants to by itself: a host keeps the last context only.
 * @param {Page} page
 */
export function modelContext(page) {
  const { app, tool } = page;
  let isOff = false;
  let isEdited = false;
  let said = "";
  /** @type {any} */
  let timer;

  const can = (/** @type {string} */ what) => !!app.getHostCapabilities()?.[what];
  const isWritten = () => !!document.querySelector(".written");
  /** @returns {{ selectedRows?: object[], selectedText?: string, editedArguments?: object }} */
  const now = () => {
    if (isOff) return {};
    const rows = selectedRows();
    const words = selectedWords();
    return {
      ...(rows.length ? { selectedRows: rows } : words ? { selectedText: words } : {}),
      ...(isEdited && { editedArguments: argumentsNow(page) }),
    };
  };
  const tell = () => {
    const what = now();
    const text = JSON.stringify(what);
    if (isWritten() || text === (said || "{}")) return;
    said = text;
    app
      .updateModelContext({
        content:
          text === "{}" ? [] : contentOf(`In the view of the tool ${tool.name}, the person has: ${text}`),
      })
      .catch(console.warn);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(tell, QUIET_MS);
  };
  const ask = () => {
    const { selectedRows: rows, selectedText } = now();
    const about = rows ? JSON.stringify(rows) : selectedText && `"${selectedText}"`;
    app
      .sendMessage({
        role: "user",
        content: contentOf(
          `Tell me about the result of ${tool.name} with ${JSON.stringify(argumentsNow(page))}${about ? `, in particular ${about}` : ""}.`,
        ),
      })
      .catch(console.warn);
  };

  return {
    begin() {
      if (!can("updateModelContext")) return;
      listenTo("selectionchange", later);
      listenTo("input", ({ target }) => {
        if (!target.closest("form")) return;
        isEdited = true;
        later();
      });
    },
    /** @returns {(import("../shell/menu.js").Item | false)[]} */
    items: () => [
      can("message") && { icon: "about", text: "Ask about this", act: ask },
      can("updateModelContext") &&
        !isWritten() && {
          icon: "about",
          text: isOff ? "Tell the chat what I select" : "Stop telling the chat what I select",
          act() {
            isOff = !isOff;
            tell();
          },
        },
    ],
  };
}

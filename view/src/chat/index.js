/** What a page has to do with the chat around it; it stands before the kit's script, which calls it when a page starts. */
import { keptState } from "./kept-state.js";
import { modelContext } from "./model-context.js";
import { nextView } from "./next-view.js";
import { questionsOf } from "./question.js";
import { viewTools } from "./view-tools.js";
/** @import { Item } from "../shell/menu.js" */

/**
 * What the kit hands over of a page that starts.
 * @typedef {object} Page
 * @property {any} app not connected yet
 * @property {Record<string, any>} capabilities of the app, as it states them when it connects
 * @property {any} tool the page's own
 * @property {{ post: (message: unknown) => void, listen: (hear: (data: any) => void) => () => void }} line to the host
 * @property {Map<string, any>} memory what persons did to each part of the result, by place
 * @property {{ peek: () => Record<string, any>, fill: (args: unknown) => void }} inputs the form
 * @property {() => void} redraw draws the last outcome again
 * @property {(name: string) => string} nameAtHost
 */

/** @param {Page} page @returns {() => (Item | false | undefined)[]} gives the entries of the menu */
globalThis.McpGenUiChat = (/** @type {Page} */ page) => {
  const { app } = page;
  const { connect } = app;
  const context = modelContext(page);
  const ask = questionsOf(page);
  const kept = keptState(page, ask);
  const next = nextView(page, ask);
  viewTools(page);
  app.connect = async () => {
    await connect();
    context.begin();
    kept.begin();
    next.begin();
  };
  return context.items;
};

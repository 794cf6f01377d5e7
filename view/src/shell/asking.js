import { isString, list, plain } from "../kit/plain.js";
import { outcomeOf } from "../kit/result/outcome.js";
import { save } from "../runtime/downloads.js";
import { contentOf } from "./content.js";
import { copyText } from "./copy.js";
import { asked, hostOf } from "./host.js";
/** @import { Plain } from "../kit/plain.js" */
/** @import { Asking } from "../kit/ui.js" */

/**
 * What a view written by others asks of its host.
 * @param {() => any} app that speaks for the view by then
 * @param {Plain} tool the page's own
 * @param {(name: string, args: object, result: any) => void} [onresult] called with each result that is no error
 * @returns {Asking}
 */
export function askingOf(app, tool, onresult = () => {}) {
  const host = () => hostOf(app());
  /** @type {Asking["call"]} */
  const call = async (name, args = {}) => {
    const result = await host().callTool(name, args);
    if (plain(result).isError) throw new Error(wordsOf(result) || `${name} failed without saying why.`);
    onresult(name, args, result);
    return outcomeOf(result, args, name === tool.name ? tool.outputSchema : undefined);
  };
  return {
    call,
    again: (args) => call(tool.name, args),
    ask: async (text) =>
      asked("send a message", app().sendMessage({ role: "user", content: contentOf(`${text}`) })),
    copy: copyText,
    openLink: async (url) => host().openLink(url),
    tellModel: async (text) =>
      asked("tell the model", app().updateModelContext({ content: contentOf(text) })),
    download: async (name, content, type) => save(app(), name, content, type),
  };
}

/** What a result says in words. @param {any} result */
function wordsOf(result) {
  return list(plain(result).content)
    .map((item) => plain(item).text)
    .filter(isString)
    .join("\n")
    .trim();
}

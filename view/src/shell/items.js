import { isString, jsonText, list, plain } from "../kit/plain.js";
import { dataOf } from "../kit/result/outcome.js";
import { save } from "../runtime/downloads.js";
/** @import { Show } from "../kit/result/show.js" */
/** @import { Item } from "./menu.js" */
/** @import { ResultArea } from "./result-area.js" */

/**
 * What the menu offers now: what is not possible in this host, or without a result, is left out.
 * @param {{ app: any, result: ResultArea, edit: (() => void) | false, tell: () => void, name: string, show: Show,
 *   setDisplayMode: (mode: string) => Promise<unknown> }} options
 * @returns {(Item | false | undefined)[]}
 */
export function itemsOf({ app, result, edit, tell, name, show, setDisplayMode }) {
  const { availableDisplayModes: modes, displayMode } = plain(app.getHostContext());
  const last = result.last();
  const isHere = last !== undefined;
  const data = () => dataOf(last);
  const text = () => (isString(data()) ? data() : jsonText(data()));
  const isFull = displayMode === "fullscreen";
  return [
    edit && { icon: "edit", text: "Edit", act: edit },
    isHere && { icon: "copy", text: "Copy result", act: () => show.copy(text()) },
    isHere && { icon: "json", text: "Raw JSON", act: () => result.setRaw() },
    isHere &&
      show.download && {
        icon: "save",
        text: "Download",
        act: () => {
          const [end, type] = isString(data()) ? ["txt", "text/plain"] : ["json", "application/json"];
          save(app, `${name}.${end}`, text(), type).catch(console.warn);
        },
      },
    list(modes).includes(isFull ? "inline" : "fullscreen") && {
      icon: "full",
      text: isFull ? "Leave full screen" : "Full screen",
      act: () => setDisplayMode(isFull ? "inline" : "fullscreen"),
    },
    { icon: "about", text: "About this tool", act: tell },
  ];
}

/** The parts that draw a thing as people know it, for the pages whose view names one: they stand before the kit's script, which adds them to `ui`. */
import { calendar } from "./calendar.js";
import { formula } from "./formula.js";
import { mark } from "./mark.js";
import { ruler } from "./ruler.js";
import { sheet } from "./sheet.js";
import { compare, excerpt } from "./sources.js";
import { browser, file, message, paper, rating, steps, swatches, terminal } from "./things.js";

globalThis.McpGenUiParts = {
  browser,
  calendar,
  compare,
  excerpt,
  file,
  formula,
  mark,
  message,
  paper,
  rating,
  ruler,
  sheet,
  steps,
  swatches,
  terminal,
};

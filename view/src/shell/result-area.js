import { button, el, inLine, note, put as append, quietButton, stack } from "../kit/el.js";
import { tile } from "../kit/icon.js";
import { jsonText, min, plain, round, string } from "../kit/plain.js";
import { isEmpty, onlyFailure, partsOf, saysFailed } from "../kit/result/data.js";
import { unsaidOf } from "../kit/result/recognise/repeats.js";
import { keptFold } from "../kit/result/fold.js";
import { renderParts } from "../kit/result/render.js";
import { summaryOf } from "../kit/result/summary.js";
import { renderValue } from "../kit/result/value.js";
import { textBlock } from "../kit/result/text.js";
import { alternatives, errorWords, kindOf, namedFailure } from "./error-words.js";
/** @import { Child } from "../kit/el.js" */
/** @import { Plain } from "../kit/plain.js" */
/** @import { Show } from "../kit/result/show.js" */
/** @import { Header } from "./header.js" */

/** @typedef {(place: HTMLElement, result: any, args: object) => void} Draw draws a result that is no error, into a place that is empty and in the page */

/**
 * @typedef {object} ResultArea
 * @property {HTMLElement} element
 * @property {(words: string) => void} waiting nothing has come yet
 * @property {(running: boolean) => void} running the old result stays
 * @property {(params: any) => void} progress of the running call, as the server reports it
 * @property {(result: any, args: object) => void} result and the arguments that brought it
 * @property {(result: any) => void} replaced the view itself called the tool and shows this result in place of the last
 * @property {(reason: string) => void} cancelled
 * @property {(message: string) => void} refused the call itself failed
 * @property {() => any} last the result as it came, undefined before there is one
 * @property {(on?: boolean) => void} setRaw shows the result as it came, or no longer
 *
 * @param {{ show: Show, header: Header, name: string, retry: (event: Event) => void, args: () => Plain, runWith: (args: Plain) => void, edit?: () => void, blame: (words: string, byValue: boolean) => boolean, fix: () => void, draw: Draw }} options
 *   `name`: the tool's, `args`: as they stand in the form, `runWith`: runs the tool with others, `edit`: nothing where there is no form, `blame`: marks the arguments that an error names, or whose values it names if `byValue`, if there are any, `fix`: shows these for another try
 * @returns {ResultArea}
 */
export function resultArea({ show, header, name, retry, args, runWith, edit, blame, fix, draw }) {
  /** @type {any} */
  let last;
  /** @type {ReturnType<typeof setInterval>} */
  let timer;
  const body = el("div.result-body");
  const raw = el("div.result-body", { hidden: true });
  const bar = el("div.progress", { role: "progressbar", "aria-label": "The call runs", hidden: true });
  const element = el("section.result", { "aria-label": "Result" }, el("h2.unseen", "Result"), bar, body, raw);

  const setRaw = (on = !body.hidden) => {
    header.setRaw(on);
    body.hidden = on;
    raw.hidden = !on;
    raw.replaceChildren(
      ...(on
        ? [
            inLine(
              el("h2", "Raw JSON"),
              el(
                "div.side",
                quietButton("Copy", () => show.copy(jsonText(last))),
              ),
            ),
            textBlock(jsonText(last), show.limit, "text code"),
          ]
        : []),
    );
  };
  const put = (
    /** @type {string} */ state,
    /** @type {Parameters<Header["setStatus"]>} */ status,
    /** @type {Child[]} */ ...nodes
  ) => {
    element.dataset.state = state;
    header.setStatus(...status);
    body.replaceChildren();
    append(body, nodes);
  };
  const done = (/** @type {any} */ result) => {
    const isDoubtful = saysFailed(result);
    element.dataset.state = isDoubtful ? "doubtful" : "done";
    header.setStatus(isDoubtful ? "Problem" : "Done", isDoubtful ? "warn" : "");
    header.setSummary(isDoubtful ? "" : summaryOf(result, name));
  };
  const keep = (/** @type {any} */ result) => {
    last = result;
    header.setSummary("");
    if (raw.hidden === false) setRaw(true);
  };
  const choices = (/** @type {string} */ words, /** @type {boolean} */ isFixable) => {
    // Where no connection and no limit is in the way, another try with the same arguments most likely fails too.
    const isAnswered = !kindOf(words);
    const isBlamed = edit && blame(words, isAnswered);
    const isWrong = isBlamed || (edit && words && isAnswered);
    if (isBlamed && isFixable) fix();
    const again = isWrong ? quietButton : button;
    const acts = [
      again("Run again", /** @type {() => void} */ (retry)),
      edit && (isWrong ? button : quietButton)("Edit", edit),
    ];
    return inLine(isWrong ? acts.reverse() : acts);
  };
  const fail = (
    /** @type {string} */ words,
    /** @type {HTMLElement[]} */ message,
    /** @type {Node[]} */ ...others
  ) => {
    const { listed, calls } = alternatives(words, args());
    const holder = listed && message.find((node) => string(node.textContent).includes(listed));
    // What stands behind a colon leaves it before the buttons; inside a sentence a word takes its place.
    if (holder)
      holder.textContent = string(holder.textContent).replace(listed, /["']/.test(listed) ? "these" : "");
    const parts = namedFailure(words, message);
    const head = parts.filter(({ className }) => !className);
    put(
      "error",
      ["Failed", "bad"],
      stack(
        { role: "alert" },
        el(
          "div.failure",
          { "data-tone": "bad" },
          tile("alert"),
          stack(head[0] ? head : el("strong", "The call failed")),
        ),
        parts.filter(({ className }) => className),
      ),
      ...others,
      calls[0] &&
        inLine(
          !listed && "Did you mean",
          calls.map(([value, args]) => quietButton(value, () => runWith(args))),
        ),
      choices(words.replace(listed, ""), !listed),
    );
  };
  const failed = (/** @type {any} */ result, /** @type {string} */ said) => {
    const parts = partsOf(result);
    const words = parts.filter(
      ({ text }, i) => text !== undefined && !parts.slice(0, i).some((one) => one.text === text),
    );
    const unsaid = said && unsaidOf(parts[0].value, [said]);
    const others = words.length ? parts.filter(({ text }) => text === undefined) : [];
    const [only] =
      words.length === 1 && words[0].readings?.every(({ kind }) => /^(text|markdown|code)$/.test(kind))
        ? words
        : [];
    const told = only?.text || said;
    const message = told
      ? errorWords(told, show)
      : renderParts(words.length ? words : parts, show.at("error", {}));
    const beside = show.at("beside the error", {});
    fail(
      told || message.map(({ textContent }) => textContent).join(" "),
      message.length ? message : [note("The tool failed without a message")],
      ...(unsaid
        ? [keptFold(beside, "More", () => [renderValue(unsaid, beside, "", 1)])]
        : renderParts(others, beside)),
    );
  };

  return {
    element,
    waiting: (words) => put("waiting", [""], words && note(words)),
    running(running) {
      element.ariaBusy = `${running}`;
      bar.hidden = !running;
      bar.style.removeProperty("--done");
      bar.ariaValueNow = null;
      clearInterval(timer);
      header.setSeconds("");
      if (!running) return;
      const start = performance.now();
      timer = setInterval(() => header.setSeconds(`${round((performance.now() - start) / 1000)} s`), 1000);
      header.setStatus("Running\u2026");
      if (last === undefined || element.dataset.state !== "done")
        body.replaceChildren(el("div.bones", { "aria-hidden": "true" }, el("i"), el("i"), el("i")));
    },
    progress(params) {
      const { progress, total, message } = plain(params);
      if (bar.hidden || !(progress >= 0)) return;
      const share = total > 0 ? min(100, (100 * progress) / total) : undefined;
      if (share !== undefined) bar.style.setProperty("--done", `${share}%`);
      bar.ariaValueNow = share === undefined ? null : `${round(share)}`;
      header.setSummary(
        string(message).trim().slice(0, 200) ||
          (share === undefined ? `${progress}` : `${progress} of ${total}`),
      );
    },
    result(result, args) {
      keep(result);
      const said = onlyFailure(result);
      if (result?.isError || said) failed(result, said);
      else if (isEmpty(result)) put("empty", ["Done"], note("The tool returned nothing."));
      else {
        body.replaceChildren();
        done(result);
        draw(body, result, args);
        if (body.querySelector(".doubtful")) header.setStatus("Problem", "warn");
      }
    },
    replaced(result) {
      keep(result);
      done(result);
    },
    cancelled: (reason) =>
      put(
        "cancelled",
        ["Cancelled", "neutral"],
        note(`This call was cancelled${reason && `: ${reason}`}.`),
        choices("", false),
      ),
    refused(message) {
      keep({ error: message });
      fail(message, errorWords(message, show));
    },
    last: () => last,
    setRaw,
  };
}

// Evaluated inside a view: finds the controls of properties by name or label, and fills them the way
// a person's typing or pasting arrives. `look` is all that it leaves behind.
globalThis.look = (() => {
  const EDITABLE = "input:not([type=hidden]), select, textarea";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const words = (text) => (text ?? "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const textsOf = (ids) =>
    (ids ?? "")
      .split(/\s+/)
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ")
      .trim();

  /** What assistive technology calls a control, near enough. */
  const nameOf = (control) =>
    textsOf(control.getAttribute("aria-labelledby")) ||
    control.getAttribute("aria-label") ||
    [...(control.labels ?? [])]
      .map((label) => label.textContent)
      .join(" ")
      .trim();
  const legendOf = (control) =>
    control.closest("fieldset")?.querySelector("legend")?.textContent.trim() ?? "";

  /** Everything to fill in for a property, by its dotted path; else by its label. */
  function controlsOf(path, title) {
    const quoted = CSS.escape(path);
    const within = `[data-field="${quoted}"], [data-field^="${quoted}."]`;
    const found = all(EDITABLE).filter(
      (control) => control.matches(`${within}, [data-name="${quoted}"]`) || control.closest(within),
    );
    if (found.length) return found;
    const known = [words(path), words(title)].filter(Boolean);
    return all(EDITABLE).filter((control) => known.includes(words(nameOf(control)).replace(/required$/, "")));
  }

  /** A button for the entries of a list or map that shows none yet. */
  const buttonFor = (path, title) =>
    all("button").find(
      (button) =>
        button.closest(`[data-field="${CSS.escape(path)}"]`) ||
        [path, title].some((one) => one && words(button.getAttribute("aria-label")).includes(words(one))),
    );

  function isMarked(path, controls) {
    const labels = controls.slice(0, 1).flatMap((control) => [...(control.labels ?? [])]);
    const frame = document.querySelector(`fieldset[data-field="${CSS.escape(path)}"] > legend`);
    return (
      controls.some((control) => control.required || control.ariaRequired === "true") ||
      [frame, ...labels].some((one) => /\*|required/i.test(one?.textContent ?? ""))
    );
  }

  /** Opens what is folded of a form. */
  const unfold = () => {
    for (const one of all("form details:not([open])")) one.open = true;
  };

  /** What a person finds for each property. @param {[name: string, title: string | null][]} properties */
  const survey = (properties) =>
    properties.map(([name, title]) => {
      const controls = controlsOf(name, title);
      const seen = controls.filter(isSeen);
      return {
        name,
        found: seen.length > 0 || !!buttonFor(name, title),
        unnamed: seen
          .filter((control) => !nameOf(control) && !legendOf(control))
          .map((control) => control.outerHTML.slice(0, 160)),
        marked: isMarked(name, controls),
        json:
          seen.length > 0 &&
          seen.every((control) =>
            control.matches("textarea.code, textarea[data-kind=json], [data-kind=json] textarea"),
          ),
      };
    });

  function put(control, text) {
    control.focus();
    control.value = text;
    for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  const LOCAL = {
    "datetime-local": (value) => localMoment(value),
    time: (value) => String(value).slice(0, 5),
  };
  function localMoment(value) {
    const moment = new Date(value);
    return new Date(moment - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  }

  /** Puts a plain value into a control. @returns {string} what stood in the way; "" is nothing */
  function setOne(control, value) {
    if (control.readOnly) return control.value === String(value) ? "" : `read-only ${control.value}`;
    if (control.type === "checkbox") {
      if (control.checked !== value) control.click();
      return "";
    }
    if (control.localName === "select") return pick(control, [value]);
    put(control, LOCAL[control.type]?.(value) ?? (typeof value === "string" ? value : JSON.stringify(value)));
    return "";
  }

  function pick(select, values) {
    const texts = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
    const yesNo = { true: "yes", false: "no" };
    const options = texts.map((text) =>
      [...select.options].find(
        (option) =>
          option.value === text || option.text === text || option.text.toLowerCase() === yesNo[text],
      ),
    );
    if (options.includes(undefined)) return `no option for ${texts}`;
    if (!select.multiple) select.value = options[0].value;
    else for (const option of select.options) option.selected = options.includes(option);
    for (const kind of ["input", "change"]) select.dispatchEvent(new Event(kind, { bubbles: true }));
    return "";
  }

  /** Pastes JSON where the form takes it for a whole list or group. */
  function paste(path, controls, value) {
    const open = controls.filter(
      (control) =>
        !control.readOnly &&
        !control.disabled &&
        control.matches("textarea, input:not([type=checkbox], [type=radio])"),
    );
    const target = open.find((control) => control.dataset.name === path) ?? open[0];
    const choice = controls.find((control) => control.localName === "select");
    if (!target) return choice ? pick(choice, [value]) : "nothing takes pasted JSON";
    put(target, JSON.stringify(value));
    return "";
  }

  /** Fills a property. @returns {string} what stood in the way; "" is nothing */
  function fill(path, value, title) {
    if (!controlsOf(path, title).some(isSeen)) buttonFor(path, title)?.click();
    const controls = controlsOf(path, title).filter(isSeen);
    if (!controls.length) return "no control";
    const own = controls.find((control) => control.dataset.field === path) ?? controls[0];
    const boxes = controls.filter((control) => control.type === "checkbox");
    if (value === null || typeof value !== "object") return setOne(own, value);
    if (
      !Array.isArray(value) &&
      Object.keys(value).length &&
      Object.keys(value).every((key) => controlsOf(`${path}.${key}`).length)
    )
      return Object.entries(value)
        .map(([key, one]) => fill(`${path}.${key}`, one))
        .filter(Boolean)
        .join("; ");
    if (Array.isArray(value) && own.multiple && own.localName === "select") return pick(own, value);
    if (Array.isArray(value) && boxes.length === controls.length) {
      for (const box of boxes) if (box.checked !== value.map(String).includes(box.value)) box.click();
      return "";
    }
    return paste(path, controls, value);
  }

  return {
    survey,
    fillAll: (values, titles) =>
      Object.entries(values)
        .map(([name, value]) => [fill(name, value, titles[name]), name])
        .filter(([problem]) => problem)
        .map(([problem, name]) => `${name}: ${problem}`),
    unfold,
    unnamed: () =>
      all(EDITABLE)
        .filter((control) => isSeen(control) && !nameOf(control))
        .map((control) => control.outerHTML.slice(0, 160)),
    refusals: () =>
      all(".error-line, [role=alert]")
        .filter(isSeen)
        .map((one) => one.textContent.trim())
        .filter(Boolean),
    texts: () => document.body.innerText,
    colours: () => {
      const style = getComputedStyle(document.querySelector("h1") ?? document.body);
      return [style.color, getComputedStyle(document.documentElement).colorScheme];
    },
  };
})();

// Looks at a view from a world of its own inside the view's frame.
globalThis.probe ??= {
  /** Yield the visible elements that have a text of their own, in shadow trees too. */
  *texts(root = document.body) {
    for (const element of root?.children ?? []) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if ([...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) yield element;
      yield* this.texts(element);
      if (element.shadowRoot) yield* this.texts(element.shadowRoot);
    }
  },

  /** All that a person can read, with what stands in fields and for pictures. */
  words() {
    const others = [...document.querySelectorAll("input, textarea, select, img")].map(
      (one) => one.value ?? one.alt,
    );
    return [...[...this.texts()].map((element) => element.textContent), ...others].join(" ");
  },

  /** Whether this share of the words of a value can be read, of some or of every one: a view may draw a text as a table, shorten hashes and say an error in plainer words. */
  has(values, ofWhich = "some", share = 0.5) {
    const plain = (text) => text.toLowerCase().replace(/[\s,.’'\u00a0\u202f]+/g, "");
    const shown = plain(this.words());
    return values[ofWhich]((value) => {
      const read = value.toLowerCase().replace(/data:[^\s)"']+|[\w+/=]{32,}/g, "");
      const words = [...new Set(read.match(/\p{L}+|\p{N}+/gu) ?? [plain(read)])].slice(0, 24);
      return words.filter((word) => shown.includes(word)).length >= words.length * share;
    });
  },

  /** Whether anything is drawn: a text, a picture or a control. */
  draws() {
    const shapes = [
      ...document.querySelectorAll("img, svg, canvas, video, input, select, textarea, button, iframe"),
    ];
    return (
      !this.texts().next().done ||
      shapes.some((one) => one.checkVisibility() && one.getClientRects().length > 0)
    );
  },

  /** Send the form, as its button does; tell whether there is one. */
  submit() {
    const button = document.querySelector(
      "form button[type=submit], form button:not([type]), form input[type=submit]",
    );
    if (!button) return false;
    button.form.requestSubmit(button);
    // A tool that can destroy something wants a second press, by a person's key.
    button.focus();
    return true;
  },

  /** Whether the page is wider than its frame. */
  overflows() {
    const page = document.scrollingElement ?? document.documentElement;
    return page.scrollWidth > page.clientWidth + 1;
  },

  /** What is wrong with the markup and its colours, as [rule, text] pairs. */
  faults() {
    const found = [];
    if (!document.documentElement.lang.trim())
      found.push(["lang", "the page does not name its language (html lang)"]);
    if (!document.title.trim()) found.push(["title", "the page has no title"]);
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    for (const id of new Set(ids.filter((each, at) => ids.indexOf(each) !== at))) {
      found.push(["ids", `several elements have the id ${id}`]);
    }
    for (const element of this.texts()) {
      const { ratio, least } = this.contrast(element);
      if (ratio < least) {
        const words = element.textContent.trim().slice(0, 40);
        found.push(["contrast", `${ratio.toFixed(2)}:1 where ${least}:1 is needed, for “${words}”`]);
      }
    }
    return found;
  },

  /** What axe-core finds, which is in this world; its rules about the outline of a whole page are left out. */
  async axe() {
    const outline = ["landmark-one-main", "page-has-heading-one", "region"];
    const rules = Object.fromEntries(outline.map((id) => [id, { enabled: false }]));
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
    return violations.map((one) => ["axe", `${one.id}: ${one.help}: ${one.nodes[0].html.slice(0, 120)}`]);
  },

  /** The contrast of an element's text with what is behind it, and the least that is readable (WCAG 2.2, 1.4.3). */
  contrast(element) {
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const least = isLarge ? 3 : 4.5;
    const behind = this.behind(element);
    if (behind === null || element.closest("[disabled], [aria-disabled=true], svg, option, select"))
      return { ratio: 21, least };
    const [one, other] = [this.over(this.rgba(style.color), behind), behind].map((colour) =>
      this.luminance(colour),
    );
    return { ratio: (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05), least };
  },

  /** The colour behind an element, or null where a picture is. */
  behind(element) {
    const layers = [];
    for (let one = element; one; one = one.parentElement ?? one.getRootNode().host) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== "none") return null;
      layers.unshift(this.rgba(style.backgroundColor));
    }
    // A frame whose page is not made for dark gets a white ground from the browser.
    const isMade = /dark/.test(getComputedStyle(document.documentElement).colorScheme);
    const isDark = isMade && matchMedia("(prefers-color-scheme: dark)").matches;
    return layers.reduce(
      (below, above) => this.over(above, below),
      isDark ? [22, 23, 26, 1] : [255, 255, 255, 1],
    );
  },

  rgba(colour) {
    this.brush ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    this.brush.clearRect(0, 0, 1, 1);
    this.brush.fillStyle = colour;
    this.brush.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = this.brush.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  },

  over([red, green, blue, alpha], below) {
    return [red, green, blue].map((value, at) => value * alpha + below[at] * (1 - alpha)).concat(1);
  },

  luminance(colour) {
    const linear = colour.slice(0, 3).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722;
  },
};

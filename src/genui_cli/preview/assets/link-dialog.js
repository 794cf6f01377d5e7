// A view asks to open an address: the person sees it whole and decides.

const OPENABLE = new Set(["http:", "https:", "mailto:"]);

export class LinkDialog {
  constructor({ dialog, address, open }) {
    this.#dialog = dialog;
    this.#address = address;
    dialog.addEventListener("close", () => this.#settle(false));
    open.addEventListener("click", () => this.#open());
  }

  #dialog;
  #address;
  #url = null;
  #answer = null;

  /** Ask; the answer is what `ui/open-link` wants: `{}`, or `{isError: true}` when it was not opened. */
  ask({ url }) {
    const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
    if (!parsed || !OPENABLE.has(parsed.protocol) || this.#dialog.open) return { isError: true };
    this.#url = parsed.href;
    this.#address.textContent = parsed.href;
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#dialog.showModal();
    });
  }

  #open() {
    window.open(this.#url, "_blank", "noopener,noreferrer");
    this.#settle(true);
    this.#dialog.close();
  }

  #settle(opened) {
    this.#answer?.(opened ? {} : { isError: true });
    this.#answer = null;
  }
}

// A call of a tool that may destroy something: the person sees tool and arguments, and decides.

export class AskDialog {
  constructor({ dialog, name, args, call }) {
    Object.assign(this, { dialog, name, args });
    dialog.addEventListener("close", () => this.#settle(false));
    call.addEventListener("click", () => {
      this.#settle(true);
      dialog.close();
    });
  }

  #answer = null;

  /** Ask whether to call `tool`; resolves to true if the person agrees. */
  ask(tool, args) {
    if (this.dialog.open) return Promise.resolve(false);
    this.name.textContent = tool.name;
    this.args.textContent = JSON.stringify(args, null, 2);
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.dialog.showModal();
    });
  }

  #settle(agreed) {
    this.#answer?.(agreed);
    this.#answer = null;
  }
}

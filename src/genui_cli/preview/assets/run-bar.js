// The line above the view while a call runs: what the server reports, how long it takes, and Cancel.

const QUIET_MS = 150;

/** A call that ends at once does not show it. */
export class RunBar {
  constructor({ bar, meter, text, clock, cancel }) {
    Object.assign(this, { bar, meter, text, clock });
    cancel.addEventListener("click", () => this.#stop?.());
  }

  #stop = null;
  #timer = null;
  #newest = 0;

  /** Show that a call of `name` runs; `stop()` cancels it. Returns what takes its progress and its end. */
  start(name, stop) {
    const own = (this.#newest += 1);
    const began = performance.now();
    const tick = () => {
      this.clock.textContent = `${Math.floor((performance.now() - began) / 1000)} s`;
    };
    const isNewest = () => own === this.#newest;
    clearInterval(this.#timer);
    this.#stop = stop;
    this.text.textContent = `Running ${name}`;
    this.meter.removeAttribute("value");
    this.#timer = setInterval(tick, 1000);
    setTimeout(() => {
      if (isNewest()) this.bar.hidden = this.#stop === null;
    }, QUIET_MS);
    tick();
    return {
      progress: (report) => isNewest() && this.#progress(report),
      end: () => isNewest() && this.#end(),
    };
  }

  #progress({ message, progress, total }) {
    if (typeof message === "string" && message) this.text.textContent = message;
    if (!Number.isFinite(progress) || !(total > 0)) return;
    this.meter.max = total;
    this.meter.value = Math.min(progress, total);
  }

  #end() {
    clearInterval(this.#timer);
    this.#stop = null;
    this.bar.hidden = true;
  }
}

import { ceil } from "../kit/plain.js";
import { root } from "./host-style.js";

/**
 * Reports the size of the content, in CSS pixels, rounded up, only when it changed.
 * The height is measured with the root at `max-content`, so that the height which
 * the host gave us is never reported back to it.
 * @param {(size: { width: number, height: number }) => void} report
 * @returns {() => void} stops the reports
 */
export function watchSize(report) {
  let frame = 0;
  let known = "";
  const measure = () => {
    frame = 0;
    const { style } = root();
    const before = style.height;
    style.height = "max-content";
    const height = ceil(root().getBoundingClientRect().height);
    style.height = before;
    const width = ceil(window.innerWidth);
    if (known !== (known = `${width}x${height}`)) report({ width, height });
  };
  const queue = () => {
    frame ||= requestAnimationFrame(measure);
  };
  const observer = new ResizeObserver(queue);
  observer.observe(root());
  if (document.body) observer.observe(document.body);
  queue();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

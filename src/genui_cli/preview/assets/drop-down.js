// A panel that drops down, and goes when the person turns to something else.

/** Close the open `details` at a press elsewhere, in a view too, and at Escape. */
export function dropDown(details) {
  const close = () => {
    details.open = false;
  };
  document.addEventListener("pointerdown", (event) => {
    if (!details.contains(event.target)) close();
  });
  window.addEventListener("blur", close);
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    details.querySelector("summary").focus();
  });
}

/**
 * A sandbox without `allow-forms` swallows the `submit` event. Answering the click
 * of a submit button ourselves makes forms behave the same in every host; Enter in
 * a field clicks that button too.
 * @returns {() => void} removes it
 */
export function installBlockedSubmit() {
  window.addEventListener("click", onClick);
  return () => window.removeEventListener("click", onClick);
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = event.target instanceof Element ? event.target.closest("button,input") : null;
  const button = /** @type {HTMLButtonElement | null} */ (target);
  const form = button?.form;
  if (event.defaultPrevented || !button || !form || button.disabled || !/^(submit|image)$/.test(button.type)) return;
  event.preventDefault();
  const valid = form.noValidate || button.formNoValidate || form.reportValidity();
  if (valid) form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button }));
}

/**
 * Some hosts leave `allow-forms` out of their sandbox: there no form ever submits, and nothing
 * says so. This makes the event out of the button's click, which Enter in a field causes as well,
 * so that a view written for forms works with every host. Where forms do submit, they take the
 * frame nowhere: what the view does at the event is all that happens.
 * @returns {() => void} removes it
 */
export function installBlockedSubmit() {
  addEventListener("click", onClick);
  addEventListener("submit", stay, true);
  return () => {
    removeEventListener("click", onClick);
    removeEventListener("submit", stay, true);
  };
}

/** @param {Event} event */
function stay(event) {
  event.preventDefault();
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = event.target instanceof Element ? event.target.closest("button,input") : null;
  const button = /** @type {HTMLButtonElement | null} */ (target);
  const form = button?.form;
  if (event.defaultPrevented || !button || !form || button.disabled || !/^(submit|image)$/.test(button.type))
    return;
  event.preventDefault();
  const valid = form.noValidate || button.formNoValidate || form.reportValidity();
  if (valid)
    form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter: button }));
}

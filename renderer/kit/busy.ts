/**
 * Cancels a press of a button that is `aria-disabled` while its action is under way, and with it the submission of its
 * form. The attribute `disabled` would take the keyboard focus away from the button.
 */
export function ignorePress(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/**
 * For a press of a button that is `aria-disabled` while its act is under way: it does nothing, nor does the form it submits. The
 * attribute `disabled` would take the keyboard focus away from it.
 */
export function ignorePress(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

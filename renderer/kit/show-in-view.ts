/**
 * Scrolls what contains an element no further than it takes to show it. `scrollIntoView` would also make it the place from
 * which Tab goes on where nothing has the focus, past the top of the window.
 */
export function showInView(element: Element | null | undefined): void {
  if (!element) return;
  for (let box = element.parentElement; box; box = box.parentElement) {
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
    box.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
  }
}

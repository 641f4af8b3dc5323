/** A place in the window. */
type Place = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>;

/**
 * Scrolls the ancestors of an element only as far as needed to show it. While nothing has the focus, `scrollIntoView`
 * would also make the element the place from which Tab goes on, so that Tab would skip the top of the window.
 */
export function showInView(element: Element | null | undefined): void {
  if (element) showPlace(element, () => element.getBoundingClientRect());
}

/**
 * `showInView` for a part of an element, such as a row that is not drawn yet.
 * @param placeOf returns the present place of the part
 */
export function showPlace(element: Element, placeOf: () => Place): void {
  for (let box = element.parentElement; box; box = box.parentElement) {
    const [inner, outer] = [placeOf(), box.getBoundingClientRect()];
    const end = outer.bottom - toCovered(box);
    box.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - end);
    box.scrollLeft += Math.min(0, inner.left - outer.left) + Math.max(0, inner.right - outer.right);
  }
}

/** How many pixels at the end of a scrolling element are covered, from its attribute. */
const toCovered = (box: HTMLElement): number => Number(box.dataset['covered'] ?? 0);

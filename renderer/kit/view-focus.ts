import { nextTick } from 'vue';

/**
 * Gives the focus a new place if the focused element is gone: the list of the view or, if nothing is listed, its pane.
 * If only the other pane is visible, the button that leads back to the list gets it.
 */
export async function focusView(): Promise<void> {
  // Until then, an element that disappears is still visible.
  await nextTick();
  if (document.activeElement !== document.body) return;
  const pane = document.querySelector<HTMLElement>('.listpane');
  const places = [
    pane?.querySelector<HTMLElement>('[role="grid"], nav[tabindex]'),
    pane,
    document.querySelector<HTMLElement>('.detailpane button'),
  ];
  places.find((place) => place?.checkVisibility())?.focus({ preventScroll: true });
}

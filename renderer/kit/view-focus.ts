import { nextTick } from 'vue';

/**
 * Where the keyboard goes on if what had the focus is gone: in the list of the view or, where nothing is listed, in its pane.
 * Where one pane is seen at a time, and it is the other one, at the way back to the list.
 */
export async function focusView(): Promise<void> {
  // What goes is still seen until then.
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

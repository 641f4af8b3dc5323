import { nextTick } from 'vue';
import { showPlace } from '../../kit/show-in-view.ts';

/** Shows the answer that was just read: its beginning, if it is higher than the window. Where it is below the form, the view scrolls. */
export async function showAnswer(side: HTMLElement | null): Promise<void> {
  await nextTick();
  if (!side) return;
  showPlace(side, () => {
    const { top, bottom, left, right } = side.getBoundingClientRect();
    return { top, bottom: Math.min(bottom, top + (side.parentElement?.clientHeight ?? 0)), left, right };
  });
}

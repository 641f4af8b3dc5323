import { useEventListener } from '@vueuse/core';
import { useRouter, type RouteLocationNormalized } from 'vue-router';
import { useToasts } from '../kit/toasts.ts';
import { useConnection } from '../live/connection.ts';

/**
 * Says so when the code of a view, or of a part of one, cannot be loaded: the server is away, or it was updated, and no
 * longer has the files of this page. Many browsers do not load such code again until the page itself is loaded again.
 */
export function useMissingCode(): void {
  const router = useRouter();
  const connection = useConnection();
  const toasts = useToasts();

  /** @param to the place that was asked for; null for a part of the view that is shown */
  function refuse(to: RouteLocationNormalized | null): void {
    const notLoaded = `${String(to?.meta['title'] ?? 'A part of this view')} could not be loaded`;
    if (connection.phase !== 'live')
      return toasts.refuse(`${notLoaded}, because the server cannot be reached. Try again when it is back.`);
    const act = (): void => {
      if (to) history.replaceState(null, '', router.resolve(to.fullPath).href);
      location.reload();
    };
    toasts.say(`${notLoaded}: Sandpiper may have been updated since this page was opened.`, null, {
      refused: true,
      more: { says: 'Reload the page', act },
    });
  }

  // Vite reports each import that fails in this way.
  useEventListener(window, 'vite:preloadError', () => refuse(null));
  router.onError((_error, to) => refuse(to));
}

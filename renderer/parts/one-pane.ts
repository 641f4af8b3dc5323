import type { RouteLocation, RouteLocationRaw, Router } from 'vue-router';

/** Whether a view shows something chosen, beside or instead of its list. */
const isOpened = ({ params, query }: Pick<RouteLocation, 'params' | 'query'>): boolean =>
  [params['id'], query['product'], query['delivery'], query['all']].some((one) => one !== undefined && one !== '');

/**
 * Goes to another place of the shown view, without a step for the browser's Back, which leaves the view. Only where the
 * view has room for one pane, opening something is a step, so that Back shows the list again; closing it goes that step
 * back.
 */
export async function goInView(router: Router, place: RouteLocationRaw): Promise<void> {
  const [from, to] = [router.currentRoute.value, router.resolve(place)];
  const hasOnePane = matchMedia('(max-width: 900px)').matches;
  if (!hasOnePane || isOpened(from) === isOpened(to)) await router.replace(place);
  else if (isOpened(to)) await router.push(place);
  else if (router.options.history.state['back'] === to.fullPath) await goBack(router);
  else await router.replace(place);
}

function goBack(router: Router): Promise<void> {
  return new Promise((resolve) => {
    const stop = router.afterEach(() => {
      stop();
      resolve();
    });
    router.back();
  });
}

import { shallowRef, type ShallowRef } from 'vue';
import { NavigationFailureType, isNavigationFailure, useRouter } from 'vue-router';

/**
 * Whether a view is still coming: its code is loading, or the first answer of the server. The previous view is shown
 * meanwhile. If that view calls `replace` to change its own address, the call does nothing: it would cancel the
 * navigation.
 * @param onLeave called when another view is requested
 */
export function useComingView(onLeave: () => void): Readonly<ShallowRef<boolean>> {
  const router = useRouter();
  const isComing = shallowRef(true);
  router.beforeEach((to, from) => {
    if (to.name === from.name) return;
    onLeave();
    isComing.value = true;
  });
  // A navigation that a newer one replaced ends only when its code has loaded, perhaps long after the newer one.
  router.afterEach((_to, _from, failure) => {
    if (!isNavigationFailure(failure, NavigationFailureType.cancelled)) isComing.value = false;
  });
  router.onError(() => (isComing.value = false));
  const replace = router.replace.bind(router);
  router.replace = (to) =>
    isComing.value && router.resolve(to).name === router.currentRoute.value.name ? Promise.resolve() : replace(to);
  return isComing;
}

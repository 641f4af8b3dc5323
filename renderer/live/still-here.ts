import type { Router } from 'vue-router';

/**
 * For what opens another view once an answer is here: a person who went elsewhere meanwhile is not taken away from there,
 * nor on the way there, while the code of that view is loading.
 * @returns whether no other address was asked for since now
 */
export function stillHere(router: Router): () => boolean {
  let isHere = true;
  const stop = router.beforeEach(() => {
    isHere = false;
    stop();
  });
  return () => isHere;
}

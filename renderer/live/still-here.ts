import type { Router } from 'vue-router';

/**
 * For code that opens another view after an answer: a person who went elsewhere meanwhile stays there, even if the code
 * of that view is still loading.
 * @returns whether no other address has been requested since this call
 */
export function stillHere(router: Router): () => boolean {
  let isHere = true;
  const stop = router.beforeEach(() => {
    isHere = false;
    stop();
  });
  return () => isHere;
}

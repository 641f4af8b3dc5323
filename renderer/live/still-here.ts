import type { Router } from 'vue-router';

/**
 * For what opens another view once an answer is here: a person who went elsewhere meanwhile is not taken away from there.
 * @returns whether the window is still at the address of now
 */
export function stillHere({ currentRoute }: Router): () => boolean {
  const { fullPath } = currentRoute.value;
  return () => currentRoute.value.fullPath === fullPath;
}

import { computed, shallowRef } from 'vue';

/** The moment that every view shows, ISO 8601 on the virtual clock; null for the present. */
export const lookingAt = shallowRef<string | null>(null);

/** Why nothing can be changed now; null if it can. */
export const whyReadOnly = computed(() => (lookingAt.value === null ? null : 'You are looking at an earlier moment'));

/**
 * The headers that make calls answer for the moment shown. The server knows which calls always answer for the present.
 */
export function toMomentHeaders(): { readonly [header: string]: string } {
  return lookingAt.value === null ? {} : { 'x-sandbox-at': lookingAt.value };
}

import { computed, shallowRef } from 'vue';

/** The moment at which every view looks, ISO 8601 on the virtual clock; null: the present. */
export const lookingAt = shallowRef<string | null>(null);

/** Why nothing can be changed now; null if it can. */
export const whyReadOnly = computed(() => (lookingAt.value === null ? null : 'You are looking at an earlier moment'));

/** The headers of each call for the moment at which the window looks. The server knows which calls answer as of now. */
export function toMomentHeaders(): { readonly [header: string]: string } {
  return lookingAt.value === null ? {} : { 'x-sandbox-at': lookingAt.value };
}

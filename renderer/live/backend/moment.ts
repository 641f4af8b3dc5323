import { shallowRef } from 'vue';

/** The moment at which every view looks, ISO 8601 on the virtual clock; null: the present. */
export const lookingAt = shallowRef<string | null>(null);

/** These act on a moment, or change nothing, and are sent as of now. */
const ofNow: ReadonlySet<string> = new Set([
  'POST /control/timeline/back',
  'POST /control/timeline/fork',
  'POST /control/requests/har',
  'POST /control/trigger/preview',
  'POST /control/signature/check',
]);

/** The headers of a call for the moment at which the window looks. The server refuses changes with them. */
export function toMomentHeaders(name: string): { readonly [header: string]: string } {
  return lookingAt.value === null || ofNow.has(name) ? {} : { 'x-sandbox-at': lookingAt.value };
}

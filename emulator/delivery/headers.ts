import type { Clock } from '../time/clock.ts';
import type { Delivery, Webhook } from '../records.ts';
import type { Store } from '../store/store.ts';
import { hopsHeader } from './loop-count.ts';
import { testSigningKey } from './settings.ts';
import { signatureHeaders, type SigningKeys } from './signature/signature.ts';

/** The setting that names the clock receivers see: `wall`, or `virtual`, whose times they may consider stale. */
const shownTimeSetting = 'webhooks.time';

type ShownClock = 'wall' | 'virtual';

/** The clock that receivers see. */
export function shownClock(store: Store): ShownClock {
  return store.settings.get(shownTimeSetting)?.value === 'virtual' ? 'virtual' : 'wall';
}

/** Sets the clock that receivers see. */
export function showClock(store: Store, value: ShownClock): void {
  if (value !== shownClock(store)) store.transact(() => store.settings.put({ id: shownTimeSetting, value }));
}

/** The time that payloads and signatures carry, epoch ms. */
export function shownNow(store: Store, clock: Clock): number {
  return shownClock(store) === 'virtual' ? clock.now() : clock.wall();
}

/** The keys that sign at a time (epoch ms): a webhook's own keys, or the test key for an address given by hand. */
export function keysAt(webhook: Webhook | null, now: number): SigningKeys {
  if (webhook === null) return [testSigningKey];
  const { signingKey, previousKey } = webhook;
  return previousKey !== null && Date.parse(previousKey.until) > now ? [signingKey, previousKey.key] : [signingKey];
}

/** The headers of one attempt, all but `host` and `connection`. `shown` in epoch ms. */
export function toHeaders(
  { body, eventId, hops }: Pick<Delivery, 'body' | 'eventId' | 'hops'>,
  keys: SigningKeys,
  shown: number,
): { readonly [name: string]: string } {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    accept: '*/*',
    'user-agent': 'Sandpiper-Webhooks',
    [hopsHeader]: String(hops),
    ...signatureHeaders({ body, eventId, timestamp: Math.floor(shown / 1000) }, keys),
  };
}

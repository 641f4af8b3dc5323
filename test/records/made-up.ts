/** A kind of record that the product does not have, for tests that everything follows from its definition. */
import { object, oneOf, text, time } from '../../emulator/contract/shape.ts';
import { defineTableOf, enter } from '../../emulator/machine/table.ts';
import type { CollectionName } from '../../emulator/records.ts';
import { record, type RecordOf } from '../../emulator/records/definition.ts';
import { owned, stateful } from '../../emulator/records/parts.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Store } from '../../emulator/store/store.ts';

const shape = object({
  ...owned,
  userId: text,
  number: text,
  pin: text,
  issuedAt: time,
  ...stateful(oneOf('ordered', 'sent', 'lost')),
});
export const loyaltyCards = record(shape, {
  words: ['loyalty card', 'loyalty cards'],
  owner: { field: 'userId', idOf: ({ userId, number }) => `${userId}:${number}` },
  secret: ['pin'],
  found: ({ number }) => ({ title: `Loyalty card ${number}`, about: 'a card', words: [] }),
  shownAt: '/loyalty/{id}',
  open: ['ordered', 'sent'],
  wrong: ['lost'],
});
export type LoyaltyCard = RecordOf<typeof loyaltyCards>;
export const madeUp = 'loyaltyCards' as CollectionName;
export const at = '2026-11-20T14:38:29.000Z';

const ours = { provenance: 'assumed', section: '3' } as const;
export const cardTable = defineTableOf(loyaltyCards, {
  initial: 'ordered',
  rows: [
    { from: 'ordered', event: 'send', to: 'sent', by: ['hand'], why: 'It was printed.', source: ours },
    { from: 'sent', event: 'lose', to: 'lost', by: ['hand'], why: 'It did not arrive.', source: ours },
  ],
});

/** A card as it was ordered. */
export function toCard(userId: string, number: string): LoyaltyCard {
  const entered = enter(cardTable, { by: 'call', at, why: 'It was ordered.' });
  return {
    id: `${userId}:${number}`,
    companyId: demoCompany,
    userId,
    number,
    pin: `pin-of-${number}`,
    issuedAt: at,
    ...entered,
  };
}

export function give(store: Store, userId: string, number: string): LoyaltyCard {
  const card = toCard(userId, number);
  store.transact(() => store.collection(madeUp).put(card));
  return card;
}

/** The mutations' own spelling of names in REST, for their refusals, fixes and notes. */
import { toShownWebhookId } from './nodes.ts';
import type { Spelling } from './relocate.ts';

export const asInRest: Spelling = { pointers: [] };

export const webhooks: Spelling = {
  pointers: [],
  toValue: (pointer, value) => (pointer === '/id' ? toShownWebhookId(String(value)) : value),
};

export const ecommerce: Spelling = {
  words: [
    [/\buser\.(?=\w)/g, 'visitor.'],
    [/\bitems\b/g, 'products'],
    // A visitor has no external identifiers.
    [/\bphone, email, externalIdentifiers\.\w+ and externalIdentifiers\.\w+/g, 'phone and email'],
  ],
  pointers: [
    [/^\/user/, '/visitor'],
    [/^\/items/, '/products'],
    [/\/price(?=\/|$)/, '/productPrices'],
    [/\/value$/, '/amount'],
    [/\/name$/, '/productName'],
  ],
  toValue: (pointer, value) => {
    if (pointer.endsWith('/amount')) return String(value);
    return pointer.endsWith('/productPrices') ? [{ amount: '19.99', currency: 'USD' }] : value;
  },
};

export const subscribing: Spelling = {
  words: [
    [/\bsignUpSourceId\b/g, 'signupSourceId'],
    [/\bsubscriptionType\b/g, 'type'],
    [/\b(MARKETING|TRANSACTIONAL|CHECKOUT_ABANDONED)\b/g, 'TYPE_$1'],
    [/\b(TEXT|EMAIL)\b/g, 'CHANNEL_$1'],
    [/\bas PREVIOUSLY_UNSUBSCRIBED\b/g, 'as unsubscribed before'],
  ],
  pointers: [
    [/^\/signUpSourceId/, '/signupSourceId'],
    [/^\/subscriptionType/, '/type'],
  ],
  toValue: (pointer, value) => {
    if (pointer.endsWith('/type')) return `TYPE_${String(value)}`;
    return pointer.endsWith('/channel') ? `CHANNEL_${String(value)}` : value;
  },
};

import type { Violation } from './violation.ts';

const items = [{ productId: 'AB12345', productVariantId: 'CD12345', price: [{ value: 19.99 }] }];

/** The rules of the user and the time of an event apply to every group with events; tested once each here. */
export const ecommerceViolations: readonly Violation[] = [
  {
    rule: 'user.no-identifier',
    request: { method: 'POST', path: '/events/ecommerce/purchase', json: { items, user: {} } },
    noEdit: 'Only the sender knows the person.',
  },
  {
    rule: 'user.phone-e164',
    request: {
      method: 'POST',
      path: '/events/ecommerce/product-view',
      json: { items, user: { phone: '555-555-0100' } },
    },
  },
  {
    rule: 'user.email',
    request: {
      method: 'POST',
      path: '/events/ecommerce/add-to-cart',
      json: { items, user: { email: ' ada@example.com' } },
    },
  },
  {
    rule: 'ecommerce.quantity',
    request: {
      method: 'POST',
      path: '/events/ecommerce/purchase',
      json: { items: items.map((item) => ({ ...item, quantity: 1e19 })), user: { email: 'ada@example.com' } },
    },
    noEdit: 'how many were bought is for the author to say',
  },
  {
    rule: 'event.occurred-at',
    request: {
      method: 'POST',
      path: '/events/ecommerce/purchase',
      json: { items, occurredAt: '2026-02-28 10:00:00Z', user: { email: 'ada@example.com' } },
    },
  },
];

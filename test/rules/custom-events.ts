import type { Violation } from './violation.ts';

const user = { phone: '+15555550100' };
const post = (json: unknown): Violation['request'] => ({ method: 'POST', path: '/events/custom', json });

export const customEventViolations: readonly Violation[] = [
  { rule: 'custom-events.type-characters', request: post({ type: "Ada's order (paid)", user }) },
  {
    rule: 'custom-events.property-key',
    request: post({ type: 'Order Shipped', user, properties: { 'a|b': 1, ab: 2, '{/}': 3, '"': 4, fine: 5 } }),
  },
  {
    rule: 'custom-events.properties-object',
    request: post({ type: 'Order Shipped', user, properties: '{ "carrier": "fedex" }' }),
  },
  {
    rule: 'custom-events.media-url',
    request: post({ type: 'Order Shipped', user, mediaUrl: 'cdn.example.com/image.png' }),
  },
  {
    rule: 'custom-events.media-url',
    request: post({ type: 'Order Shipped', user, mediaUrl: 'ftp://cdn.example.com/image.png' }),
    noEdit: 'It is not known whether a web server has the image, too.',
  },
];

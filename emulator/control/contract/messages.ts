import { boolean, described, integer, list, nullable, object, oneOf, text, type View } from '../../contract/shape.ts';
import { tap, tapResult } from '../../messages/tap.ts';
import { channel, messages } from '../../records/people.ts';
import type { CallTable } from '../call.ts';
import { limit } from './paging.ts';
import { change } from './parts.ts';

/** A message that the platform would have sent, or a reply. */
export const message = messages.schema;
export type MessageView = View<typeof message>;

/** The same with the size of a text. */
const sized = object({
  ...message.properties,
  sms: described(
    'How a phone gets the text: GSM-7 has 160 units in one part and 153 in each of several, UCS-2 70 and 67; null for an email. Assumed: the platform says nothing about it.',
    nullable(object({ encoding: oneOf('GSM-7', 'UCS-2'), parts: integer })),
  ),
});
export type SizedMessageView = View<typeof sized>;

/** The effects of a tap on a message, and the records that it changed. */
const tapped = object({ ...tapResult.properties, changes: list(change) });
export type TapView = View<typeof tapped>;

export const messageCalls = {
  'GET /control/messages': {
    summary: 'Messages that the platform would have sent, and replies, newest last; the latest 20,000 of all are kept',
    asOf: 'moment',
    query: object(
      {},
      {
        userId: text,
        phone: text,
        email: text,
        channel,
        direction: oneOf('in', 'out'),
        limit,
      },
    ),
    reply: object({ total: integer, messages: list(sized) }),
  },
  'GET /control/messages/{id}': { summary: 'One message', asOf: 'moment', reply: sized },
  'POST /control/messages': {
    summary: 'Compose a text or an email to a subscriber; links in it are shortened',
    changes: true,
    body: object(
      {
        subscriber: object({}, { phone: text, email: text }),
        channel,
        text: {
          type: 'string',
          minLength: 1,
          maxLength: 100_000,
          examples: ['30% off: https://shop.example.com/deals'],
        },
      },
      {
        companyId: text,
        name: { type: 'string', minLength: 1, maxLength: 200, examples: ['Sale'] },
        subject: { type: 'string', maxLength: 500, examples: ['30% off'], description: 'The subject of an email.' },
        html: { type: 'string', maxLength: 500_000 },
        force: described('Whether to send it even to a person who is not subscribed.', boolean),
      },
    ),
    status: 201,
    reply: sized,
  },
  'POST /control/messages/{id}/acts': {
    summary:
      'Act on a message as the person: open it, click a link, unsubscribe or reply; the answer lists the effects',
    changes: true,
    body: tap,
    reply: tapped,
  },
} as const satisfies CallTable;

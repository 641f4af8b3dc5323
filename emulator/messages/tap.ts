import { eventTypes } from '../contract/event-schemas.ts';
import { described, list, object, oneOf, text, type View } from '../contract/shape.ts';
import { messages } from '../records/people.ts';

const act = oneOf('open', 'click', 'unsubscribe', 'reply');

/** An action of a person on a message. */
export const tap = object(
  { act },
  {
    link: { type: 'integer', minimum: 0, description: 'The number of the clicked link, from 0.' },
    text: { type: 'string', maxLength: 1600, examples: ['STOP'], description: 'The text of a reply.' },
  },
);
export type Tap = View<typeof tap>;

/** The effect of a tap, the webhook events that it published, and the source that implies them. */
export const tapResult = object({
  message: described('The message as it is now; for a reply, the message that the person wrote.', messages.schema),
  did: described('The effects, as sentences.', list(text)),
  published: described('The types of the events that were sent to webhooks.', list(oneOf(...eventTypes))),
  impliedBy: oneOf('specification', 'observed', 'assumed'),
  says: described('The sentence of the specification, or the reason.', text),
});
export type TapResult = View<typeof tapResult>;

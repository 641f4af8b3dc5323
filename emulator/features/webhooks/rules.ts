import { eventTypes } from '../../contract/event-schemas.ts';
import { inBody, rule, set, setMeant, show } from '../../rules.ts';

/** The rules for webhooks. */
export const webhookRules = {
  eventType: rule<{ unknown: readonly { sent: string; nearest: string | null }[]; meant: readonly string[] | null }>({
    id: 'webhooks.event-type',
    status: 400,
    section: '6',
    provenance: 'assumed',
    reason: 'Section 6 names eight types; the reply to an unknown one is not public.',
    says: 'Webhook event types are case sensitive strings: the eight of section 6, and those that public clients name.',
    message: ({ unknown }) =>
      `${unknown.map(({ sent, nearest }) => `The event type ${show(sent)} is unknown (case counts).${nearest === null ? '' : ` Did you mean ${show(nearest)}?`}`).join(' ')} Event types: ${eventTypes.join(', ')}.`,
    fix: ({ meant }) =>
      meant === null
        ? { say: 'Send only known types.', edits: [] }
        : { say: `Send ${meant.map(show).join(', ')}.`, edits: [set(inBody('/events'), meant)] },
  }),
  unknownWebhook: rule<{ id: string; meant: string | null }>({
    id: 'webhooks.unknown',
    status: 404,
    section: '7',
    provenance: 'assumed',
    reason: 'Section 7 has the 404; it does not say whose webhooks an app sees.',
    says: 'The webhook was created by this app for this company; those of other apps are not found.',
    message: ({ id }) => `The specified resource was not found: this app has no webhook ${show(id)}.`,
    // Only the id that was meant is proposed: with another one, another webhook would be changed or deleted.
    fix: ({ meant }, place) => setMeant(place, meant, 'Use the id of a webhook of this app, or create one first.'),
  }),
} as const;

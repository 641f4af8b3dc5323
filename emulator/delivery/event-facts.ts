import type { Provenance } from '../contract/schema.ts';
import type { EventType } from './event-schemas.ts';

/** When each event is sent, in a sentence, and on what that rests: the specification names eight types and no more. */
export const eventFacts: { readonly [T in EventType]: { readonly says: string; readonly provenance: Provenance } } = {
  'sms.subscribed': { says: 'A person subscribed to texts.', provenance: 'documented' },
  'sms.sent': { says: 'A text was sent to a person.', provenance: 'documented' },
  'sms.message_link_click': { says: 'A person opened a link in a text.', provenance: 'documented' },
  'email.subscribed': { says: 'A person subscribed to emails.', provenance: 'documented' },
  'email.unsubscribed': { says: 'A person unsubscribed from emails.', provenance: 'documented' },
  'email.message_link_click': { says: 'A person opened a link in an email.', provenance: 'documented' },
  'email.opened': { says: 'A person opened an email.', provenance: 'documented' },
  'custom_attribute.set': { says: 'An attribute of a person got a value.', provenance: 'documented' },
  'sms.unsubscribed': { says: 'A person unsubscribed from texts.', provenance: 'observed' },
  'email.sent': { says: 'An email was sent to a person.', provenance: 'observed' },
  'sms.inbound_message': { says: 'A person wrote a text to the company.', provenance: 'observed' },
};

/** Behaviours about people: their events, subscriptions and deletion. */
import { inThousands } from '../../contract/digits.ts';
import { shortenable } from '../../messages/links.ts';
import { formatDuration } from '../../time/duration.ts';
import { spans } from '../../time/pace.ts';
import { assumed, documented, observed, type Behaviour } from './behaviour.ts';

export const peopleBehaviours: readonly Behaviour[] = [
  assumed(
    'people.email-case',
    'docs/platform.md, Users in events',
    'Emails are the same if they differ only in case; a person keeps the spelling that came first.',
    'Not public: people write their own address with and without capitals.',
  ),
  assumed(
    'events.no-offset',
    'docs/platform.md, Values on the wire',
    'An occurredAt without an offset is in UTC. The recorded request has a note.',
    'All public examples have an offset.',
  ),
  assumed(
    'people.merged',
    '4, Identity, 3',
    'If a request names several people, they become one. The person of its phone stays, else of its email, clientUserId, shopifyId, klaviyoId or custom identifiers, and gets all that the others have; of an attribute of several, the newest value.',
    'The section says only that duplicated values may bridge users.',
  ),
  assumed(
    'people.unlinked',
    'docs/platform.md, Users in events',
    'An event or an attribute for external identifiers of no one creates a person without an address. The recorded request has a note.',
    'It is public that such an identifier works only once it is linked, but not how the request is answered before.',
  ),
  assumed(
    'custom-events.duplicates',
    'docs/platform.md, Custom events',
    'An externalEventId is unique within company, type and user; for a duplicate the first event is kept and returned.',
    'A public client relies on it to drop duplicates; the scope in which it is unique is not known.',
  ),
  documented(
    'custom-events.journeys',
    '2.5',
    `An event older than ${formatDuration(spans.journeys)} starts no journeys; without occurredAt the time of the call is taken.`,
  ),
  documented(
    'custom-events.short-links',
    '2.5',
    `URL values of at most ${inThousands(shortenable)} characters are shortened.`,
  ),
  assumed(
    'custom-events.nested-keys',
    '2.5',
    'Only the keys of properties itself must not contain the characters of the rule, not the keys of objects inside it.',
    'The section does not say whether it means those, too.',
  ),
  observed(
    'ecommerce.default-currency',
    'docs/platform.md, E-commerce events',
    'A price without a currency is in USD.',
  ),
  observed('ecommerce.quantity-text', 'docs/platform.md, E-commerce events', 'A quantity may be a text of digits.'),
  assumed(
    'attributes.text-of-a-type',
    'docs/platform.md, Custom attributes',
    'An attribute whose type is number or boolean accepts a text that reads as one, such as "24".',
    'Public clients send all values as texts.',
  ),
  documented(
    'subscriptions.told-again',
    '4, Subscribe, 2',
    'A person who subscribes to texts a second time gets a message that says so.',
  ),
  documented(
    'subscriptions.told-unsubscribed',
    '4, Unsubscribe, 3',
    'A person who unsubscribes from texts a second time gets a message that says so.',
  ),
  assumed(
    'subscriptions.never-on-file',
    '4, Unsubscribe, 3',
    'A listed combination that was never on file is answered as PREVIOUSLY_UNSUBSCRIBED; no attempt is recorded, and no text is sent.',
    'The section is about people who are already unsubscribed; someone who never had a subscription did not leave one.',
  ),
  assumed(
    'subscriptions.texts',
    'docs/platform.md, Messages',
    'The wording of these messages, and the answers to HELP and STOP.',
    'No wording is public.',
  ),
  assumed(
    'subscriptions.of-an-address',
    'docs/platform.md, Subscriptions',
    'A subscription belongs to one address, type and channel; ending those of one address keeps the others.',
    'GraphQL gives a subscription a destinationAddress; nothing more is public.',
  ),
  assumed(
    'subscriptions.of-a-named-address',
    'docs/platform.md, Subscriptions',
    'A read by an address, by REST or GraphQL, lists its subscriptions, and on the other channel those of all addresses of the person; REST has one entry for each type and channel.',
    'Not public: a caller who has only one address of a person learns in this way how else to reach them.',
  ),
  observed(
    'subscriptions.single-opt-in',
    'docs/platform.md, Subscriptions',
    'singleOptIn leaves out the "Reply Y" text only.',
  ),
  assumed(
    'subscriptions.first-texts',
    'docs/platform.md, Messages',
    'A new subscription to texts gets one text: to reply Y, or with singleOptIn a welcome. So does a phone whose subscriptions end: one text, however many end at once.',
    'Only the texts to people who subscribe or unsubscribe again are documented, and the one to reply Y observed.',
  ),
  assumed(
    'subscriptions.at-once',
    '4, Subscribe, 1',
    'A subscription counts at once, also if the person is asked to reply Y.',
    'The specification has no state in between.',
  ),
  assumed(
    'subscriptions.unit-decides',
    '4, Subscribe, 3',
    'If signUpSourceId and subscriptionType contradict each other, the sign-up unit decides. The recorded request has a note.',
    'Public clients send both; which of them counts is not public.',
  ),
  documented('privacy.within', '4, Privacy deletion', 'A deletion is done within thirty days: here, far sooner.'),
  assumed(
    'privacy.deliveries',
    '4, Privacy deletion',
    'A deletion does not take back events: deliveries that wait are still sent, and those that were sent stay in the list.',
    'The section deletes the subscriber; receivers keep what they were sent, and a test reads it from the list.',
  ),
  assumed(
    'privacy.subject-at-the-end',
    '4, Privacy deletion',
    'Deleted is who has the phone or the email when the deletion is done, also if they got it after the request.',
    'The section names no time at which the subscriber must match.',
  ),
  assumed(
    'privacy.unknown-subject',
    '4, Privacy deletion',
    'A deletion request for someone unknown is accepted, and deletes nothing.',
    'The section does not say how it is answered; a public client also accepts 404.',
  ),
];

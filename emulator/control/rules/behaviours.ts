/**
 * Behaviours that a client can notice and that are neither a shape, a refusing rule, nor a move of a lifecycle: waits,
 * limits, headers and defaults. Each sentence takes its numbers from the constants that are in use.
 */
import type { Provenance } from '../../contract/schema.ts';
import { deliverySettings } from '../../delivery/settings.ts';
import { previousSignatureHeader } from '../../delivery/signature.ts';
import { SHOWN_OF_A_KIND } from '../../features/catalog/check/issues.ts';
import { readableFor } from '../../features/catalog/states.ts';
import { delays } from '../../lifecycles.ts';
import { shortenable } from '../../messages/links.ts';
import { formatDuration } from '../../time/duration.ts';
import { sayRequestLimits, spans } from '../../time/pace.ts';
import { inThousands } from '../../contract/digits.ts';

export interface Behaviour {
  /** A stable id, like the ids of rules. */
  readonly id: string;
  readonly says: string;
  /** A section of the specification, or a topic of docs/platform.md. */
  readonly source: string;
  readonly provenance: Provenance;
  /** Why it is so, if the source does not say it. */
  readonly reason?: string;
}

const { timeoutMs, retryDelaysMs, retryForMs, disableAfterMs, keyOverlapMs, maxHops, readBytes } = deliverySettings;
const deliveries = 'docs/platform.md, Webhook deliveries';
const catalog = 'docs/platform.md, Product catalog';

function documented(id: string, source: string, says: string): Behaviour {
  return { id, source, provenance: 'documented', says };
}

function observed(id: string, source: string, says: string): Behaviour {
  return { id, source, provenance: 'observed', says };
}

function assumed(id: string, source: string, says: string, reason: string): Behaviour {
  return { id, source, provenance: 'assumed', says, reason };
}

/** The registry of behaviours; docs/assumptions.md lists them. */
export const behaviours: readonly Behaviour[] = [
  observed(
    'deliveries.retry-span',
    deliveries,
    `A delivery that was not accepted is tried again for up to ${formatDuration(retryForMs)} after its first attempt.`,
  ),
  assumed(
    'deliveries.retry-schedule',
    deliveries,
    `The waits between attempts are ${retryDelaysMs.map(formatDuration).join(', ')}; the last one repeats. Each ends at the next whole second.`,
    'It is public that the waits grow exponentially, but not how long they are.',
  ),
  assumed(
    'deliveries.retry-after',
    deliveries,
    'The next attempt is not made before the time that the receiver named in Retry-After.',
    'This is the meaning of the header (RFC 9110 section 10.2.3).',
  ),
  assumed(
    'deliveries.timeout',
    deliveries,
    `A receiver has ${formatDuration(timeoutMs)}, from the start of the request to the end of its answer.`,
    'The timeout is not public.',
  ),
  assumed(
    'deliveries.answer-size',
    deliveries,
    `At most ${readBytes / 1024} KB of a receiver's answer are read.`,
    'A receiver must not fill the memory.',
  ),
  assumed(
    'deliveries.redirects',
    deliveries,
    'Redirects are not followed; they count as not accepted.',
    'Anything but 2xx is retried, and a redirect could lead to an address that was never registered.',
  ),
  assumed(
    'deliveries.disable-after',
    deliveries,
    `A webhook that accepted nothing for ${formatDuration(disableAfterMs)} is disabled, and its deliveries are paused; so is one that accepted nothing from the first to the last attempt of a delivery that failed after all its retries.`,
    'It is public that a webhook is disabled after several days, but not after how many.',
  ),
  assumed(
    'deliveries.previous-key',
    deliveries,
    `For ${formatDuration(keyOverlapMs)} after a new signing key was made, ${previousSignatureHeader} carries the signature of the key before it.`,
    'How the platform replaces a key is not public; this way a receiver misses nothing.',
  ),
  assumed(
    'deliveries.standard-webhooks',
    deliveries,
    'Deliveries also carry webhook-id, webhook-timestamp and webhook-signature. Libraries of Standard Webhooks take the signing key as standardSecret: whsec_ and the base64 of its text.',
    'An addition, so that receivers with a library for Standard Webhooks can verify them.',
  ),
  assumed(
    'deliveries.loops',
    deliveries,
    `An event that ${maxHops} deliveries led to is not published.`,
    'A receiver that calls the API on each event would otherwise never end.',
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
  observed(
    'ecommerce.default-currency',
    'docs/platform.md, E-commerce events',
    'A price without a currency is in USD.',
  ),
  observed('ecommerce.quantity-text', 'docs/platform.md, E-commerce events', 'A quantity may be a text of digits.'),
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
  documented('uploads.validate-only', '3', 'If validateOnly is true, which is the default, no data is saved.'),
  assumed(
    'uploads.link-lifetime',
    catalog,
    `An upload URL lives for ${formatDuration(spans.uploadLink)}.`,
    'Not public: long enough to send a file by hand, short enough to meet the expired state.',
  ),
  assumed(
    'uploads.kept-validated',
    catalog,
    `An upload stays validated for ${formatDuration(readableFor)}; at pace instant until a client has read it, or for ${formatDuration(readableFor)}. If it moved on before anyone read it, the first read still shows validated.`,
    "The platform's own uploader asks every 10 seconds and stops only at exactly validated.",
  ),
  assumed(
    'graphql.webhook-without-events',
    '7',
    'A webhook made by GraphQL without events lists none; one changed without them keeps its own.',
    'The schema lets events be left out; what that means is not public.',
  ),
  observed('uploads.errors-shown', catalog, `An upload shows at most ${SHOWN_OF_A_KIND} errors of a type.`),
  ...delays
    // The delays of saving are in uploads.kept-validated.
    .filter(({ name }) => !name.startsWith('upload.save'))
    .map(({ name, realistic }) =>
      assumed(
        `pace.${name}`,
        '3',
        `At pace realistic, ${name} takes ${formatDuration(realistic)}; at pace instant no time.`,
        'The specification names states, not how long they last.',
      ),
    ),
  documented('privacy.within', '4, Privacy deletion', 'A deletion is done within thirty days: here, far sooner.'),
  assumed(
    'privacy.deliveries',
    '4, Privacy deletion',
    'A deletion does not take back events: deliveries that wait are still sent, and those that were sent stay in the list.',
    'The section deletes the subscriber; receivers keep what they were sent, and a test reads it from the list.',
  ),
  documented('oauth.code-lifetime', '8', `An authorization code lives for ${formatDuration(spans.authorizationCode)}.`),
  assumed(
    'oauth.loopback-port',
    '5, OAuth 2.0 flow, 2',
    'A redirect URI to this machine may differ in its port from one associated with the app; the recorded request has a note.',
    'The section says only that it is associated; a program under development listens on any free port (RFC 8252 section 7.3).',
  ),
  assumed(
    'oauth.token-lifetime',
    '5, OAuth 2.0 flow, 6',
    'An access token does not expire, whatever expires_in says.',
    'The section says both; a token that expires would break apps that never renew one.',
  ),
  observed(
    'limits.headers',
    'docs/platform.md, Rate limits',
    'Every response of an operation, a refused one too, has x-ratelimit-limit and x-ratelimit-remaining.',
  ),
  observed('limits.numbers', 'docs/platform.md, Rate limits', `Requests a second, for a token: ${sayRequestLimits()}.`),
  assumed(
    'limits.retry-after',
    'docs/platform.md, Rate limits',
    'An answer 429 has Retry-After.',
    'It is not documented; clients honour it.',
  ),
  observed(
    'graphql.status',
    'docs/platform.md, GraphQL',
    'An error of a query is status 200 with errors; introspection needs no credential.',
  ),
  assumed(
    'graphql.refused-request',
    'docs/platform.md, GraphQL',
    'A request that is refused before its query is read has a status of its own, such as 400, 401 or 415, and the same body.',
    'Public samples show only errors of queries; no query was read here, and section 7 has statuses for such requests.',
  ),
  assumed(
    'graphql.currencies',
    'docs/platform.md, GraphQL',
    'CurrencyCode has every code of ISO 4217, and CURRENCY_UNKNOWN.',
    'Some public copies of the schema show five codes only; section 2.1 names ISO 4217.',
  ),
  assumed(
    'values.null',
    'docs/platform.md, Users in events',
    'null is read as left out in the fields whose type includes null, such as phone, email and occurredAt; any other field refuses it as a value of another type.',
    'Public clients send null for what they do not know of a person; no client is known that sends it in other fields, and section 4, Identity, 4 says not to send it.',
  ),
  assumed(
    'values.numbers',
    '1',
    'A number keeps the digits of a 64-bit floating-point number: a whole number beyond 2^53 may lose its last ones.',
    'The section says only JSON, and most programs read its numbers in this way. The recorded request has a note.',
  ),
  observed(
    'graphql.unknown-user',
    'docs/platform.md, GraphQL',
    'An unknown user is null or an empty list, never an error.',
  ),
];

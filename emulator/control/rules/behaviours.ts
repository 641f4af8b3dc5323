/**
 * Behaviours that a client can notice and that are neither a shape, a refusing rule, nor a move of a lifecycle: waits,
 * limits, headers and defaults. Each sentence takes its numbers from the constants that are in use.
 */
import { SHOWN_OF_A_KIND } from '../../features/catalog/check/issues.ts';
import { readableFor } from '../../features/catalog/states.ts';
import { delays } from '../../lifecycles.ts';
import { formatDuration } from '../../time/duration.ts';
import { sayRequestLimits, spans } from '../../time/pace.ts';
import { assumed, documented, observed, type Behaviour } from './behaviour.ts';
import { deliveryBehaviours } from './delivery-behaviours.ts';
import { peopleBehaviours } from './people-behaviours.ts';

const catalog = 'docs/platform.md, Product catalog';

/** The registry of behaviours; docs/assumptions.md lists them. */
export const behaviours: readonly Behaviour[] = [
  ...deliveryBehaviours,
  ...peopleBehaviours,
  assumed(
    'offers.touching-ranges',
    '4, Add discount codes, 3',
    'A date range may begin when another one ends.',
    'The section says only that they must not overlap.',
  ),
  assumed(
    'offers.repeated-codes',
    '4, Add discount codes',
    'Codes that the offer already has, or that the request repeats, are left out; an upload of no codes at all does not keep its dates. The recorded request has a note.',
    'The section does not say what happens to them.',
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
  assumed(
    'uploads.good-lines',
    '3, Catalog upload',
    'Of a file with errors, the lines without any are saved; of a file with too many lines, or in another form, none.',
    'Section 3 does not say what happens to a file with errors.',
  ),
  assumed(
    'uploads.unknown-fields',
    catalog,
    'A line may have fields that the section does not name; they are saved with it.',
    'Refusing them would stop a client of a newer version.',
  ),
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
  assumed(
    'oauth.all-scopes',
    '5, OAuth 2.0 flow, 2',
    'An app that asks for no scope gets all that it has.',
    'The section says only that scope is optional.',
  ),
  assumed(
    'oauth.earlier-tokens',
    '5, OAuth 2.0 flow, 6',
    'The tokens of earlier installations stay valid.',
    'The section says that a token does not expire, not what a second installation does.',
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
  observed(
    'graphql.currencies',
    'docs/platform.md, GraphQL',
    'CurrencyCode has every code of ISO 4217, and CURRENCY_UNKNOWN.',
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

/** The OpenAPI documents of both ports. */
import { toOpenApi } from '../../contract/openapi.ts';
import type { Urls } from '../../net/urls.ts';
import type { Choices } from '../../http/choices.ts';
import { errorBodies } from '../../http/error-text.ts';
import { eventSchemas, eventTypes } from '../../contract/event-schemas.ts';
import { scopes, type Endpoint } from '../../http/endpoint.ts';
import { controlError } from '../contract/refusals.ts';
import { apiTags, controlTags } from './tags.ts';

/**
 * The emulated platform's document.
 * @param answers the form of error replies, see choices.ts
 */
export function toApiDocument(
  operations: readonly Endpoint[],
  urls: Urls,
  version: string,
  answers: Choices['answers'],
): object {
  return toOpenApi({
    title: 'Messaging Platform API, emulated by Sandpiper',
    description: 'The emulated API. x-provenance says for each shape whether it is documented, observed or assumed.',
    version,
    server: urls.api,
    // GET /graphql only redirects browsers to the inspector; clients do not call it.
    operations: operations.filter(({ replies }) => !(302 in replies)),
    errorBodies,
    hasEmpty401: answers === 'exact',
    bearer: 'An API key of a private app, or an access token from the token exchange.',
    oauth: {
      authorizationUrl: `${urls.auth}/integrations/oauth-install`,
      tokenUrl: `${urls.api}/authorization-codes/tokens`,
      scopes,
    },
    tags: apiTags,
    events: eventTypes.map((type) => ({ type, schema: eventSchemas[type] })),
  });
}

/** The control API's own document. */
export function toControlDocument(operations: readonly Endpoint[], urls: Urls, version: string): object {
  return toOpenApi({
    title: 'Sandpiper control API',
    description: 'The API that the inspector, the test library and the command line use.',
    version,
    server: urls.inspector,
    operations,
    errorBodies: { control: controlError },
    bearer: 'The token printed at start.',
    tags: controlTags,
  });
}

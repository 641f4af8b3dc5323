import { toSdl } from '../features/graphql/sdl.ts';
import type { referenceCalls } from './contract/reference.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';
import { toReference } from './rules/reference.ts';
import { toApiDocument, toControlDocument } from './server/documents.ts';

/** Handlers for the descriptions of the APIs, for people and for programs. */
export function createReferenceHandlers({
  features,
  urls,
  version,
  options,
  routes,
}: HandlerDeps): Handlers<typeof referenceCalls> {
  return {
    'GET /control/reference': () => ({ pages: toReference(features, urls) }),
    'GET /control/graphql-schema': () => ({ sdl: toSdl() }),
    'GET /control/openapi.json': () => ({
      ...toApiDocument(features.operations, urls, version, options.choices.answers),
    }),
    'GET /control/control-openapi.json': () => ({ ...toControlDocument(routes(), urls, version) }),
  };
}

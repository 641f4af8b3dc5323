/** The contract as the page reads it at run time: GET /control/openapi.json. Pure. */
import type { RefusalView } from '../../../emulator/control/calls.ts';
import type { ApiDocument, Parameter, Schema } from '../../live/backend/api-document.ts';

type Provenance = RefusalView['provenance'];

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** In OpenAPI's form: `/webhooks/{webhookId}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly section: string;
  readonly provenance: Provenance;
  readonly scope: string | null;
  /** False if it takes no bearer token at all. */
  readonly takesKey: boolean;
  /** Whether every answer redirects, because the operation is made for browsers. */
  readonly redirects: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly type: 'json' | 'form'; readonly required: boolean; readonly schema: Schema } | null;
}

/** The whole contract. `root` precedes every path: `/v1`. */
export interface Contract {
  readonly root: string;
  readonly operations: readonly Operation[];
}

/** Reads the OpenAPI document. */
export function toContract({ servers, paths, components: { schemas } }: ApiDocument): Contract {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const [[type, content] = []] = Object.entries(operation.requestBody?.content ?? {});
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        tag: operation.tags[0] ?? '',
        section: operation['x-section'],
        provenance: operation['x-provenance'],
        scope: operation['x-scope'] ?? null,
        takesKey: operation.security === undefined || operation.security.length > 0,
        redirects: !Object.keys(operation.responses).some((status) => status.startsWith('2')),
        parameters: operation.parameters ?? [],
        body: content
          ? {
              type: type === 'application/json' ? 'json' : 'form',
              required: operation.requestBody?.required ?? false,
              // Every body refers to a schema by name.
              schema: schemas[content.schema.$ref.split('/').at(-1) ?? ''] ?? {},
            }
          : null,
      };
    }),
  );
  return { root: new URL(servers[0]?.url ?? '/', location.origin).pathname.replace(/\/$/, ''), operations };
}

/** The requests that the window sent, from the record of requests. */
import type { BytesView, RequestSummary, RequestView } from '../../../emulator/control/calls.ts';
import type { Draft } from '../../http-text/apply-fix.ts';
import { toHeaderText } from '../../http-text/header-text.ts';
import type { Contract } from './contract.ts';
import { contentTypeOf, pathOf, toSent } from './draft.ts';
import { graphqlId, type GraphqlInput, type Input } from './input.ts';

/** The id of the operation that a request called; null if the contract does not have it. */
export function operationOf({ operations }: Contract, { operation }: Pick<RequestSummary, 'operation'>): string | null {
  if (operation === 'POST /graphql') return graphqlId;
  return operations.find(({ method, path }) => `${method} ${path}` === operation)?.id ?? null;
}

/** The requests sent from the window, newest first. */
export function toHistory(contract: Contract, rows: readonly RequestSummary[]): readonly RequestSummary[] {
  return rows.filter((row) => row.source === 'window' && operationOf(contract, row) !== null).toReversed();
}

/** Headers that sending adds by itself. */
const added = new Set(['content-length', 'host', 'connection', 'x-sandbox-send']);
const nameOf = ([name]: readonly [string, string]): string => name.toLowerCase();

/** The request as a record would have it. Its operation is null if the contract has none at its method and path. */
export function asSent({ operations, root }: Contract, { method, url, headers, body }: Draft): Sent {
  const path = new URL(url, location.origin).pathname;
  const isGraphqlCall = method === 'POST' && path === `${root}/graphql`;
  const operation = operations.find((one) => one.method === method && pathOf(one, root, url) !== null);
  return {
    operation: isGraphqlCall ? 'POST /graphql' : operation ? `${method} ${operation.path}` : null,
    url,
    request: { headers: headers.map(([name, value]) => [name, value]), body },
  };
}

/** A request to fill the form with: a recorded one, or one that was pasted. */
export type Sent = Pick<RequestView, 'operation' | 'url'> & {
  readonly request: {
    readonly headers: RequestView['request']['headers'];
    readonly body: Pick<BytesView, 'encoding' | 'data'> | null;
  };
};

/**
 * Converts a request for the form.
 * @param exact whether the form must send the same bytes again; otherwise headers are left out, and a body of any
 *   layout is in the form's fields
 */
export function toInput(contract: Contract, view: Sent, { exact }: { readonly exact: boolean }): Input {
  const text = view.request.body?.encoding === 'utf8' ? view.request.body.data : null;
  if (view.operation === 'POST /graphql') return toGraphqlInput(text ?? '');
  const operation = contract.operations.find(({ id }) => id === operationOf(contract, view));
  if (!operation) throw new Error('There is no such operation.');
  const sent = toSent(operation, contract.root, { url: view.url, text, exact });
  if (!exact) return sent;
  // The form adds the header of a chosen key, and the content type of a body.
  const hasKey = typeof toKey(contract, view) === 'string';
  const isOfForm = (header: readonly [string, string]): boolean =>
    (nameOf(header) === 'authorization' && hasKey) ||
    (nameOf(header) === 'content-type' && text !== null && header[1] === contentTypeOf(operation));
  const own = view.request.headers.filter((header) => !added.has(nameOf(header)) && !isOfForm(header));
  return { ...sent, headers: own.map(([name, value]) => [name, toHeaderText(value)] as const) };
}

/**
 * The key of a request; null for none. Undefined if it was not a choice of a key: the operation takes none, or
 * a header of the input is sent instead.
 */
export function toKey({ operations }: Contract, view: Sent): string | null | undefined {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === view.operation);
  if (operation && !operation.takesKey) return undefined;
  const [sent, ...more] = view.request.headers.filter((header) => nameOf(header) === 'authorization');
  if (!sent) return null;
  return more.length > 0 ? undefined : /^Bearer (.+)$/s.exec(sent[1])?.[1];
}

function toGraphqlInput(text: string): GraphqlInput {
  const { query, variables, operationName } = readBody(text);
  return {
    document: typeof query === 'string' ? query : text,
    variables: variables === undefined ? '' : JSON.stringify(variables, null, 2),
    operation: typeof operationName === 'string' ? operationName : '',
  };
}

function readBody(text: string): { readonly [name: string]: unknown } {
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null ? (body as { readonly [name: string]: unknown }) : {};
  } catch {
    return {};
  }
}

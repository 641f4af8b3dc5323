/** What the window sent, from the record of requests. */
import type { RequestSummary, RequestView } from '../../../emulator/control/calls.ts';
import type { Contract } from './contract.ts';
import { toSent } from './draft.ts';
import { graphqlId, type GraphqlInput, type Input } from './input.ts';

/** The id of the operation that a request meant; null if it means none of the contract. */
export function operationOf({ operations }: Contract, { operation }: Pick<RequestSummary, 'operation'>): string | null {
  if (operation === 'POST /graphql') return graphqlId;
  return operations.find(({ method, path }) => `${method} ${path}` === operation)?.id ?? null;
}

/** Those that were sent from here, newest first. */
export function toHistory(contract: Contract, rows: readonly RequestSummary[]): readonly RequestSummary[] {
  return rows.filter((row) => row.source === 'window' && operationOf(contract, row) !== null).toReversed();
}

/** The header of the key is chosen apart from the input, and the content type follows from the body. */
const apart = new Set(['authorization', 'content-type', 'content-length', 'host', 'connection', 'x-sandbox-send']);

/**
 * What a recorded request sent, for the form.
 * @param exact as the form sent it, so that it sends the same bytes again; else without headers, and a body of any
 *   layout in the form's fields
 */
export function toInput(contract: Contract, view: RequestView, { exact }: { readonly exact: boolean }): Input {
  const text = view.request.body?.encoding === 'utf8' ? view.request.body.data : null;
  if (view.operation === 'POST /graphql') return toGraphqlInput(text ?? '');
  const operation = contract.operations.find(({ id }) => id === operationOf(contract, view));
  if (!operation) throw new Error('There is no such operation.');
  const sent = toSent(operation, contract.root, { url: view.url, text, exact });
  if (!exact) return sent;
  return {
    ...sent,
    headers: view.request.headers.filter(([name]) => !apart.has(name.toLowerCase())),
  };
}

/** What was sent in the authorization header, for the choice of the key; null is no key. */
export function toKey({ request: { headers } }: RequestView): string | null {
  const value = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return value === undefined ? null : value.replace(/^Bearer /, '');
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

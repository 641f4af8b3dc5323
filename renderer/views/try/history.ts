/** The requests that the window sent, from the record of requests. */
import type { RequestSummary, RequestView } from '../../../emulator/control/calls.ts';
import { toHeaderText } from '../../http-text/header-text.ts';
import type { Contract } from './contract.ts';
import { contentTypeOf, toSent } from './draft.ts';
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

/**
 * Converts a recorded request for the form.
 * @param exact whether the form must send the same bytes again; otherwise headers are left out, and a body of any
 *   layout is in the form's fields
 */
export function toInput(contract: Contract, view: RequestView, { exact }: { readonly exact: boolean }): Input {
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
 * The key of a recorded request; null for none. Undefined if it was not a choice of a key: the operation takes none, or
 * a header of the input is sent instead.
 */
export function toKey({ operations }: Contract, view: RequestView): string | null | undefined {
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

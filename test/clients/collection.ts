/** An OpenAPI document as a collection of requests, as API clients with a window import it. */
import converter from 'openapi-to-postmanv2';
import type { Sandbox } from '../support/sandbox.ts';

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly url: {
      readonly path: readonly string[];
      readonly query?: readonly Parameter[];
      readonly variable?: readonly Parameter[];
    };
    readonly body?: {
      readonly mode: string;
      readonly raw?: string;
      readonly urlencoded?: readonly Parameter[];
    };
  };
}

interface Parameter {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

async function importCollection(document: object): Promise<readonly Item[]> {
  const imported = await new Promise<{ readonly output: readonly { readonly data: unknown }[] }>((resolve, reject) => {
    const settings = { folderStrategy: 'Paths', parametersResolution: 'Example' };
    converter.convertV2({ type: 'json', data: document }, settings, (error, result) => {
      if (error || !result.result) reject(error ?? new Error(result.reason));
      else resolve(result);
    });
  });
  const leaves = (item: Item): readonly Item[] => (item.item ? item.item.flatMap(leaves) : [item]);
  return leaves(imported.output[0]?.data as Item);
}

/** Creations first, removals last, as a person would run them; a deletion request removes the subscriber that the rest names. */
const order = ['POST', 'PUT', 'GET', 'DELETE'];
const rank = (request: NonNullable<Item['request']>): number =>
  order.indexOf(request.method) + (request.url.path.includes('privacy') ? order.length : 0);

/** What is read of an OpenAPI document. */
export interface ApiDocument {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly responses: { readonly [status: string]: Answer } };
    };
  };
}

interface Answer {
  readonly links?: { readonly [operation: string]: { readonly parameters: { readonly [name: string]: string } } };
}

/** If two parameters exclude each other, a user disables one. */
const switchedOff: { readonly [operation: string]: string } = { 'GET /attributes/custom': 'email' };

/**
 * Imports a document, and sends every request as it is. `METHOD path status rule` of each, in the order in which a person
 * would send them.
 */
export async function runCollection(sandbox: Sandbox, document: ApiDocument): Promise<readonly string[]> {
  const requests = (await importCollection(document)).flatMap(({ request }) => request ?? []);
  // Values that the document's links copy from a reply to the next request.
  const known = new Map<string, string>();
  const answers: string[] = [];
  for (const { method, url, body: sent } of requests.toSorted((a, b) => rank(a) - rank(b))) {
    const template = `/${url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`;
    const values = new Map((url.variable ?? []).map(({ key, value }) => [key, known.get(key) ?? value]));
    const path = template.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => values.get(name) ?? name);
    const query = (url.query ?? [])
      .filter(({ key, disabled }) => !disabled && key !== switchedOff[`${method} ${template}`])
      .map(({ key, value }) => [key, value] as const);
    const answer = await sandbox.call(method, path, {
      ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
      ...(sent?.mode === 'urlencoded'
        ? { form: Object.fromEntries((sent.urlencoded ?? []).map(({ key, value }) => [key, value])) }
        : sent?.raw
          ? { raw: sent.raw, headers: { 'content-type': 'application/json' } }
          : {}),
    });
    const { links = {} } = document.paths[template]?.[method.toLowerCase()]?.responses[answer.status] ?? {};
    for (const { parameters } of Object.values(links))
      for (const [name, from] of Object.entries(parameters))
        known.set(name, String((answer.body as Record<string, unknown>)[from.split('/').at(-1) ?? '']));
    answers.push(`${method} ${template} ${answer.status} ${answer.rule ?? ''}`.trim());
  }
  return answers;
}

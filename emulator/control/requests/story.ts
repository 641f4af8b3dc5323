import { toAmount } from '../../contract/digits.ts';
import { jsonOf } from '../../contract/json-of.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import { headerOf } from '../../http/raw-headers.ts';
import { parseQuery } from '../../http/query.ts';
import { objectPrefix } from '../../objects/presign.ts';
import type { CollectionName, Collections } from '../../records.ts';
import { longestSite, siteHeader, testHeader } from '../../production/hosts.ts';
import { definitions } from '../../records/definitions.ts';
import type { Change } from '../../store/store.ts';
import { shorten } from '../shorten.ts';

/** The words of a line about a request, in addition to its method and path. */
export interface Story {
  /** The person or thing that it was about: an address, an id, a name; null if it names none. */
  readonly about: string | null;
  /** The names in `about`, one by one. */
  readonly names: readonly string[];
  /** What it did, as a few words that follow "it": `subscribed to MARKETING by text`; null if nothing changed. */
  readonly did: string | null;
}

/** Derives what a request was about and what it did from its changes or, if there are none, from its input. */
export function toStory(exchange: Exchange): Story {
  const changes = withoutMoved(exchange.changes);
  const parts = tellers.flatMap(({ collection, tell }) => {
    const own = changes.filter((change) => change.collection === collection);
    return own.length === 0 ? [] : (tell(own as never) ?? []);
  });
  const [first, ...rest] = parts;
  const name = named(exchange);
  const names = [first?.about ?? name ?? []].flat();
  const about = names.length === 0 ? null : names.join(', ');
  if (!first) return { about, names, did: changes.length === 0 ? null : counted(changes) };
  const beside = rest.flatMap(({ beside: words }) => words ?? []);
  return { about, names, did: [first.did, ...beside].join(', ') };
}

/**
 * Removes the changes of a merge that only gave a record to another person: the merge is told once, with the people.
 */
function withoutMoved(changes: readonly Change[]): readonly Change[] {
  const people = changes.filter(({ collection }) => collection === 'users');
  const gone = new Set(people.filter(({ after }) => after === null).map(({ id }) => id));
  if (gone.size === 0 || gone.size === people.length) return changes;
  const fieldOf = (collection: string): string => definitions[collection as CollectionName].person?.field ?? '';
  const ownerOf = ({ collection, before }: Change): unknown => (before as Fields | null)?.[fieldOf(collection)];
  const contentOf = (collection: string, record: Change['after']): string =>
    `${collection} ${JSON.stringify({ ...record, id: '', [fieldOf(collection)]: '' })}`;
  const isMoved = (change: Change): boolean => gone.has(ownerOf(change) as string);
  const contents = new Set(changes.filter(isMoved).map(({ collection, before }) => contentOf(collection, before)));
  return changes.filter((change) => {
    if (fieldOf(change.collection) === '') return true;
    return change.after === null ? !isMoved(change) : !contents.has(contentOf(change.collection, change.after));
  });
}

interface Fields {
  readonly [name: string]: unknown;
}

/** A change of one collection, with its records typed. */
interface ChangeIn<N extends CollectionName> {
  readonly id: string;
  readonly before: Collections[N] | null;
  readonly after: Collections[N] | null;
}

interface Part {
  /** The person or thing, or several persons. */
  readonly about: string | readonly string[] | null;
  readonly did: string;
  /** The text to add after a more important change; without it, none is added. */
  readonly beside?: string;
}

interface Teller {
  readonly collection: CollectionName;
  readonly tell: (changes: readonly never[]) => Part | null;
}

function teller<N extends CollectionName>(
  collection: N,
  tell: (changes: readonly ChangeIn<N>[]) => Part | null,
): Teller {
  return { collection, tell: tell as Teller['tell'] };
}

const words = { TEXT: 'text', EMAIL: 'email' } as const;

/** Ordered by importance. Changes of any other kind are counted, in the words of its definition. */
const tellers: readonly Teller[] = [
  teller('subscriptions', (changes) => {
    const said = changes.flatMap(({ before, after }) => {
      const one = after ?? before;
      if (!one) return [];
      const verb = after === null || after.status === 'unsubscribed' ? 'unsubscribed from' : 'subscribed to';
      if (before !== null && before.status === after?.status)
        return [{ about: one.address, did: `${after.status === 'subscribed' ? 'was' : 'was not'} subscribed already` }];
      return [{ about: one.address, did: `${verb} ${one.type} by ${words[one.channel]}` }];
    });
    const did = [...new Set(said.map((one) => one.did))].join(', ');
    return did === '' ? null : { about: [...new Set(said.map(({ about }) => about))], did };
  }),
  teller('events', ([{ after } = { after: null }]) =>
    after === null
      ? null
      : { about: null, did: after.kind === 'custom' ? `event “${after.type}”` : eventWords[after.kind] },
  ),
  teller('attributeValues', (changes) => ({
    about: null,
    did: `${changes.some(({ after }) => after !== null) ? 'set' : 'removed'} ${list(changes.map(({ before, after }) => (after ?? before)?.name ?? ''))}`,
  })),
  teller('privacyRequests', ([{ before, after } = { before: null, after: null }]) =>
    after === null
      ? null
      : {
          about: after.subjectPhone ?? after.subjectEmail ?? after.clientUserId,
          did: before === null ? 'asked for deletion' : `deletion is ${after.state}`,
        },
  ),
  teller('offerUploads', ([{ after } = { after: null }]) =>
    after === null ? null : { about: `offer ${after.offerId}`, did: `added ${toAmount(after.codeCount, 'code')}` },
  ),
  teller('uploads', ([{ before, after } = { before: null, after: null }]) =>
    after === null
      ? null
      : {
          about: after.id,
          did:
            before === null
              ? `opened an upload${after.validateOnly ? ', to be checked only' : ''}`
              : after.bytes !== before.bytes && after.bytes !== null
                ? `received a file of ${toAmount(after.bytes, 'byte')}`
                : `upload is ${after.state}`,
        },
  ),
  teller('webhooks', ([{ before, after } = { before: null, after: null }]) => ({
    about: (after ?? before)?.url ?? null,
    did: `${didOf(before, after)} a webhook${after && after.events.length > 0 ? ` for ${list(after.events)}` : ''}`,
  })),
  teller('credentials', ([{ before, after } = { before: null, after: null }]) => ({
    about: null,
    did: before === null ? 'gave an access token' : after?.revokedAt ? 'revoked a credential' : 'changed a credential',
  })),
  teller('attributeDefinitions', ([{ before, after } = { before: null, after: null }]) => ({
    about: null,
    did: `${didOf(before, after)} the attribute ${(after ?? before)?.name}`,
  })),
  teller('users', (changes) => {
    const gone = changes.filter(({ after }) => after === null).length;
    const made = changes.find(({ before }) => before === null)?.after;
    const one = made ?? changes.find(({ after }) => after !== null)?.after ?? changes[0]?.before;
    const about = one?.addresses[0]?.value ?? one?.clientUserIds[0] ?? one?.customIdentifiers[0]?.value ?? null;
    if (gone > 0 && changes.length > gone)
      return { about, did: `merged ${gone + 1} people`, beside: `merged ${gone + 1} people` };
    if (gone > 0) return { about, did: `removed ${toAmount(gone, 'person', 'people')}` };
    return made ? { about, did: 'new person', beside: 'new person' } : { about, did: 'changed a person' };
  }),
];

const eventWords = {
  'product-view': 'viewed a product',
  'add-to-cart': 'added to the cart',
  purchase: 'purchased',
} as const;

function didOf(before: object | null, after: object | null): 'created' | 'deleted' | 'changed' {
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'changed';
}

/** The person or thing that the input names, for a refused request and for one that only reads. */
function named(exchange: Exchange): string | null {
  const { operation, url } = exchange;
  const [path = '', query = ''] = url.split('?', 2);
  const { phone, email, clientUserId } = parseQuery(query, () => {});
  const inQuery = [phone, email, clientUserId].flat().find((one) => typeof one === 'string' && one !== '');
  if (inQuery !== undefined) return short(inQuery as string);
  // A file is about its upload, not about the people in its lines.
  if (path.startsWith(objectPrefix))
    return short(decode(path.slice(path.lastIndexOf('/') + 1)).replace(/\.ndjson$/, ''));
  const inBody = namedInBody(exchange);
  if (inBody) return short(inBody);
  const at = operation?.split('/').findLastIndex((part) => part.startsWith('{')) ?? -1;
  // `GET /product-catalog/uploads/{uploadId}` is relative to the base URL: `/v1` precedes it in the path.
  const inPath = at === -1 ? undefined : path.replace(/^\/v1/, '').split('/')[at];
  return inPath === undefined ? null : short(decode(inPath));
}

const identifiers = [
  'phone',
  'email',
  'subjectPhone',
  'subscriberPhone',
  'subjectEmail',
  'subscriberEmail',
  'clientUserId',
] as const;
const inText = new RegExp(String.raw`"(?:${identifiers.join('|')})"\s*:\s*"((?:[^"\\]|\\.){1,200})"`);

/** The person that a body names. */
function namedInBody(exchange: Exchange): string | null {
  const text = firstOf(exchange);
  const first = inText.exec(text)?.[1];
  if (first === undefined) return null;
  const body = jsonOf(text);
  // If the body was cut or is not JSON, the first match counts.
  return body === undefined ? first : whoIn(body);
}

/** The outermost identifier in a value. What the sender keeps in its own `properties` is not about the person. */
function whoIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Fields;
  const found = identifiers.map((name) => fields[name]).find((one) => typeof one === 'string' && one !== '');
  if (found !== undefined) return found as string;
  for (const [name, inner] of Object.entries(fields)) {
    const within = name === 'properties' ? null : whoIn(inner);
    if (within !== null) return within;
  }
  return null;
}

/** The start of a body as text; empty if the body is large. */
function firstOf({ requestBody, requestBytes }: Exchange, bytes = firstBytes): string {
  return requestBody === null || requestBytes > longestBody ? '' : requestBody.toString('utf8', 0, bytes);
}

/**
 * The longest body in which a list looks for a person. Larger bodies are catalog files and lists of codes, which name
 * none.
 */
const longestBody = 64 * 1024;
const firstBytes = 4 * 1024;

/** The name of a GraphQL operation, or of its first field if it has no name; null for any other request. */
export function toGraphqlName(exchange: Exchange): string | null {
  if (exchange.operation !== 'POST /graphql') return null;
  const { query, operationName } = (jsonOf(firstOf(exchange, longestBody)) ?? {}) as Fields;
  if (typeof operationName === 'string' && operationName !== '') return short(operationName);
  if (typeof query !== 'string') return null;
  const code = query.replaceAll(/#.*|"(?:[^"\\\n]|\\.)*"/g, ' ');
  const [, named] = /\b(?:query|mutation|subscription)\s+(\w{1,100})/.exec(code) ?? [];
  return named ?? /\{\s*(?:\w+\s*:\s*)?(\w{1,100})/.exec(code)?.[1] ?? null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const short = (text: string): string => shorten(text, 60);

function counted(changes: readonly Change[]): string {
  const byName = new Map<string, number>();
  for (const { collection } of changes) byName.set(collection, (byName.get(collection) ?? 0) + 1);
  const [name, count] = [...byName][0] ?? ['', 0];
  const [one, many] = definitions[name as CollectionName].words;
  return `changed ${toAmount(count, one, many)}`;
}

function list(names: readonly string[]): string {
  return names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(' and ');
}

/**
 * The place in a program, and the test, that sent a request, from the headers of the preload (production/call-site.ts).
 */
export function toCalledFrom({
  requestHeaders,
}: Exchange): { readonly place: string | null; readonly test: string | null } | null {
  const [place, test] = [siteHeader, testHeader].map((wanted) => {
    const sent = headerOf(requestHeaders, wanted);
    return sent === null ? null : decode(sent).slice(0, longestSite);
  });
  return place || test ? { place: place ?? null, test: test ?? null } : null;
}

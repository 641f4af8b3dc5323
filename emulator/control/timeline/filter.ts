import { isSameAddress } from '../../people/addresses.ts';
import type { Notice, StoredRecord, User } from '../../records.ts';
import type { Change, Store } from '../../store/store.ts';
import { inParts } from '../../time/slices.ts';
import type { QueryOf } from '../call.ts';
import { inQuery, refuse } from '../../rules.ts';
import { kinds, type timelineCalls } from '../contract/timeline.ts';
import { identitiesOf, toPerson } from '../people/people-search.ts';
import type { LedBy } from '../../world/lineage.ts';
import { timelineRules } from '../rules/time-rules.ts';
import { toStory } from '../requests/story.ts';
import { isMade, isMoving, type Root } from './root.ts';

export type TimelineFilter = Omit<QueryOf<(typeof timelineCalls)['GET /control/timeline/spread']>, 'bars' | 'kind'>;

type Test = (root: Root) => boolean;

/** Creates a test for the whole filter except kind and text; null if all causes pass. */
export async function createFilter(
  filter: TimelineFilter,
  store: Store,
  lineage: Pick<LedBy, 'has'>,
): Promise<Test | null> {
  const { companyId, person, webhook, upload, rule, section, failed, since, until, cause } = filter;
  const [from, to] = [toTime(since, -Infinity), toTime(until, Infinity)];
  const tests: Test[] = [];
  if (since !== undefined || until !== undefined) tests.push(({ at }) => at >= from && at < to);
  if (companyId !== undefined) tests.push((root) => root.companyId === null || root.companyId === companyId);
  if (section !== undefined) tests.push((root) => root.section === section || root.id === section);
  if (failed !== undefined) tests.push((root) => root.failed);
  if (rule !== undefined) tests.push(({ source }) => source.what === 'request' && source.exchange.refusedBy === rule);
  if (upload !== undefined) tests.push(ofUpload(upload, lineage));
  if (webhook !== undefined) tests.push(ofWebhook(webhook, store, lineage));
  if (person !== undefined) tests.push(ofPerson(person, await findPeople(person, store), store, lineage));
  if (cause !== undefined) tests.push(isCause(cause, store, lineage));
  return tests.length === 0 ? null : (root) => tests.every((test) => test(root));
}

/** Creates a test for kinds, which are separated by commas. Refuses a kind that does not exist. */
export function createKindFilter(given: string | undefined): Test {
  if (given === undefined) return () => true;
  const wanted = new Set(given.split(','));
  for (const kind of wanted)
    if (!kinds.some((one) => one === kind)) refuse(timelineRules.kind, inQuery('kind'), given, { kind, given, kinds });
  return (root) => root.kinds.some((one) => wanted.has(one));
}

const toTime = (iso: string | undefined, none: number): number => (iso === undefined ? none : Date.parse(iso));

function ofUpload(id: string, lineage: Pick<LedBy, 'has'>): Test {
  const json = Buffer.from(JSON.stringify(id));
  return ({ source }) => {
    if (source.what === 'request') {
      const { exchange } = source;
      return (
        lineage.has(exchange) &&
        (exchange.url.includes(id) || (exchange.mayChange(json) && exchange.changes.some((one) => one.id === id)))
      );
    }
    if (source.what === 'activity') return source.activity.touched.some((one) => one.id === id);
    if (source.what === 'notice') return namedIn(source.notice, 'uploads').includes(id);
    return source.what === 'move' && source.record.id === id;
  };
}

/** The ids of the records of a kind that a notice is about; notices of an earlier version have none. */
function namedIn({ about = [] }: Notice, wanted: string): readonly string[] {
  return about.filter(({ kind }) => kind === wanted).map(({ id }) => id);
}

function ofWebhook(wanted: string, store: Store, lineage: Pick<LedBy, 'has'>): Test {
  const text = wanted.toLowerCase();
  const isMeant = (id: string | null, url: string): boolean => id === wanted || url.toLowerCase().includes(text);
  const isDelivery = (id: string): boolean => {
    const delivery = store.deliveries.get(id);
    return delivery !== undefined && isMeant(delivery.webhookId, delivery.url);
  };
  const isChange = (collection: string, id: string): boolean =>
    collection === 'deliveries'
      ? isDelivery(id)
      : collection === 'webhooks' && isMeant(id, store.webhooks.get(id)?.url ?? '');
  return ({ source }) => {
    switch (source.what) {
      case 'request':
        return (
          source.exchange.touched.some(({ collection }) => collection === 'deliveries' || collection === 'webhooks') &&
          lineage.has(source.exchange) &&
          source.exchange.changes.some(({ collection, id }) => isChange(collection, id))
        );
      case 'activity':
        return source.activity.touched.some(({ collection, id }) => isChange(collection, id));
      case 'delivery':
      case 'attempt':
        return isMeant(source.delivery.webhookId, source.delivery.url);
      case 'retries':
        return source.attempts.some(({ delivery }) => isMeant(delivery.webhookId, delivery.url));
      case 'notice':
        return namedIn(source.notice, 'webhooks').some((id) => isChange('webhooks', id));
      default:
        return false;
    }
  };
}

/** Creates a test for causes that changed something of a person, named them, or were sent to or about them. */
function ofPerson(wanted: string, people: readonly User[], { definitions }: Store, lineage: Pick<LedBy, 'has'>): Test {
  const person = toPerson(people, [wanted]);
  const texts = [...person.ids, ...person.numbers.map(String), ...person.called].map((text) =>
    longestWord(text.toLowerCase()),
  );
  const isAbout = (collection: string, record: StoredRecord | null): boolean =>
    record !== null && (definitions[collection]?.names?.(record, person) ?? false);
  const isOf = ({ collection, before, after }: Change): boolean => isAbout(collection, after ?? before);
  return ({ source }) => {
    switch (source.what) {
      case 'request':
        return (
          source.exchange.mayName(texts) &&
          ((lineage.has(source.exchange) && source.exchange.changes.some(isOf)) ||
            toStory(source.exchange).names.some((name) => person.called.includes(name.toLowerCase())))
        );
      case 'activity':
        return source.activity.person !== null && person.ids.includes(source.activity.person.id);
      case 'delivery':
      case 'attempt':
        return isAbout('deliveries', source.delivery);
      case 'retries':
        return source.attempts.some(({ delivery }) => isAbout('deliveries', delivery));
      case 'message':
        return isAbout('messages', source.message);
      case 'move':
        return isAbout(source.of, source.record);
      case 'notice':
        return namedIn(source.notice, 'users').some((id) => person.ids.includes(id));
    }
  };
}

/** The longest part of a text that stays the same in JSON, and when the text is cut or put on one line. */
function longestWord(text: string): string {
  return text.split(/[\s"\\…\p{Cc}\p{Cs}]/u).reduce((longest, one) => (one.length > longest.length ? one : longest));
}

async function findPeople(wanted: string, store: Store): Promise<readonly User[]> {
  const own = store.users.get(wanted);
  if (own) return [own];
  const isMeant = (user: User): boolean =>
    user.addresses.some(({ channel, value }) => isSameAddress(channel, value, wanted)) ||
    identitiesOf(user).some(({ value }) => value === wanted);
  const found: User[] = [];
  for await (const part of inParts(store.users.records(), 2_000)) found.push(...part.filter(isMeant));
  return found;
}

/** Creates a test for the cause with this id, or the cause that made the record with this id. */
function isCause(id: string, { definitions }: Store, lineage: Pick<LedBy, 'has'>): Test {
  const json = Buffer.from(JSON.stringify(id));
  const isWanted = (collection: string, made: string): boolean =>
    made === id && (isMoving(definitions, collection) || isMade(definitions, collection));
  return (root) => {
    const { source } = root;
    if (root.id === id) return true;
    // Decode only the requests that may have made it.
    if (source.what === 'request')
      return (
        source.exchange.mayChange(json) &&
        lineage.has(source.exchange) &&
        source.exchange.changes.some(
          ({ collection, id: made, before }) => before === null && isWanted(collection, made),
        )
      );
    return (
      source.what === 'activity' && source.activity.touched.some((one) => one.isNew && isWanted(one.collection, one.id))
    );
  };
}

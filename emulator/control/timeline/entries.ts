/** One thing that happened, in words. */
import { inThousands, toAmount } from '../../contract/digits.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import { objectPrefix } from '../../objects/presign.ts';
import { personOf, type Definitions } from '../../records/definition.ts';
import { toKind } from '../../records/kind.ts';
import type { AnyMoved, Delivery, DeliveryAttempt, Message, Notice } from '../../records.ts';
import type { Store } from '../../store/store.ts';
import { toIso } from '../../time/clock.ts';
import type { Activity } from '../../world/activity.ts';
import type { TimelineEntryView, TimelineLink } from '../contract/timeline.ts';
import { isFromWindow, sendHeader } from '../requests/send.ts';
import { toGraphqlName, toStory } from '../requests/story.ts';
import { shorten, shortQuote } from '../shorten.ts';
import type { AttemptOf, MoveOf } from './root.ts';

type Entry = TimelineEntryView;

/** The note of an entry whose changes were taken back. */
const takenBack = 'taken back since';

const plain = { wallAt: null, note: null, tone: 'plain', status: null, state: null, isCertain: true } as const;

/**
 * A recorded request: who called what, about whom, and what it did.
 * @param isTakenBack whether its changes were taken back: then its ids may be those of other records
 */
export function toRequestEntry(exchange: RecordedExchange, store: Store, isTakenBack = false): Entry {
  const { id, status, refusedBy, failure, fault, at, wallAt, durationMs } = exchange;
  const name = toName(exchange);
  const { about, did } = toStory(exchange);
  const by = toCaller(exchange, store);
  const what = refusedBy === null ? (failure ?? did) : `refused by ${refusedBy}`;
  const bad = (status ?? 0) >= 500 || failure !== null;
  const userId = about === null || isTakenBack ? null : changedPerson(exchange, store);
  const { says, links } = toSentence(
    { text: name, kind: 'requests', id },
    by === null ? '' : ` ${by}`,
    about === null && what === null ? '' : ': ',
    about === null || userId === null ? (about ?? '') : { text: about, kind: 'users', id: userId },
    what === null ? '' : about === null ? what : ` ${what}`,
  );
  // Written out: a search makes an entry for each request, and spreading takes longer than all the rest of this.
  return {
    id,
    kind: fault ? 'fault' : 'request',
    at: toIso(at),
    wallAt: toIso(wallAt),
    says,
    links,
    note: isTakenBack ? takenBack : fault ? `fault: ${fault.says}` : durationMs === null ? null : toMs(durationMs),
    tone: bad ? 'bad' : refusedBy !== null || (status ?? 0) >= 400 ? 'warning' : 'plain',
    status,
    state: null,
    isCertain: true,
  };
}

/** The name of a request, such as `POST /subscriptions`, `GraphQL createUser` or `PUT upload file`. */
export function toName(exchange: Exchange): string {
  const graphql = toGraphqlName(exchange);
  if (graphql !== null) return `GraphQL ${graphql}`;
  const path = (exchange.url.split('?', 1)[0] ?? '').replace(/^\/v1(?=\/)/, '');
  if (path.startsWith(objectPrefix)) return `${exchange.method} upload file`;
  return `${exchange.method} ${shorten(path, 80)}`;
}

function toCaller(exchange: RecordedExchange, store: Store): string | null {
  if (exchange.maySend(sendHeader) && isFromWindow(exchange)) return 'from the window';
  const credential = exchange.credentialId === null ? undefined : store.credentials.get(exchange.credentialId);
  const app = credential && store.apps.get(credential.appId);
  return app ? `by ${app.name}` : null;
}

/** The person whose records a request changed, if they are still there. */
function changedPerson({ changes }: Exchange, { users, definitions }: Store): string | null {
  for (const { collection, id, before, after } of changes) {
    const of = definitions[collection]?.person;
    const userId = collection === 'users' ? id : of ? personOf(after ?? before, of) : null;
    if (userId !== null && users.get(userId)) return userId;
  }
  return null;
}

export function toActivityEntry(activity: Activity, store: Store): Entry {
  const { id, kind, at, wallAt, says, person } = activity;
  // Activities of an earlier version do not say where the sentence names the person.
  const isKnown = !activity.isTakenBack && person?.from !== undefined && store.users.get(person.id) !== undefined;
  return {
    ...plain,
    id,
    kind,
    at: toIso(at),
    wallAt: toIso(wallAt),
    says,
    note: activity.isTakenBack ? takenBack : null,
    links: isKnown ? [{ text: person.name, from: person.from, kind: 'users', id: person.id }] : [],
  };
}

/** A delivery in its present state, at the time when it was made. */
export function toDeliveryEntry(delivery: Delivery): Entry {
  const { id, state, createdAt, attemptCount, attempts } = delivery;
  const last = attempts.at(-1);
  const count = attemptCount > 1 ? `${attemptCount} attempts, the last one` : 'attempt 1';
  return {
    ...plain,
    id,
    kind: 'delivery',
    at: createdAt,
    ...toSentence(...toDeliveryParts(delivery)),
    note: last ? `${count}: ${toOutcome(last)}` : null,
    tone: state === 'failed' ? 'bad' : state === 'retrying' || state === 'paused' ? 'warning' : 'plain',
    status: last?.response?.status ?? null,
    state,
  };
}

/** One attempt of a delivery. */
export function toAttemptEntry({ delivery, index }: AttemptOf): Entry {
  const { id, attempts, attemptCount } = delivery;
  const number = attemptCount - attempts.length + index + 1;
  const attempt = attempts[index] as DeliveryAttempt;
  return {
    ...plain,
    id: `${id}:${number}`,
    kind: 'delivery',
    at: attempt.at,
    wallAt: attempt.wallAt,
    ...toSentence(...toDeliveryParts(delivery), `, attempt ${number}`),
    note: toOutcome(attempt),
    tone: attempt.error === null ? 'good' : 'warning',
    status: attempt.response?.status ?? null,
  };
}

/** Further attempts to one receiver while the clock moved. */
export function toRetriesEntry(id: string, at: number, url: string, attempts: readonly AttemptOf[]): Entry {
  const newest = attempts.reduce((one, other) => (timeOf(other) >= timeOf(one) ? other : one));
  const last = newest.delivery.attempts[newest.index] as DeliveryAttempt;
  return {
    ...plain,
    id,
    kind: 'delivery',
    at: toIso(at),
    wallAt: last.wallAt,
    ...toSentence(`${toAmount(attempts.length, 'retry', 'retries')} to `, toReceiver(url, newest.delivery.webhookId)),
    note: `the last one: ${toOutcome(last)}`,
    tone: last.error === null ? 'good' : 'warning',
    status: last.response?.status ?? null,
  };
}

const timeOf = ({ delivery, index }: AttemptOf): string => delivery.attempts[index]?.at ?? '';

function toDeliveryParts({ id, type, url, webhookId }: Delivery): readonly Part[] {
  return [{ text: type, kind: 'deliveries', id }, ' to ', toReceiver(url, webhookId)];
}

function toReceiver(url: string, webhookId: string | null): Part {
  const text = shorten(url, 200);
  return webhookId === null ? text : { text, kind: 'webhooks', id: webhookId };
}

function toOutcome({ response, error, durationMs }: DeliveryAttempt): string {
  if (error === null) return `took ${toMs(durationMs)}`;
  return response ? `answered ${response.status}` : shorten(error, 120);
}

/** Real milliseconds, as the list of requests shows them. */
function toMs(ms: number): string {
  return ms < 1 ? '<1 ms' : `${inThousands(Math.round(ms))} ms`;
}

/** A message to a person, or their reply. */
export function toMessageEntry({ id, channel, direction, to, text, subject, sentAt, userId }: Message): Entry {
  const words = shortQuote(subject ?? text, 120);
  const whom = { text: to, kind: 'users', id: userId };
  return {
    ...plain,
    id,
    kind: direction === 'in' ? 'person' : 'message',
    at: sentAt,
    ...(direction === 'in'
      ? toSentence(whom, ` replied ${words}`)
      : toSentence(channel === 'TEXT' ? 'Text to ' : 'Email to ', whom, `: ${words}`)),
  };
}

/** The opens and clicks of a person on a message. */
export function toTapEntries({ id, to, userId, channel, opens, clicks }: Message): readonly Entry[] {
  const base = { ...plain, kind: 'person' } as const;
  const who = { text: to, kind: 'users', id: userId };
  return [
    ...opens.map((at, index) => ({ ...base, id: `${id}:open:${index}`, at, ...toSentence(who, ' opened the email') })),
    ...clicks.map(({ at, url }, index) => ({
      ...base,
      id: `${id}:click:${index}`,
      at,
      ...toSentence(who, ` ${channel === 'TEXT' ? 'tapped' : 'clicked'} the link to ${shorten(url, 120)}`),
    })),
  ];
}

/** A record that went to another state. */
export function toMoveEntry({ of, record, index }: MoveOf, definitions: Definitions): Entry {
  const { from, to, by, at, why } = record.history[index] as AnyMoved;
  const definition = definitions[of];
  const found = definition?.found?.(record, { ofPerson: () => [] });
  const title = shorten(found?.title ?? `${definition?.words[0] ?? of} ${record.id}`, 120);
  return {
    ...plain,
    id: `${record.id}:${index}`,
    kind: 'change',
    at,
    ...toSentence(
      { text: title, kind: toKind(of), id: record.id },
      from === null ? ` is ${to}` : ` went from ${from} to ${to}`,
    ),
    note: why === '' ? byWords[by] : `${byWords[by]}: ${why}`,
    tone: definition?.wrong.includes(to) ? 'warning' : 'plain',
  };
}

const byWords = { call: 'by a call', clock: 'by the clock', hand: 'by hand', work: 'when its work was done' } as const;

export function toNoticeEntry({ id, at, level, text }: Notice): Entry {
  const tone = level === 'info' ? 'plain' : level === 'warning' ? 'warning' : 'bad';
  return { ...plain, id, kind: 'change', at, says: text, tone, links: [] };
}

/** A piece of a sentence; with a kind and an id it names that record. */
type Part = string | Omit<TimelineLink, 'from'>;

function toSentence(...parts: readonly Part[]): Pick<Entry, 'says' | 'links'> {
  const links: TimelineLink[] = [];
  let says = '';
  for (const part of parts) {
    if (typeof part !== 'string') links.push({ ...part, from: says.length });
    says += typeof part === 'string' ? part : part.text;
  }
  return { says, links };
}

import { isUtf8 } from 'node:buffer';
import { jsonOf } from '../contract/json-of.ts';
import { findRepeatedNames } from '../contract/repeated-names.ts';
import { toIso } from '../time/clock.ts';
import { atOnce } from '../time/slices.ts';
import { keptBodyBytes, type Exchange } from '../http/record/exchange.ts';
import { allInputRules } from '../http/input-rules.ts';
import { toHeaderPairs } from '../http/raw-headers.ts';
import { ownOrigin, toSource, type Refusal } from '../rules.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import { definitions } from '../records/definitions.ts';
import { toKind } from '../records/kind.ts';
import { mapSecrets, maskUrl, toTail } from '../records/secrets.ts';
import type { Change } from '../store/store.ts';
import type { ChangeView, RequestSummary } from './contract/parts.ts';
import type { RefusalView } from './contract/refusals.ts';
import type { BytesView, RequestView } from './contract/requests.ts';
import { mapCredentials, namesSecret } from '../contract/secret-places.ts';
import { isFromWindow, replayedBy } from './requests/send.ts';
import { toCalledFrom, toGraphqlName, toStory } from './requests/story.ts';

/** The newest items of a list, as many as a query says; none for 0. */
export function newestOf<T>(list: readonly T[], limit: number): readonly T[] {
  return list.slice(Math.max(0, list.length - limit));
}

/**
 * A request as a line of a list. The latest lines are cached, because each open window asks for the same ones.
 * @param from the request as it was handled, if available: a recorded request has to be decoded
 */
export function toSummary(exchange: Exchange, from = exchange): RequestSummary {
  const known = summaries.get(exchange);
  if (known) return known;
  const made = makeSummary(from);
  if (remembered === mostSummaries) [summaries, remembered] = [new WeakMap(), 0];
  summaries.set(exchange, made);
  remembered += 1;
  return made;
}

/** Weak, so that it does not keep requests in memory that are no longer recorded. */
let summaries = new WeakMap<Exchange, RequestSummary>();
let remembered = 0;
const mostSummaries = 1_000;

function makeSummary(exchange: Exchange): RequestSummary {
  const { id, sequence, method, url, operation, companyId, credentialId, status, durationMs, requestBytes } = exchange;
  const { failure, fault, early, refusal } = exchange;
  const { about, did } = toStory(exchange);
  return {
    id,
    sequence,
    at: toIso(exchange.at),
    wallAt: toIso(exchange.wallAt),
    method,
    url: maskUrl(url),
    operation,
    source: isFromWindow(exchange) ? 'window' : 'client',
    replayOf: replayedBy(exchange),
    graphql: toGraphqlName(exchange),
    about,
    did,
    calledFrom: toCalledFrom(exchange),
    companyId,
    credentialId,
    status,
    durationMs,
    requestBytes,
    rule: refusal?.rule.id ?? null,
    failure,
    fault,
    early: early && { askedBy: early.askedBy, ms: early.ms },
  };
}

/** @param reveal whether to show credentials in the URL and in headers, and secrets of records, unmasked */
export function toRequestView(exchange: Exchange, reveal: boolean): RequestView {
  const headers = toHeaderPairs(exchange.requestHeaders).map(([name, value]): [string, string] => [
    name,
    reveal || !namesSecret(name) ? value : mapCredentials(value, toTail),
  ]);
  const { responseBody } = exchange;
  return {
    ...toSummary(exchange),
    ...(reveal ? { url: exchange.url } : {}),
    httpVersion: exchange.httpVersion,
    remoteAddress: exchange.remoteAddress,
    refusal: exchange.refusal && toRefusalView(exchange.refusal, reveal),
    notes: [...exchange.notes, ...toNotesOfBody(exchange)],
    changes: exchange.changes.map((change) => toChangeView(change, reveal)),
    request: {
      headers,
      body: exchange.requestBody && toBytes(exchange.requestBody, exchange.requestBytes, exchange.requestBrokeOff),
    },
    response: {
      headers: exchange.responseHeaders,
      body:
        responseBody === null ? null : toBytes(Buffer.from(responseBody as string), Buffer.byteLength(responseBody)),
    },
  };
}

/** Notes that are made only when someone looks at a request: examining each body would delay its client. */
function toNotesOfBody({ requestBody: kept, requestHeaders }: Exchange): readonly string[] {
  const isJson = requestHeaders.some((header) => /^application\/(?:\S+\+)?json\b/i.test(header));
  if (!isJson || kept === null || kept.length > longestBody || jsonOf(kept.toString()) === undefined) return [];
  const names = atOnce(findRepeatedNames(kept.toString('utf8'))).map(({ name }) => name);
  return [...new Set(names)].map(
    (name) => `The name ${JSON.stringify(name)} is in one object more than once: only its last value was read.`,
  );
}

/** Bytes that can be examined in some tens of milliseconds. */
const longestBody = 1024 * 1024;

/** @param reveal whether to show secrets of records unmasked */
export function toChangeView({ collection, id, before, after }: Change, reveal: boolean): ChangeView {
  const shown = (record: StoredRecord | null): StoredRecord | null =>
    record === null || reveal ? record : maskRecord(collection, record);
  return { kind: toKind(collection), id, before: shown(before), after: shown(after) };
}

/** A stored record with all its secrets masked. */
export function maskRecord(name: CollectionName, record: StoredRecord): StoredRecord {
  return mapSecrets(definitions[name], record, toTail);
}

/** @param reveal whether to show a refused key, token or other secret unmasked */
export function toRefusalView(
  { rule, origin: { provenance, reason }, message, place, value, fix, facts }: Refusal,
  reveal = false,
): RefusalView {
  const { id, section, says } = rule;
  const isSecret = !reveal && typeof value === 'string' && namesSecret(place.at.slice(place.at.lastIndexOf('/') + 1));
  const shown = isSecret ? mapCredentials(value, toTail) : (value ?? null);
  return {
    rule: id,
    section,
    source: toSource(section),
    provenance,
    reason,
    says,
    message,
    place,
    value: shown,
    fix,
    facts,
  };
}

/**
 * A refusal of a control call. The rules for the form of a request are those of the API; in a control call it is
 * Sandpiper that requires the form, not the specification.
 */
export function toControlRefusalView(refusal: Refusal): RefusalView {
  const view = toRefusalView(refusal);
  if (!allInputRules.includes(refusal.rule)) return view;
  return { ...view, ...ownOrigin, source: toSource(ownOrigin.section) };
}

function toBytes(kept: Buffer, bytes: number, brokeOff = false): BytesView {
  const truncated = brokeOff || bytes > kept.length || kept.length >= keptBodyBytes;
  return isUtf8(kept)
    ? { encoding: 'utf8', data: kept.toString('utf8'), bytes, truncated }
    : { encoding: 'base64', data: kept.toString('base64'), bytes, truncated };
}

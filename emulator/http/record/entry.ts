import { Refusal, type Edit, type FactsOfRefusal, type Place } from '../../rules.ts';
import { changesToJson } from '../../store/store.ts';
import type { Exchange } from './exchange.ts';

/**
 * A recorded request as bytes, in memory and in the files: a line with three lengths, the facts as JSON, the two bodies
 * as they are, and a line break. Bodies are not part of the JSON, so that their bytes are neither escaped nor repaired.
 *
 *     0000001203 0000000064 0000000017\n{"id":"req_…",…}<64 bytes of the request's body><17 bytes of the answer's body>\n
 */
export interface EntryPlace {
  /** The first byte of the entry, of its facts, and of the two bodies. */
  readonly start: number;
  readonly json: number;
  readonly request: number;
  readonly response: number;
  /** The line break at its end. */
  readonly end: number;
}

/** Three lengths of ten digits, each with the byte after it. */
const headLength = 33;
const lengthDigits = 10;

/** The parts from which an entry is written. */
export interface Draft {
  readonly facts: string;
  readonly requestBody: Buffer | null;
  readonly responseBody: Buffer | string | null;
  readonly bodies: Bodies;
}

/** Returns the parts of a request that are written. */
export function toDraft(exchange: Exchange): Draft {
  const { requestBody, responseBody } = exchange;
  const bodies = bodiesOf(exchange);
  return { facts: toFactsText(exchange, bodies), requestBody, responseBody, bodies };
}

/** The most bytes that the entry takes: a character takes three at most. */
export function mostBytes({ facts, requestBody, responseBody }: Draft): number {
  const response = typeof responseBody === 'string' ? responseBody.length * 3 : (responseBody?.length ?? 0);
  return headLength + facts.length * 3 + (requestBody?.length ?? 0) + response + 1;
}

/** The bytes that the entry takes, counted. */
export function countBytes({ facts, requestBody, responseBody }: Draft): number {
  const response = responseBody === null ? 0 : Buffer.byteLength(responseBody);
  return headLength + Buffer.byteLength(facts) + (requestBody?.length ?? 0) + response + 1;
}

/** Writes an entry. The buffer must have room for all its bytes. */
export function writeEntry(bytes: Buffer, start: number, { facts, requestBody, responseBody }: Draft): EntryPlace {
  const json = start + headLength;
  const request = json + bytes.write(facts, json);
  const response = request + (requestBody?.copy(bytes, request) ?? 0);
  const written =
    typeof responseBody === 'string' ? bytes.write(responseBody, response) : responseBody?.copy(bytes, response);
  const end = response + (written ?? 0);
  writeLength(bytes, start, request - json, 0x20);
  writeLength(bytes, start + lengthDigits + 1, response - request, 0x20);
  writeLength(bytes, start + 2 * (lengthDigits + 1), end - response, 0x0a);
  bytes[end] = 0x0a;
  return { start, json, request, response, end };
}

function writeLength(bytes: Buffer, at: number, length: number, after: number): void {
  let rest = length;
  for (let digit = lengthDigits - 1; digit >= 0; digit--) {
    bytes[at + digit] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  bytes[at + lengthDigits] = after;
}

/** The entry that starts at `start`; null if it is incomplete or not an entry. */
export function findEntry(bytes: Buffer, start: number): EntryPlace | null {
  const lineEnd = bytes.indexOf(0x0a, start);
  if (lineEnd === -1 || lineEnd - start >= headLength) return null;
  const match = /^(\d+) (\d+) (\d+)$/.exec(bytes.toString('latin1', start, lineEnd));
  if (!match) return null;
  const json = lineEnd + 1;
  const request = json + Number(match[1]);
  const response = request + Number(match[2]);
  const end = response + Number(match[3]);
  return bytes[end] === 0x0a ? { start, json, request, response, end } : null;
}

/** The facts of an entry. @throws SyntaxError if they are not JSON */
export function readFacts(bytes: Buffer, { json, request }: Pick<EntryPlace, 'json' | 'request'>): StoredFacts {
  const facts = JSON.parse(bytes.toString('utf8', json, request)) as { [name: string]: unknown };
  // Spreading both into a new object takes four times as long as parsing.
  for (const [name, value] of absentFacts) facts[name] ??= value;
  return facts as unknown as StoredFacts;
}

/** The content of an entry without the bodies. */
export type StoredFacts = Omit<Exchange, 'refusal' | 'requestBody' | 'responseBody' | 'startedAt'> & {
  readonly refusal: StoredRefusal | null;
  readonly bodies: Bodies;
};

/** Whether the request has a body, even an empty one, and the type of the value that was the body of the reply. */
export type Bodies = readonly [boolean, null | 'string' | 'object'];

/** All possible values, so that recorded requests share them. */
const allBodies: { readonly [type: string]: readonly [Bodies, Bodies] } = {
  null: [
    [false, null],
    [true, null],
  ],
  string: [
    [false, 'string'],
    [true, 'string'],
  ],
  object: [
    [false, 'object'],
    [true, 'object'],
  ],
};

function bodiesOf({ requestBody, responseBody }: Exchange): Bodies {
  const [without, withBody] = allBodies[responseBody === null ? 'null' : typeof responseBody] as readonly [
    Bodies,
    Bodies,
  ];
  return requestBody === null ? without : withBody;
}

/** An entry leaves out facts with these values. */
const absent = {
  requestBrokeOff: false,
  notes: [],
  fault: null,
  early: null,
  failure: null,
  refusal: null,
  changes: [],
};
const absentFacts = Object.entries(absent);

/** The facts as JSON. The text is put together here, because serialising an object of them takes twice the time. */
function toFactsText(exchange: Exchange, bodies: Bodies): string {
  const { requestBrokeOff, notes, fault, early, failure, refusal, changes } = exchange;
  let text = `{"id":"${exchange.id}","sequence":${exchange.sequence},"at":${exchange.at},"wallAt":${exchange.wallAt},"method":${nameToJson(exchange.method)},"url":${json(exchange.url)},"httpVersion":"${exchange.httpVersion}","remoteAddress":"${exchange.remoteAddress}","requestHeaders":${json(exchange.requestHeaders)},"requestBytes":${exchange.requestBytes},"operation":${nameToJson(exchange.operation)},"companyId":${nameToJson(exchange.companyId)},"credentialId":${nameToJson(exchange.credentialId)},"status":${exchange.status},"responseHeaders":${json(exchange.responseHeaders)},"durationMs":${exchange.durationMs},"bodies":[${bodies[0]},${nameToJson(bodies[1])}]`;
  if (requestBrokeOff) text += ',"requestBrokeOff":true';
  if (notes.length > 0) text += `,"notes":${json(notes)}`;
  if (fault) text += `,"fault":${json(fault)}`;
  if (early) text += `,"early":${json(early)}`;
  if (failure !== null) text += `,"failure":${json(failure)}`;
  if (refusal) text += `,"refusal":${json(toStored(refusal))}`;
  if (changes.length > 0) text += `,"changes":${changesToJson(changes)}`;
  return `${text}}`;
}

const json = JSON.stringify;

/** A cache of names as JSON: those of operations, companies and credentials are the same in most requests. */
const names = new Map<string, string>();
const mostNames = 1_000;

function nameToJson(name: string | null): string {
  if (name === null) return 'null';
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= mostNames) names.clear();
  const text = json(name);
  names.set(name, text);
  return text;
}

/**
 * A refusal without its class: the rule as it was when it refused, so that later versions do not change old requests.
 */
interface StoredRefusal {
  /** Its provenance is that of the refused place. Earlier versions recorded no reason. */
  readonly rule: Refusal['rule'];
  readonly place: Place;
  readonly value?: unknown;
  readonly message: string;
  readonly fix: { readonly say: string; readonly edits: readonly Edit[] };
  /** Left out by versions that did not record them. */
  readonly facts?: FactsOfRefusal;
  readonly headers: Refusal['headers'];
}

function toStored({ rule, origin, place, value, message, fix, facts, headers }: Refusal): StoredRefusal {
  const { id, status, section, says } = rule;
  const { provenance, reason } = origin;
  return { rule: { id, status, section, provenance, reason, says }, place, value, message, fix, facts, headers };
}

/** A refusal as it was recorded, without the details of its reply. */
export function fromStored({ value, facts = {}, ...rest }: StoredRefusal): Refusal {
  // The reply was already sent; its body has the details.
  const { provenance, reason = '' } = rest.rule;
  return new Refusal({ ...rest, origin: { provenance, reason }, value, facts, details: {} });
}

import type { RefusalView, RequestView } from '../../emulator/control/calls.ts';
import { calls } from '../../emulator/control/calls.ts';
import { splitName, toParamsSchema, toUndoRef, type Call } from '../../emulator/control/call.ts';
import type { Schema } from '../../emulator/contract/schema.ts';
import { operationName } from '../../emulator/http/endpoint.ts';
import { createRandom } from '../../emulator/random.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { applyFix } from '../rules/apply-fix.ts';
import type { Violation } from '../rules/violation.ts';
import { createInputs, type Inputs } from './inputs.ts';

type Request = Violation['request'];

/** An operation of the API, or a call of the control API. */
interface Target {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params: Schema | null;
  readonly query: Schema | null;
  readonly body: Schema | null;
  readonly isForm: boolean;
  readonly isControl: boolean;
  /** How often it is sent, against one that reads. */
  readonly weight: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if it is not JSON. */
  readonly body: unknown;
}

/** Something that is wrong, with the request that showed it. */
export interface Finding {
  readonly says: string;
  readonly request: Request;
}

/** One opens an editor of this machine, the other waits for many deliveries. */
const leftOut = ['POST /control/requests/{id}/editor', 'POST /control/gym'];
/** They change the time or the whole state; what their undo leaves is compared in tests of their own. */
const moves = /\/(?:undo|redo|reset|restore|import|clock|pace|back|fork)$/;
/** Where the ids are that requests may name; the last part of a path says what of. */
const sources = [
  'client-keys',
  'record-kinds',
  'machines',
  'event-types',
  'webhooks',
  'sign-up-units',
  'attributes',
  'people',
  'records/apps',
  'records/companies',
  'records/offers',
  'records/uploads',
  'records/privacy-requests',
];

/**
 * Sends requests to all operations and control calls, many of them wrong, and tells what must not be: a failure, a reply outside
 * the contract, a refusal that changes something, explains nothing, or whose fix is refused for the same reason, and an undo or a
 * redo that leaves other records than before. It resets the emulator to the demo data.
 */
export async function fuzz(
  emulator: Emulator,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<readonly Finding[]> {
  const inputs = createInputs(createRandom(seed));
  const targets = toTargets(emulator).flatMap((target) => Array.from({ length: target.weight }, () => target));
  const findings: Finding[] = [];
  const control = (method: string, path: string, json?: unknown): Promise<Answer> =>
    send(emulator, { method, path: `/control/${path}`, json });

  const begin = async (): Promise<void> => {
    await emulator.reset('demo');
    for (const source of sources) inputs.remember((await control('GET', source)).body, source.split('/').at(-1));
  };
  /** So that nothing but the request changes anything. */
  const calm = async (): Promise<void> => {
    await control('DELETE', 'faults');
    await control('POST', 'limits', { mode: 'off' });
    await control('POST', 'pace', { pace: 'manual' });
    await control('POST', 'clock', { freeze: true });
  };

  const tryOne = async (target: Target, request: Request): Promise<readonly string[]> => {
    const before = recordsOf(emulator);
    const answer = await send(emulator, request);
    if (answer.status >= 500) return [`answered ${answer.status}: ${answer.text}`];
    const after = recordsOf(emulator);
    if (answer.status >= 400) {
      const refusal = await refusalOf(emulator, target, answer);
      return [
        ...(after === before ? [] : ['was refused, and changed records']),
        ...(refusal ? await checkRefusal(emulator, target, request, refusal) : ['was refused without a reason']),
      ];
    }
    inputs.remember(answer.body);
    const done = toUndoRef(answer.headers);
    if (!done || moves.test(target.path)) return [];
    const undone = await control('POST', 'undo', { id: done.id });
    if (undone.status !== 200) return [`its undo answered ${undone.status}: ${undone.text}`];
    if (recordsOf(emulator) !== before) return ['its undo left other records'];
    const redone = await control('POST', 'redo', {});
    if (redone.status !== 200) return [`its redo answered ${redone.status}: ${redone.text}`];
    return recordsOf(emulator) === after ? [] : ['its redo made other records'];
  };

  for (let sent = 0; sent < count; sent += 1) {
    if (sent % 150 === 0) await begin();
    await calm();
    const target = inputs.pick(targets);
    const request = toRequest(target, inputs);
    const found = [
      ...(await tryOne(target, request).catch((error: unknown) => [`failed: ${String(error)}`])),
      ...(await emulator.ownErrors.expectNone().then(
        () => [],
        (error: unknown) => [String(error)],
      )),
    ];
    emulator.ownErrors.clear();
    findings.push(...found.map((says) => ({ says: `${target.name} ${says}`, request })));
  }
  return findings;
}

function toTargets(emulator: Emulator): readonly Target[] {
  return [
    ...emulator.operations.map((operation) => ({
      ...operation,
      name: operationName(operation),
      body: operation.body && operation.body.schema,
      isForm: operation.body?.type === 'form',
      isControl: false,
      weight: 1,
    })),
    ...Object.entries<Call>(calls)
      .filter(([name]) => !leftOut.includes(name))
      .map(([name, { params, query = null, body = null, changes }]) => ({
        name,
        ...splitName(name),
        params: toParamsSchema(splitName(name).path, params),
        query,
        body,
        isForm: false,
        isControl: true,
        weight: changes && !moves.test(name) ? 4 : 1,
      })),
  ];
}

function toRequest({ method, path, params, query, body, isForm }: Target, inputs: Inputs): Request {
  const { chance, pick, valueFor, spoil } = inputs;
  const some = (value: unknown, share: number): unknown => (chance(share) ? spoil(value) : value);
  const given = some(valueFor(params ?? { type: 'object' }), 0.1);
  // What is named before a parameter says what it is an id of: `/offers/{id}`.
  const known = [...path.matchAll(/([^/]+)\/\{([^}]+)\}/g)].flatMap(([, kind = '', name = '']) => {
    const id = inputs.idOf(kind);
    return id === undefined ? [] : [[name, id] as const];
  });
  const values = texts(chance(0.85) ? { ...(isPlain(given) && given), ...Object.fromEntries(known) } : given);
  const sent = body && chance(0.98) ? pick([0, 0, 0, 1, 1, 2]) : -1;
  let json = sent < 0 ? undefined : valueFor(body ?? {});
  for (let times = 0; times < sent; times += 1) json = spoil(json);
  // An app of this machine may listen where the examples have their receiver.
  if (json !== undefined) json = JSON.parse(JSON.stringify(json).replaceAll('localhost:3000', 'localhost:9'));
  return {
    method,
    path: path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? 'x')),
    ...(query && { query: texts(some(valueFor(query), 0.2)) }),
    ...(isForm ? { form: texts(json) } : { json }),
  };
}

/** The fields of an object as a query has them. A URL cannot carry half of a surrogate pair. */
function texts(value: unknown): Record<string, string> {
  const toText = (one: unknown): string =>
    (typeof one === 'object' ? JSON.stringify(one) : String(one)).replaceAll(/\p{Surrogate}/gu, '?');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [toText(name), toText(one)]));
}

async function send(
  { apiUrl, authUrl, inspectorUrl, token }: Emulator,
  { method, path, query, json, form, raw, headers, key = 'sandpiper-demo-key' }: Request,
): Promise<Answer> {
  const isControl = path.startsWith('/control/');
  const base = isControl ? inspectorUrl : /^\/(?:integrations|l)\//.test(path) ? authUrl : apiUrl;
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = raw?.toString() ?? (form ? new URLSearchParams(form).toString() : JSON.stringify(json));
  const body = method === 'GET' ? undefined : text;
  const answer = await fetch(base + path + search, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${isControl ? token : key}`,
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(60_000),
  });
  return toAnswer(answer, await answer.text());
}

function toAnswer({ status, headers }: Response, text: string): Answer {
  const isJson = text !== '' && /json/.test(headers.get('content-type') ?? '');
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/**
 * Everything that is stored except what runs by itself (deliveries and what they lead to) and the settings of `calm`, in the order
 * of the records. The order of their fields is not compared.
 */
function recordsOf({ deps: { store } }: Emulator): string {
  const {
    deliveries: _deliveries,
    platformNotices: _notices,
    settings: _settings,
    ...rest
  } = store.toDocument().collections;
  return JSON.stringify(rest, (key, value: unknown) => {
    if (key === 'failingSince') return undefined;
    return isPlain(value) ? Object.fromEntries(Object.entries(value).toSorted()) : value;
  });
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function refusalOf(emulator: Emulator, { isControl }: Target, answer: Answer): Promise<RefusalView | null> {
  if (isControl) return (answer.body as { readonly refusal?: RefusalView } | undefined)?.refusal ?? null;
  const id = answer.headers.get('x-sandbox-explain')?.split('/').at(-1);
  const recorded = await send(emulator, { method: 'GET', path: `/control/requests/${id}`, query: { reveal: 'true' } });
  return (recorded.body as RequestView).refusal;
}

async function checkRefusal(
  emulator: Emulator,
  target: Target,
  request: Request,
  { rule, message, place, fix }: RefusalView,
): Promise<readonly string[]> {
  const words = `${message} ${fix.say}`;
  if (message === '' || fix.say === '' || /\b(?:undefined|NaN)\b|\[object /.test(words))
    return [`was refused by ${rule} with the words: ${words}`];
  if (fix.edits.length === 0) return [];
  const again = await send(emulator, applyFix(request, fix.edits));
  if (again.status < 400) return [];
  const refusal = await refusalOf(emulator, target, again);
  const isSame = refusal?.rule === rule && JSON.stringify(refusal.place) === JSON.stringify(place);
  return isSame ? [`was refused by ${rule}, and so was its fix: ${words} ${JSON.stringify(fix.edits)}`] : [];
}

import { calls } from '../../emulator/control/calls.ts';
import { splitName, toParamsSchema, toUndoRef, type Call } from '../../emulator/control/call.ts';
import type { Schema } from '../../emulator/contract/schema.ts';
import { operationName } from '../../emulator/http/endpoint.ts';
import { createRandom } from '../../emulator/random.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import { followFixes } from './follow-fixes.ts';
import { createInputs, type Inputs } from './inputs.ts';
import { mutations } from './mutations.ts';
import { isPlain, isRefused, recordsOf, refusalOf, send, type Answer, type Request } from './send.ts';

/** An operation of the API, a mutation of GraphQL, or a call of the control API. */
interface Target {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params: Schema | null;
  readonly query: Schema | null;
  readonly body: Schema | null;
  readonly isForm: boolean;
  /** What is sent of a value of the body. */
  readonly toJson: (value: unknown) => unknown;
  /** How often it is sent, against one that reads. */
  readonly weight: number;
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
 * the contract, a refusal that changes something, explains nothing, or whose fixes do not help, and an undo or a redo that leaves other records than before. It resets the emulator to the demo data.
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
    if (isRefused(answer)) {
      const refusal = await refusalOf(emulator, request, answer);
      return [
        ...(after === before ? [] : ['was refused, and changed records']),
        ...(await followFixes(emulator, target.path, { request, refusal })),
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

const asIs = (value: unknown): unknown => value;

export function toTargets(emulator: Emulator): readonly Target[] {
  return [
    ...emulator.operations.map((operation) => ({
      ...operation,
      name: operationName(operation),
      body: operation.body && operation.body.schema,
      isForm: operation.body?.type === 'form',
      toJson: asIs,
      weight: 1,
    })),
    ...mutations.map(({ name, body, toJson }) => ({
      name: `mutation ${name}`,
      method: 'POST',
      path: '/graphql',
      params: null,
      query: null,
      body,
      isForm: false,
      toJson,
      weight: 2,
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
        toJson: asIs,
        weight: changes && !moves.test(name) ? 4 : 1,
      })),
  ];
}

export function toRequest({ method, path, params, query, body, isForm, toJson }: Target, inputs: Inputs): Request {
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
    ...(isForm ? { form: texts(json) } : { json: json === undefined ? json : toJson(json) }),
  };
}

/** The fields of an object as a query has them. A URL cannot carry half of a surrogate pair. */
function texts(value: unknown): Record<string, string> {
  const toText = (one: unknown): string =>
    (typeof one === 'object' ? JSON.stringify(one) : String(one)).replaceAll(/\p{Surrogate}/gu, '?');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [toText(name), toText(one)]));
}

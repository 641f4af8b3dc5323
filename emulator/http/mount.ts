import { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { toValidator, type Misfit, type Validate } from '../contract/validate.ts';
import type { Choices } from './choices.ts';
import { exampleOf, type Schema } from '../contract/schema.ts';
import { findUnknownFields } from '../contract/unknown-fields.ts';
import type { Deps } from '../deps.ts';
import { inHeader, refuse, type Place } from '../rules.ts';
import type { Change, Store } from '../store/store.ts';
import { answer } from './answer.ts';
import { decompress, parseJson, readBody } from './body.ts';
import { requireScope, type Authenticate } from './auth.ts';
import {
  operationName,
  type Access,
  type BodyContract,
  type Caller,
  type Endpoint,
  type Input,
  type Reply,
} from './endpoint.ts';
import { toRefusalHeaders } from './explain.ts';
import { parseForm } from './form.ts';
import { inputRules, ruleOfMisfit } from './input-rules.ts';
import { parseQuery } from './query.ts';
import { keepRequestBody, type Exchange } from './exchange.ts';

export interface MountOptions {
  readonly router: Router;
  /** The prefix of every path: `/v1`, or nothing. */
  readonly prefix: string;
  readonly endpoints: readonly Endpoint[];
  readonly deps: Deps;
  readonly authenticate: Authenticate;
  readonly checkReplies: boolean;
  /** Runs before an operation, see gate.ts. */
  readonly gate?: (operation: Endpoint) => Middleware;
}

/**
 * A router that matches the exact spelling of a path: case counts, and a trailing slash makes another path (our choice,
 * see the rule `request.unknown-path`). So all code that looks at a path agrees.
 */
export function createRouter(): Router {
  return new Router({ sensitive: true, strict: true });
}

/** Lets no answer leave, not even a refusal, before what it saw is in the journal. */
export function waitForJournal(store: Pick<Store, 'written'>): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } finally {
      await store.written();
    }
  };
}

/** Adds operations to a router. What then happens to a request: docs/how-a-request-goes.md. */
export function mount({ router, prefix, endpoints, gate, ...rest }: MountOptions): void {
  for (const operation of endpoints) {
    const path = prefix + operation.path.replaceAll(/\{([^}]+)\}/g, ':"$1"');
    const handle = toMiddleware(operation, rest);
    router.register(path, [operation.method], gate ? [gate(operation), handle] : handle);
  }
}

function toMiddleware(
  operation: Endpoint,
  { deps, authenticate, checkReplies }: Omit<MountOptions, 'router' | 'prefix' | 'endpoints' | 'gate'>,
) {
  const name = operationName(operation);
  let check: Checks | null = null;

  return async (ctx: Context): Promise<void> => {
    const exchange = (ctx.state as { exchange?: Exchange }).exchange;
    const now = deps.clock.now();
    ctx.state['dialect'] = operation.dialect;
    if (exchange) exchange.operation = name;
    const authorize = (access: Access): Caller => {
      const caller = authenticate(ctx.req.headers.authorization, access, now);
      if (exchange) {
        exchange.companyId = caller.companyId;
        exchange.credentialId = caller.credential.id;
      }
      requireScope(caller, access);
      return { ...caller, request: { id: exchange?.id ?? null, operation: name } };
    };
    const caller =
      operation.access === 'anyone' || operation.access === 'optional' ? null : authorize(operation.access);
    const note = (remark: string) => {
      if (exchange) exchange.notes = [...exchange.notes, remark];
    };
    const keepChanges = (changes: readonly Change[]): void => {
      if (exchange && changes.length > 0)
        exchange.changes = exchange.changes.length === 0 ? changes : [...exchange.changes, ...changes];
    };
    const transact = <R>(work: () => R): R => {
      const { result, changes } = deps.store.transact(work);
      keepChanges(changes);
      return result;
    };
    const handleInGroup = async (): Promise<Reply> => {
      const { result, changes } = deps.store.transactInGroup(() => operation.handle(input, deps) as Reply);
      await deps.store.written();
      keepChanges(changes);
      return result;
    };

    check ??= await toChecks(operation);
    const params = ctx['params'] as { readonly [key: string]: string };
    check.params?.(params);
    const query = operation.query ? parseQuery(ctx.querystring, note) : {};
    check.query?.(query);
    let body: unknown = {};
    if (operation.body) {
      body = await readInput(ctx, operation.body, exchange);
      check.body?.(body);
    }
    if (exchange) tellUnknown(operation, query, body, deps.choices, note);

    const checkOf = async (schema: Schema) => toCheck(await toValidator(schema), 'body');
    const input = {
      params,
      query,
      body,
      caller,
      now,
      method: ctx.method,
      headers: ctx.req.headers,
      note,
      transact,
      authorize,
      toCheck: checkOf,
    } as Input<never, never, never>;
    const reply = operation.asynchronous ? await operation.handle(input, deps) : await handleInGroup();
    if (checkReplies) await checkReply(operation, reply.status, reply.body);
    answer(ctx, reply);
    if (reply.refusal) {
      if (exchange) exchange.refusal = reply.refusal;
      ctx.set(toRefusalHeaders(reply.refusal, exchange ?? null, deps.urls));
    }
  };
}

/** Every ignored field is noted, or refused if the developer chose that. */
function tellUnknown(
  { query: querySchema, body: contract }: Endpoint,
  query: unknown,
  body: unknown,
  { unknownFields }: Choices,
  note: (remark: string) => void,
): void {
  const tell = (schema: Schema, value: unknown, kind: Place['in']): void => {
    const toPlace = (pointer: string): Place => ({ in: kind, at: kind === 'body' ? pointer : pointer.slice(1) });
    for (const { pointer, nearest, value: inner } of findUnknownFields(schema, value)) {
      const name = toName(pointer);
      const meant = nearest === null ? null : { name: toName(nearest), place: toPlace(nearest) };
      if (unknownFields === 'refuse')
        refuse(inputRules.unknownField, toPlace(pointer), inner, { name, nearest: meant, value: inner });
      note(`${name} is not a field of this operation and was ignored.${meant ? ` Did you mean ${meant.name}?` : ''}`);
    }
  };
  if (querySchema) tell(querySchema, query, 'query');
  if (contract) tell(contract.schema, body, contract.type === 'form' ? 'form' : 'body');
}

/** `/user/email` → `user.email`. */
const toName = (pointer: string): string =>
  pointer.slice(1).split('/').join('.').replaceAll('~1', '/').replaceAll('~0', '~');

interface Checks {
  readonly params: ((value: unknown) => void) | null;
  readonly query: ((value: unknown) => void) | null;
  readonly body: ((value: unknown) => void) | null;
}

async function toChecks({ params, query, body }: Endpoint): Promise<Checks> {
  return {
    params: params && toCheck(await toValidator(params), 'path'),
    query: query && toCheck(await toValidator(query), 'query'),
    body: body && toCheck(await toValidator(body.schema), body.type === 'form' ? 'form' : 'body'),
  };
}

function toCheck(validate: Validate, kind: Place['in']): (value: unknown) => void {
  return (value) => {
    const misfit = validate(value)[0];
    if (misfit) refuseMisfit(misfit, kind);
  };
}

function refuseMisfit(misfit: Misfit, kind: Place['in']): never {
  const at = kind === 'body' ? misfit.pointer : (misfit.pointer.split('/')[1] ?? '');
  const named = toName(misfit.pointer);
  const where = misfit.pointer === '' ? `The ${kind}` : kind === 'body' ? named : `The ${kind} parameter ${named}`;
  return refuse(ruleOfMisfit(misfit), { in: kind, at }, misfit.value, { misfit, where });
}

async function readInput(ctx: Context, contract: BodyContract, exchange: Exchange | undefined): Promise<unknown> {
  const bytes = await readBody(ctx.req, contract.limit, (raw) => {
    if (exchange) keepRequestBody(exchange, raw);
  });
  if (bytes.length === 0) return refuseOrDefault(contract);
  checkContentType(ctx.req.headers['content-type'], contract.type);
  const plain = await decompress(bytes, ctx.req.headers['content-encoding'], contract.limit);
  return contract.type === 'form' ? parseForm(ctx, plain) : parseJson(plain, contract.limit);
}

function refuseOrDefault(contract: BodyContract): unknown {
  if (!contract.required || contract.type === 'form') return {};
  return refuse(inputRules.missingBody, { in: 'body', at: '' }, undefined, { example: exampleOf(contract.schema) });
}

const mediaTypes = {
  json: { wanted: 'application/json', pattern: /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/i },
  form: { wanted: 'application/x-www-form-urlencoded', pattern: /^application\/x-www-form-urlencoded$/i },
} as const;

function checkContentType(sent: string | undefined, type: BodyContract['type']): void {
  const { wanted, pattern } = mediaTypes[type];
  const [media = '', ...parameters] = (sent ?? '').split(';').map((part) => part.trim());
  const charset = parameters
    .find((parameter) => /^charset=/i.test(parameter))
    ?.slice(8)
    .replaceAll('"', '');
  const utf8 = charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
  if (!pattern.test(media) || !utf8)
    refuse(inputRules.contentType, inHeader('content-type'), sent, { sent: sent ?? null, wanted });
}

/** A reply outside our own contract is our bug: during development it is never sent unnoticed. */
async function checkReply(operation: Endpoint, status: number, body: unknown): Promise<void> {
  const schema: Schema | null | undefined = operation.replies[status];
  if (schema === undefined)
    throw new Error(`${operationName(operation)} replied with ${status}, which its contract does not name.`);
  if (schema === null) {
    if (body !== null) throw new Error(`${operationName(operation)} replied with a body, but its contract has none.`);
    return;
  }
  const misfit = innermost((await toValidator(schema))(body));
  if (misfit)
    throw new Error(
      `${operationName(operation)} replied outside its contract at ${misfit.pointer || 'the root'}: ${misfit.message}.`,
    );
}

/** For a value that fits none of several schemas, the most helpful error. */
function innermost(misfits: readonly Misfit[]): Misfit | undefined {
  const depth = ({ pointer }: Misfit): number => pointer.split('/').length;
  return misfits.toSorted((one, other) => depth(other) - depth(one))[0];
}

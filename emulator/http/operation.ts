import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { toValidator } from '../contract/validate.ts';
import { exampleOf, type Schema } from '../contract/schema.ts';
import type { Deps } from '../deps.ts';
import { Refusal, inBody, inHeader, refuse } from '../rules.ts';
import type { Change } from '../store/store.ts';
import { requireScope, type Authenticate } from './auth.ts';
import { decompress, type ReadBody } from './body/body.ts';
import {
  tellUnknownFields,
  tellUnknownParameters,
  toCheck,
  toChecks,
  withFieldsOfQuery,
  withNumbers,
  withoutEmpty,
  type Checks,
  type Stored,
} from './check-input.ts';
import { parseJson, type ParseOptions } from './body/parse-json.ts';
import { operationName, type Access, type BodyContract, type Endpoint, type Input, type Reply } from './endpoint.ts';
import type { Caller } from '../people/caller.ts';
import { addNote, keepRequestBody, type Exchange } from './record/exchange.ts';
import { checkReply, checkRule, withCheckedErrors } from './check-reply.ts';
import { toExplainUrl, toRefusalHeaders } from './explain.ts';
import { parseForm } from './body/form.ts';
import { toIncoming } from './body/incoming.ts';
import { bodyRules } from './body/rules.ts';
import { parseQuery, queryOf } from './query.ts';
import { longestRepaired } from './body/guess-encoding.ts';

export interface OperationOptions {
  readonly deps: Deps;
  readonly authenticate: Authenticate;
  readonly readBody: ReadBody;
  readonly checkReplies: boolean;
}

export type Params = { readonly [name: string]: string };

/** Answers a request to an operation; throws if it is refused. `exchange` is null if requests are not recorded. */
export type Operate = (ctx: Context, params: Params, exchange: Exchange | null) => Promise<Reply>;

/**
 * Compiles an operation: it checks the caller and the input, runs the handler, and checks the reply, in this order. Its
 * schemas are compiled with its first request.
 */
export function toOperate(
  operation: Endpoint,
  { deps, authenticate, readBody, checkReplies }: OperationOptions,
): Operate {
  const name = operationName(operation);
  const { access, body: contract, asynchronous } = operation;
  const { store, clock, choices, urls } = deps;
  const isOpen = access === 'anyone' || access === 'optional';
  const checkOf = async (schema: Schema) => toCheck(await toValidator(schema), 'body');
  let check: Checks | null = null;

  const operate: Operate = async (ctx, params, exchange) => {
    const { req } = ctx;
    const now = clock.now();
    const note = (remark: string): void => {
      if (exchange) addNote(exchange, remark);
    };
    // Before the caller is checked: if the first header is refused, the others may be why.
    if (isSentTwice(req, 'authorization'))
      note('The request has several Authorization headers; only the first was read.');
    const authorize = (wanted: Access): Caller => {
      const caller = authenticate(req.headers.authorization, wanted, now);
      if (exchange) {
        exchange.companyId = caller.companyId;
        exchange.credentialId = caller.credential.id;
      }
      requireScope(caller, wanted);
      const { companyId, credential, app } = caller;
      return { companyId, credential, app, request: { id: exchange?.id ?? null, operation: name } };
    };
    let caller = isOpen ? null : authorize(access);
    const keepChanges = (changes: readonly Change[]): void => {
      if (exchange && changes.length > 0)
        exchange.changes = exchange.changes.length === 0 ? changes : [...exchange.changes, ...changes];
    };
    const transact = <R>(work: () => R): R => {
      const { result, changes } = store.transact(work);
      keepChanges(changes);
      return result;
    };

    // The control API has no such choice, and its requests are not recorded.
    const refuseRepeated = exchange !== null && choices.unknownFields === 'refuse';
    check ??= await toChecks(operation);
    check.params?.(params);
    const asked = parseQuery(queryOf(req), note);
    const query = operation.query ? withNumbers(operation.query, withoutEmpty(operation.query, asked, note)) : asked;
    check.query?.(query);
    // Before the body is read: if the body lacks a field, this may say why.
    if (exchange) tellUnknownParameters(operation, query, choices, note);
    let body: unknown = {};
    const stored: Stored = () =>
      operation.stored?.({ params, caller } as Pick<Input<never, never, never>, 'params' | 'caller'>, deps) ?? null;
    if (contract) {
      const bytes = await readBody(toIncoming(req), contract.limit, (raw, size) => {
        if (exchange) keepRequestBody(exchange, raw, size);
      });
      if (bytes.length === 0) body = refuseOrDefault(contract, stored);
      else {
        const value = parseBody(bytes, ctx, contract, { limit: contract.limit, refuseRepeated, note });
        body = value instanceof Promise ? await value : value;
      }
      try {
        check.body?.(body, stored);
      } catch (error) {
        // A field with another name may be the one that is missing.
        if (exchange) tellUnknownFields(operation, body, { unknownFields: 'note' }, note);
        throw error;
      }
    } else if (exchange && hasBody(req)) note(`${name} takes no body: the one that was sent was not read.`);
    if (exchange) tellUnknownFields(operation, body, choices, note);
    // While the body arrived, the app or its company may have been deleted, or all records replaced. Only the control
    // API, whose requests are not recorded, has callers without a credential.
    if (exchange && caller && store.credentials.get(caller.credential.id) !== caller.credential)
      caller = authorize(access);

    const { method, headers } = req;
    const input = {
      params,
      query,
      body,
      caller,
      now,
      method,
      headers,
      note,
      transact,
      authorize,
      toCheck: checkOf,
    } as Input<never, never, never>;
    let reply: Reply;
    if (asynchronous) reply = await operation.handle(input, deps);
    else {
      const done = store.transactInGroup(() => operation.handle(input, deps) as Reply);
      const written = store.written();
      if (written) await written;
      keepChanges(done.changes);
      reply = done.result;
    }
    if (checkReplies) await checkReply(operation, reply.status, reply.body);
    const { refusal } = reply;
    if (!refusal) return reply;
    if (checkReplies) checkRule(operation, refusal);
    if (exchange) exchange.refusal = refusal;
    return { ...reply, headers: { ...reply.headers, ...toRefusalHeaders(refusal, exchange, urls) } };
  };
  const helpful = contract ? withFieldsMoved(operation, operate) : operate;
  return withOwnRefusals(operation, deps, checkReplies ? withCheckedErrors(operation, helpful) : helpful);
}

/** Proposes to move fields of the body that were sent in the query. */
function withFieldsMoved(operation: Endpoint, operate: Operate): Operate {
  return async (ctx, params, exchange) => {
    try {
      return await operate(ctx, params, exchange);
    } catch (error) {
      const sent = error instanceof Refusal ? queryOf(ctx.req) : '';
      throw sent === ''
        ? error
        : withFieldsOfQuery(
            error as Refusal,
            operation,
            parseQuery(sent, () => undefined),
          );
    }
  };
}

/** Answers refusals in the operation's own way, if it has one. */
function withOwnRefusals({ refused, replies }: Endpoint, { urls }: Deps, operate: Operate): Operate {
  if (!refused) return operate;
  return async (ctx, params, exchange) => {
    try {
      return await operate(ctx, params, exchange);
    } catch (error) {
      if (!(error instanceof Refusal) || replies[error.rule.status] === undefined) throw error;
      if (exchange) exchange.refusal = error;
      const reply = refused(error, toExplainUrl(exchange, urls));
      return { ...reply, headers: { ...reply.headers, ...toRefusalHeaders(error, exchange, urls) } };
    }
  };
}

/** Whether a header was sent more than once. If a header is not a list, Node reads only the first one. */
function isSentTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at];
    if (sent?.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times > 1;
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Parses a body whose bytes have arrived. Returns the value, or a promise of it if that takes longer. */
function parseBody(bytes: Buffer, ctx: Context, contract: BodyContract, options: ParseOptions): unknown {
  const { headers } = ctx.req;
  checkContentType(headers, contract, bytes);
  const parse = (plain: Buffer): unknown =>
    contract.type === 'form'
      ? parseForm(ctx, plain, plain !== bytes)
      : parseJson(plain, { ...options, isDecompressed: plain !== bytes });
  const encoding = headers['content-encoding'];
  return encoding === undefined ? parse(bytes) : decompress(bytes, encoding, contract.limit).then(parse);
}

/** @param stored the record that the body replaces: sent as the fix, it changes nothing */
function refuseOrDefault(contract: BodyContract, stored: Stored): unknown {
  if (!contract.required || contract.type === 'form') return {};
  if (contract.withoutBody) return refuse(contract.withoutBody, inBody(''), undefined, undefined);
  const before = stored();
  const example = before ?? exampleOf(contract.schema);
  return refuse(bodyRules.missingBody, inBody(''), undefined, { example, stored: before });
}

const mediaTypes = {
  json: { wanted: 'application/json', pattern: /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/i },
  form: { wanted: 'application/x-www-form-urlencoded', pattern: /^application\/x-www-form-urlencoded$/i },
} as const;

function checkContentType(
  { 'content-type': sent, 'content-encoding': encoding }: IncomingMessage['headers'],
  { type, schema }: BodyContract,
  bytes: Buffer,
): void {
  if (type === 'json' && sent === 'application/json') return;
  const { wanted, pattern } = mediaTypes[type];
  const [media = '', ...parameters] = (sent ?? '').split(';').map((part) => part.trim());
  const charset = parameters
    .find((parameter) => /^charset=/i.test(parameter))
    ?.slice(8)
    .replaceAll('"', '');
  const utf8 = charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
  if (!pattern.test(media) || !utf8)
    refuse(bodyRules.contentType, inHeader('content-type'), sent, {
      sent: sent ?? null,
      wanted,
      form: type === 'form' ? toForm(bytes) : null,
      // A compressed body was not read yet.
      example: type === 'form' || encoding !== undefined || mayBeJson(bytes) ? null : exampleOf(schema),
    });
}

/** Whether bytes are JSON in UTF-8. Large bodies count as JSON, because a check would take long. */
function mayBeJson(bytes: Buffer): boolean {
  if (bytes.length > longestRepaired) return true;
  try {
    JSON.parse(bytes.toString());
    return isUtf8(bytes);
  } catch {
    return false;
  }
}

/** Converts the fields of a JSON body to a form; null if the body is not an object of texts. */
function toForm(bytes: Buffer): string | null {
  try {
    const fields = Object.entries(JSON.parse(bytes.toString()) as object);
    const isFlat = fields.length > 0 && fields.every(([, value]) => typeof value === 'string');
    return isFlat ? new URLSearchParams(fields as [string, string][]).toString() : null;
  } catch {
    return null;
  }
}

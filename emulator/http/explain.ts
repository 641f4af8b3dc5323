import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Choices } from './choices.ts';
import { toErrorText, type ErrorDialect, type ErrorText } from './error-text.ts';
import { traceOf } from '../errors.ts';
import { inPath, Refusal, toRefusal, type AnyRule } from '../rules.ts';
import { storeProblem } from '../store/errors.ts';
import { storeRules } from '../store/rules.ts';
import { toIso } from '../time/clock.ts';
import { authRules } from './auth.ts';
import type { Reply } from './endpoint.ts';
import type { Exchange } from './record/exchange.ts';
import { inputRules } from './input-rules.ts';
import { pathOf } from './query.ts';

export interface ExplainOptions {
  /** The address of the inspector, for the link to the recorded request. */
  readonly urls: { readonly inspector: string };
  /** `exact`: errors as they were observed on the live host, see choices.ts. */
  readonly answers: Choices['answers'];
  /** The registry: a refusal by a rule outside it is a bug. Null skips the check. */
  readonly rules: ReadonlySet<AnyRule> | null;
  /** Called with internal errors: each is a bug of the emulator, answered with 500. */
  readonly onOwnError: (error: unknown, exchange: Exchange) => void;
}

/** The request whose error is explained. */
export interface Failed {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly exchange: Exchange;
  /** The form of error bodies. */
  readonly dialect: ErrorDialect;
}

/** Returns the reply to an error; null if the client left before it was answered. */
export type Explain = (error: unknown, failed: Failed) => Reply | null;

/**
 * Turns an error into the reply: a refusal is written in the dialect of the operation, with its rule and the link to
 * its explanation; any other error becomes a 500. Both are stored with the recorded request.
 */
export function createExplain(options: ExplainOptions): Explain {
  const { rules, urls, answers, onOwnError } = options;

  return (error, failed) => {
    const { exchange, dialect } = failed;
    const reference = referenceOf(exchange);
    const refusal = toRefusalOf(error);
    const isStray = refusal !== null && rules !== null && !rules.has(refusal.rule);
    if (refusal !== null && !isStray) {
      const { rule, message, details, headers } = refusal;
      exchange.refusal = refusal;
      if (failed.req.socket.destroyed && !failed.res.headersSent) return noteClientLeft(exchange);
      if (answers === 'exact') return toExact(refusal, failed);
      const { status, code } = rule;
      // The edits of a refused credential contain a valid one, which only the inspector shows.
      const fix = status === 401 ? { ...refusal.fix, edits: [] } : refusal.fix;
      const additions = { rule: rule.id, section: rule.section, fix };
      const reply = toReply(status, toErrorText(dialect, { status, message, reference, code, details, additions }));
      return { ...reply, headers: { ...reply.headers, ...headers, ...toRefusalHeaders(refusal, exchange, urls) } };
    }
    if ((error as { code?: string }).code === 'ECONNRESET') return noteClientLeft(exchange);
    const ownError = isStray
      ? new Error(`The rule ${refusal.rule.id} that refused a request is not in the registry.`)
      : error;
    exchange.failure = traceOf(ownError);
    onOwnError(ownError, exchange);
    return toReply(500, toErrorText(dialect, { status: 500, message: 'Internal Server Error', reference }));
  };
}

/** Converts an error to the refusal that it is; null for an internal error. */
function toRefusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  const problem = storeProblem(error);
  return problem && toRefusal(storeRules.unsaved, inPath(''), undefined, problem);
}

/** Identifies a reply in dialects that number their errors. */
export const referenceOf = (exchange: Exchange): number => 100_000_000 + exchange.sequence;

function noteClientLeft(exchange: Exchange): null {
  exchange.failure = 'The client closed the connection before its request was complete.';
  return null;
}

/** The rules whose answers were observed on the live host (docs/platform.md, Error bodies). */
const withoutCredential: readonly AnyRule[] = [
  authRules.missing,
  authRules.malformed,
  authRules.unknown,
  authRules.revoked,
  authRules.expired,
];
const withoutOperation: readonly AnyRule[] = [inputRules.unknownPath, inputRules.beyond];

/** The reply as the live host sends it, as far as that is known, without additions of the emulator. */
function toExact(refusal: Refusal, { req, exchange, dialect }: Failed): Reply {
  const { rule, message, details, headers } = refusal;
  const { status, code } = rule;
  if (withoutCredential.includes(rule)) return { status, body: null };
  if (withoutOperation.includes(rule)) {
    const body = {
      timestamp: toIso(exchange.at),
      path: pathOf(req),
      status,
      error: STATUS_CODES[status],
      requestId: exchange.id.replace(/^req_/, ''),
      message: null,
    };
    return toReply(status, { type: 'application/json', text: JSON.stringify(body) });
  }
  const text = toErrorText(dialect, { status, message, reference: referenceOf(exchange), code, details });
  const reply = toReply(status, text);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** The reply with an error's text. */
export function toReply(status: number, { type, text }: ErrorText): Reply {
  return { status, body: text, headers: { 'content-type': type } };
}

/**
 * The emulator's addition to the platform's reply: the rule, and the link to the explanation of the recorded request.
 */
export function toRefusalHeaders(
  refusal: Refusal,
  exchange: Exchange | null,
  urls: { readonly inspector: string },
): { readonly [name: string]: string } {
  return {
    'x-sandbox-rule': refusal.rule.id,
    ...(exchange && { 'x-sandbox-explain': toExplainUrl(exchange, urls) }),
  };
}

/** The inspector's page about a request, or about all requests if this one is not recorded. */
export function toExplainUrl(exchange: Exchange | null, urls: { readonly inspector: string }): string {
  return `${urls.inspector}/#/requests${exchange ? `/${exchange.id}` : ''}`;
}

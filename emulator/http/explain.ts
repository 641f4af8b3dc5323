import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Choices } from './choices.ts';
import { toErrorText, type ErrorDialect } from '../errors.ts';
import { Refusal, type AnyRule } from '../rules.ts';
import { storeProblem } from '../store/errors.ts';
import { toIso } from '../time/clock.ts';
import type { Exchange } from './exchange.ts';

export interface ExplainOptions {
  /** Where the inspector is, for the link to the recorded request. */
  readonly urls: { readonly inspector: string };
  /** `exact`: errors as they were observed on the live host, see choices.ts. */
  readonly answers: Choices['answers'];
  /** The registry: a refusal by a rule outside it is a bug. Null skips the check. */
  readonly rules: ReadonlySet<AnyRule> | null;
  /** Called with our own errors: each is a bug, answered with 500. */
  readonly onFault: (error: unknown, exchange: Exchange) => void;
}

/** What the middleware after this one finds in `ctx.state`, and may set. */
export interface ExplainState {
  readonly exchange: Exchange;
  /** The form of error bodies: set by the middleware that knows the operation. */
  dialect?: ErrorDialect;
  /** Set where the client closed the connection before it was answered. */
  clientLeft?: true;
  /** Writes the reply to an error at once, for code that cannot throw it (see objects/router.ts). */
  answerError(error: unknown): void;
}

/**
 * Answers errors that later middleware throws: a refusal in the dialect of the operation, with its rule and the link to
 * its explanation; anything else with 500. Both are stored with the recorded request.
 */
export function explainErrors(options: ExplainOptions): Middleware {
  return async (ctx, next) => {
    const state = ctx.state as ExplainState;
    state.answerError = (error) => answerError(ctx, state, error, options);
    try {
      await next();
    } catch (error) {
      state.answerError(error);
    }
  };
}

/** Identifies a reply in dialects that number their errors. */
export const referenceOf = (exchange: Exchange): number => 100_000_000 + exchange.sequence;

function noteClientLeft(state: ExplainState): void {
  state.clientLeft = true;
  state.exchange.failure = 'The client closed the connection before its request was complete.';
}

function answerError(ctx: Context, state: ExplainState, error: unknown, options: ExplainOptions): void {
  const { exchange, dialect = 'message' } = state;
  const reference = referenceOf(exchange);
  if (error instanceof Refusal) {
    const { rule, message, details, headers } = error;
    if (options.rules && !options.rules.has(rule)) {
      const stray = new Error(`The rule ${rule.id} that refused a request is not in the registry.`);
      return answerFault(stray);
    }
    exchange.refusal = error;
    if (ctx.req.socket.destroyed && !ctx.res.headersSent) noteClientLeft(state);
    if (options.answers === 'exact') return writeExact(ctx, error, exchange, dialect);
    write(
      ctx,
      rule.status,
      toErrorText(dialect, { status: rule.status, message, reference, code: rule.code, details }),
    );
    ctx.set({ ...headers, ...toRefusalHeaders(error, exchange, options.urls) });
    return undefined;
  }
  if ((error as { code?: string }).code === 'ECONNRESET') {
    noteClientLeft(state);
    return undefined;
  }
  const problem = storeProblem(error);
  if (problem !== null) {
    exchange.failure = problem;
    return write(ctx, 500, toErrorText(dialect, { status: 500, message: problem, reference }));
  }
  return answerFault(error);

  function answerFault(fault: unknown): void {
    exchange.failure = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    write(ctx, 500, toErrorText(dialect, { status: 500, message: 'Internal Server Error', reference }));
    options.onFault(fault, exchange);
  }
}

/** The rules whose answers were observed on the live host (docs/platform.md, Error bodies). */
const withoutCredential = ['auth.missing', 'auth.malformed', 'auth.unknown', 'auth.revoked', 'auth.expired'];
const withoutOperation = ['request.unknown-path', 'request.not-emulated'];

/** The reply as the live host sends it, as far as that is known, without additions of ours. */
function writeExact(ctx: Context, refusal: Refusal, exchange: Exchange, dialect: ErrorDialect): void {
  const { rule, message, details, headers } = refusal;
  const { status, code } = rule;
  if (withoutCredential.includes(rule.id)) {
    ctx.status = status;
    ctx.body = '';
    ctx.remove('content-type');
  } else if (withoutOperation.includes(rule.id)) {
    const body = {
      timestamp: toIso(exchange.at),
      path: ctx.path,
      status,
      error: STATUS_CODES[status],
      requestId: exchange.id.replace(/^req_/, ''),
      message: null,
    };
    write(ctx, status, { type: 'application/json', text: JSON.stringify(body) });
  } else {
    const reference = referenceOf(exchange);
    write(ctx, status, toErrorText(dialect, { status, message, reference, code, details }));
    ctx.set(headers);
  }
}

function write(ctx: Context, status: number, { type, text }: ReturnType<typeof toErrorText>): void {
  ctx.status = status;
  ctx.body = text;
  ctx.set('content-type', type);
}

/** Our addition to the platform's own reply: the rule, and the link to the explanation of the recorded request. */
export function toRefusalHeaders(
  refusal: Refusal,
  exchange: Exchange | null,
  urls: { readonly inspector: string },
): { readonly [name: string]: string } {
  return {
    'x-sandbox-rule': refusal.rule.id,
    ...(exchange && { 'x-sandbox-explain': `${urls.inspector}/#/requests/${exchange.id}` }),
  };
}

import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Clock } from '../time/clock.ts';
import type { Urls } from '../net/urls.ts';
import { UserError } from '../errors.ts';
import { statusWords } from '../contract/openapi.ts';
import { Refusal, inHeader, refuse } from '../rules.ts';
import { readBody } from './body.ts';
import { parseFaultHeader, sayFault, type FaultSpec } from './fault-spec.ts';
import { faultHeader, faultRules, type Faults, type Strike } from './faults.ts';
import { limitPlace, limitRules, sayEarly, type RateLimits } from './rate-limit.ts';
import { keepRequestBody, type Exchange } from './exchange.ts';

export interface GateOptions {
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly clock: Pick<Clock, 'now' | 'mode' | 'afterWall'>;
  readonly urls: Pick<Urls, 'inspector'>;
}

/** The operation that a gate is for. */
export interface Gated {
  /** The operation's name. */
  readonly name: string;
  /**
   * `told`: only the headers show the limit, because section 7 names no 429 for the operation. `none`: the platform
   * does not count requests there (the object store, the install page).
   */
  readonly limit: 'kept' | 'told' | 'none';
  /** Bytes of a body that are read for the record if a fault replies instead of the handler; null reads none. */
  readonly bodyLimit: number | null;
  /** Writes a reply with that status in the operation's dialect. */
  answerStatus(ctx: Context, status: number, message: string): void;
}

interface GateState {
  readonly exchange: Exchange;
  finish?: () => Promise<void>;
}

/**
 * Runs before each operation, even before authentication: counts for the rate limit, checks `Retry-After`, and applies
 * faults. What a fault does to the finished reply is stored in `ctx.state.finish`, and done by `record` in app.ts: so
 * it applies to refusals as well.
 */
export function createGate({ faults, limits, clock, urls }: GateOptions): (gated: Gated) => Middleware {
  return (gated) => {
    const { name } = gated;
    const window = gated.limit === 'none' ? null : limits.windowOf(name);

    return (ctx, next) => {
      const state = ctx.state as GateState;
      const { exchange } = state;
      exchange.operation = name;
      const token = ctx.req.headers.authorization ?? '';
      if (limits.watching) {
        const early = limits.judge({ operation: name, token, requestId: exchange.id });
        exchange.early = early;
        if (early) exchange.notes = [...exchange.notes, sayEarly(early)];
      }
      const left = window === null ? 0 : countRequest(ctx, window.limit, window.take(token, clock.now()));

      const strike = findStrike(ctx, faults, name, exchange);
      const proceed = (): Promise<void> => {
        if (left < 0 && gated.limit === 'kept' && limits.mode() === 'real') refuseTooMany(token, exchange);
        return next();
      };
      if (strike === null) return proceed();

      exchange.fault = { id: strike.id, says: strike.says };
      ctx.set({
        [faultHeader]: `${strike.id}: ${strike.says}`,
        'x-sandbox-explain': `${urls.inspector}/#/requests/${exchange.id}`,
      });
      if (strike.spec.retryAfter !== null) {
        limits.askToWait({ operation: name, token, requestId: exchange.id, seconds: strike.spec.retryAfter });
      }
      state.finish = () => finish({ ctx, exchange, spec: strike.spec, gated, clock });
      return begin({ ctx, exchange, spec: strike.spec, gated, clock }, proceed);
    };

    function refuseTooMany(token: string, exchange: Exchange): never {
      const retryAfter = limits.refused(clock.now());
      limits.askToWait({ operation: name, token, requestId: exchange.id, seconds: retryAfter });
      const facts = { operation: name, limit: window?.limit ?? 0, retryAfter, frozen: clock.mode() === 'frozen' };
      return refuse(limitRules.rate, limitPlace, undefined, facts, { 'retry-after': String(retryAfter) });
    }
  };
}

/** The rate limit headers (docs/platform.md, Rate limits), on every response of an operation. */
function countRequest({ res }: Context, limit: number, left: number): number {
  res.setHeader('x-ratelimit-limit', limit);
  res.setHeader('x-ratelimit-remaining', Math.max(0, left));
  return left;
}

function findStrike(ctx: Context, faults: Faults, operation: string, exchange: Exchange): Strike | null {
  const asked = ctx.req.headers[faultHeader];
  if (asked === undefined) return faults.idle ? null : faults.strike(operation, exchange.id);
  const text = String(asked);
  try {
    const spec = parseFaultHeader(text);
    return { id: 'request', spec, says: sayFault(spec) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return refuse(faultRules.header, inHeader(faultHeader), text, { problem: error.message });
  }
}

interface Struck {
  readonly ctx: Context;
  readonly exchange: Exchange;
  readonly spec: FaultSpec;
  readonly gated: Gated;
  readonly clock: Pick<Clock, 'afterWall'>;
}

/** What a fault does before, or instead of, the operation. */
async function begin(struck: Struck, proceed: () => Promise<void>): Promise<void> {
  const { ctx, exchange, spec, gated } = struck;
  if (spec.after) return proceed();
  if (spec.delayMs !== null && !(await pause(struck, spec.delayMs))) return undefined;
  if (spec.status === null && !spec.reset) return proceed();
  if (gated.bodyLimit !== null) await readForRecord(ctx, gated.bodyLimit, exchange);
  if (spec.status !== null) answerStatus(struck, spec.status);
  return undefined;
}

/** What a fault does to the finished reply. */
async function finish(struck: Struck): Promise<void> {
  const { ctx, spec } = struck;
  if (isGone(ctx)) return;
  if (spec.after && spec.delayMs !== null && !(await pause(struck, spec.delayMs))) return;
  if (spec.after && spec.status !== null) answerStatus(struck, spec.status);
  if (spec.reset) reset(struck);
  else if (spec.cut !== null) cut(struck, spec.cut);
}

function answerStatus({ ctx, spec, gated }: Struck, status: number): void {
  ctx.remove('x-sandbox-rule');
  gated.answerStatus(ctx, status, statusWords[status] ?? STATUS_CODES[status] ?? `Status ${status}`);
  if (spec.retryAfter !== null) ctx.set('retry-after', String(spec.retryAfter));
}

/** Reads the body for the record, although no handler needs it. */
async function readForRecord(ctx: Context, limit: number, exchange: Exchange): Promise<void> {
  try {
    await readBody(ctx.req, limit, (raw) => keepRequestBody(exchange, raw));
  } catch (error) {
    // The handler would refuse a body that is too large, but the fault replaces it.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Waits in real time. False if the client disconnected meanwhile; then there is nothing more to do. */
function pause({ ctx, exchange, clock }: Struck, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const left = (): void => {
      cancel();
      ctx.respond = false;
      exchange.failure = 'The client closed the connection while a fault delayed the request.';
      resolve(false);
    };
    const cancel = clock.afterWall(ms, () => {
      ctx.res.off('close', left);
      resolve(true);
    });
    ctx.res.once('close', left);
  });
}

function isGone(ctx: Context): boolean {
  return ctx.respond === false || ctx.res.closed || ctx.req.socket.destroyed;
}

function reset({ ctx, exchange }: Struck): void {
  ctx.respond = false;
  exchange.failure = 'A fault reset the connection.';
  ctx.req.socket.resetAndDestroy();
}

/** Announces the whole length, sends a part and closes the connection. A reply without a body is cut in its headers. */
function cut({ ctx, exchange }: Struck, at: true | number): void {
  const { res } = ctx;
  const { socket } = ctx.req;
  const whole =
    typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body) ? Buffer.from(ctx.body as string) : Buffer.alloc(0);
  const hangUp = (): void => void socket.destroySoon();
  ctx.respond = false;
  if (whole.length === 0 || ctx.method === 'HEAD') {
    exchange.failure = 'A fault cut the reply in its headers: it has no body.';
    socket.write(`HTTP/1.1 ${ctx.status} ${STATUS_CODES[ctx.status] ?? ''}\r\ncontent-le`, hangUp);
    return;
  }
  const end = Math.min(at === true ? Math.floor(whole.length / 2) : at, whole.length - 1);
  exchange.failure = `A fault cut the reply after ${end} of its ${whole.length} bytes.`;
  ctx.body = whole.subarray(0, end);
  ctx.length = whole.length;
  res.flushHeaders();
  if (end === 0) hangUp();
  else res.write(whole.subarray(0, end), hangUp);
}

import { STATUS_CODES } from 'node:http';
import type { Clock } from '../time/clock.ts';
import type { Urls } from '../net/urls.ts';
import { toErrorText, type ErrorText } from './error-text.ts';
import { statusWords } from '../contract/status-words.ts';
import { Refusal, inHeader, refuse } from '../rules.ts';
import { toAnswer, type Answer } from './answer.ts';
import { challenge, tokenOf } from './auth.ts';
import type { ReadBody } from './body/body.ts';
import type { Reply } from './endpoint.ts';
import { referenceOf, toExplainUrl, toReply } from './explain.ts';
import { parseFaultHeader, sayFault } from './faults/spec.ts';
import { faultHeader, leaveHeaderOut } from './faults/rules.ts';
import type { Faults, Strike } from './faults/faults.ts';
import { limitPlace, limitRules, sayEarly, type RateLimits } from './rate-limit.ts';
import { addNote, keepRequestBody, type Exchange } from './record/exchange.ts';
import { toPageHeaders, toReasonPage } from './page.ts';
import { isGone, type Passage, type Step } from './passage.ts';

export interface GateOptions {
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly clock: Pick<Clock, 'now' | 'mode' | 'afterWall'>;
  readonly urls: Pick<Urls, 'inspector'>;
  readonly readBody: ReadBody;
}

/** The operation that a gate is for. */
export interface Gated {
  /** The operation's name. */
  readonly name: string;
  /**
   * `kept`: a request beyond the limit is refused. `told`: only the headers show the limit, because section 7 names no
   * 429 for the operation. `none`: the platform does not count requests there (the object store, the install page).
   */
  readonly limit: 'kept' | 'told' | 'none';
  /** Bytes of a body that are read for the record if a fault replies instead of the handler; null reads none. */
  readonly bodyLimit: number | null;
  /**
   * The form of its 401: with the header that says how to send a key, or empty, as on the live host; null if it needs
   * no key.
   */
  readonly unauthorized: 'challenge' | 'empty' | null;
  /** Whether a person opens it in a browser: a fault is answered with a page. */
  readonly isPage: boolean;
  /** Called when a fault replies instead of the operation. */
  readonly instead?: (passage: Passage) => void;
}

/**
 * Runs before each operation, even before authentication: counts for the rate limit, checks `Retry-After`, and applies
 * faults. The effect of a fault on the finished reply is left in `passage.finish`, so that it applies to refusals as
 * well.
 */
export function createGate({ faults, limits, clock, urls, readBody }: GateOptions): (gated: Gated, next: Step) => Step {
  return (gated, next) => {
    const { name } = gated;
    const window = gated.limit === 'none' ? null : limits.windowOf(name);

    return (passage) => {
      const { req, exchange } = passage;
      exchange.operation = name;
      const { authorization = '' } = req.headers;
      const token = tokenOf(authorization) ?? authorization;
      if (limits.watching) {
        const early = limits.judge({ operation: name, token, requestId: exchange.id });
        exchange.early = early;
        if (early) addNote(exchange, sayEarly(early));
      }
      let left = 0;
      if (window !== null) {
        left = window.take(token, clock.now());
        // The rate limit headers (docs/platform.md, Rate limits), on every response of an operation.
        passage.headers['x-ratelimit-limit'] = String(window.limit);
        passage.headers['x-ratelimit-remaining'] = String(Math.max(0, left));
      }

      const strike = findStrike(passage, faults, name);
      const proceed = (): Promise<Reply | null> => {
        if (left < 0 && gated.limit === 'kept' && limits.mode() === 'real') refuseTooMany(token, exchange);
        return next(passage);
      };
      if (strike === null) return proceed();

      exchange.fault = { id: strike.id, says: strike.says };
      passage.headers[faultHeader] = `${strike.id}: ${strike.says}`;
      passage.headers['x-sandbox-explain'] = toExplainUrl(exchange, urls);
      const { spec } = strike;
      if (spec.retryAfter !== null)
        limits.askToWait({ operation: name, token, requestId: exchange.id, seconds: spec.retryAfter });
      const struck: Struck = { passage, strike, gated, clock, readBody, urls };
      passage.finish = (answer) => finish(struck, answer);
      return begin(struck, proceed);
    };

    function refuseTooMany(token: string, exchange: Exchange): never {
      const retryAfter = limits.refused(clock.now());
      limits.askToWait({ operation: name, token, requestId: exchange.id, seconds: retryAfter });
      const facts = { operation: name, limit: window?.limit ?? 0, retryAfter, frozen: clock.mode() === 'frozen' };
      return refuse(limitRules.rate, limitPlace, undefined, facts, { 'retry-after': String(retryAfter) });
    }
  };
}

function findStrike({ req, exchange }: Passage, faults: Faults, operation: string): Strike | null {
  const asked = req.headers[faultHeader];
  if (asked === undefined) return faults.idle ? null : faults.strike(operation, exchange.id);
  const text = String(asked);
  try {
    const spec = parseFaultHeader(text);
    return { id: 'request', spec, says: sayFault(spec) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const place = inHeader(faultHeader);
    throw error.with({
      place,
      value: text,
      message: `The header ${faultHeader} is not valid: ${error.message}`,
      fix: leaveHeaderOut(place),
    });
  }
}

interface Struck {
  readonly passage: Passage;
  readonly strike: Strike;
  readonly gated: Gated;
  readonly clock: Pick<Clock, 'afterWall'>;
  readonly readBody: ReadBody;
  readonly urls: Pick<Urls, 'inspector'>;
}

/** Applies a fault before, or instead of, the operation. */
async function begin(struck: Struck, proceed: () => Promise<Reply | null>): Promise<Reply | null> {
  const { gated } = struck;
  const { spec } = struck.strike;
  if (spec.after) return proceed();
  if (spec.delay !== null && !(await pause(struck, spec.delay))) return null;
  if (spec.status === null && !spec.reset) return proceed();
  if (gated.bodyLimit !== null) await readForRecord(struck, gated.bodyLimit);
  return spec.status === null ? null : replyOf(struck, spec.status);
}

/** Applies a fault to the finished answer, and to the way in which it is sent. */
async function finish(struck: Struck, answer: Answer | null): Promise<Answer | null> {
  const { passage } = struck;
  const { spec } = struck.strike;
  let finished = answer;
  if (isGone(passage)) return finished;
  if (spec.after && spec.delay !== null && !(await pause(struck, spec.delay))) return finished;
  if (spec.after && spec.status !== null) finished = toAnswer(replyOf(struck, spec.status), passage.headers);
  if (spec.reset) passage.sending = 'reset';
  else if (spec.cut !== null) passage.sending = { cut: spec.cut };
  return finished;
}

/** The reply with the status of a fault, as the operation sends it. */
function replyOf(struck: Struck, status: number): Reply {
  const { passage, strike, gated } = struck;
  const message = statusWords[status] ?? STATUS_CODES[status] ?? `Status ${status}`;
  const reply = gated.isPage ? toFaultPage(struck, status, message) : toFaultError(struck, status, message);
  gated.instead?.(passage);
  const { retryAfter } = strike.spec;
  return retryAfter === null ? reply : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } };
}

function toFaultPage({ passage, strike, urls }: Struck, status: number, message: string): Reply {
  const body = toReasonPage(`${status} ${message}`, {
    reasons: [`A fault of this sandbox answers instead of the page: ${strike.says}.`],
    explainUrl: toExplainUrl(passage.exchange, urls),
  });
  return { status, body, headers: toPageHeaders() };
}

function toFaultError({ passage: { dialect, exchange }, gated }: Struck, status: number, message: string): Reply {
  const text = toErrorText(dialect, { status, message, reference: referenceOf(exchange) });
  return status === 401 ? toUnauthorized(text, gated) : toReply(status, text);
}

function toUnauthorized(text: ErrorText, { unauthorized }: Gated): Reply {
  if (unauthorized === 'empty') return { status: 401, body: null };
  const reply = toReply(401, text);
  return unauthorized === null ? reply : { ...reply, headers: { ...reply.headers, ...challenge } };
}

/** Reads the body for the record, although no handler needs it. */
async function readForRecord({ passage: { req, exchange }, readBody }: Struck, limit: number): Promise<void> {
  try {
    await readBody(req, limit, (raw, size) => keepRequestBody(exchange, raw, size));
  } catch (error) {
    // The handler would refuse a body that is too large, but the fault replaces it.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Waits in real time. False if the client disconnected meanwhile; then there is nothing more to do. */
function pause({ passage, clock }: Struck, ms: number): Promise<boolean> {
  const { res, exchange } = passage;
  return new Promise((resolve) => {
    const left = (): void => {
      cancel();
      passage.sending = 'nothing';
      exchange.failure = 'The client closed the connection while a fault delayed the request.';
      resolve(false);
    };
    const cancel = clock.afterWall(ms, () => {
      res.off('close', left);
      resolve(true);
    });
    res.once('close', left);
  });
}

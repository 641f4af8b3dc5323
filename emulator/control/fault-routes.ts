import type { Clock } from '../time/clock.ts';
import { UserError } from '../errors.ts';
import type { Feed } from '../feed.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Fault, Faults } from '../http/faults.ts';
import { limitRules, rateLimitModes, type RateLimits } from '../http/rate-limit.ts';
import { requestLimits } from '../time/pace.ts';
import { badRequest, notFound } from './problems.ts';
import type { FaultView, LimitsView } from './protocol.ts';

export interface FaultRoutesDeps {
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly clock: Pick<Clock, 'mode'>;
  /** Tells watchers that a fault was asked for or taken back (kind `faults`), or the limits switched (`limits`). */
  readonly feed: Pick<Feed, 'publish'>;
}

const anything = { type: 'object' } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** The bounds, and what goes with what, are checked with sentences of their own: see http/fault-spec.ts. */
const faultBody = {
  type: 'object',
  required: ['operation'],
  properties: {
    operation: {
      type: 'string',
      description: 'An operation such as "GET /me", or "*" for any.',
      examples: ['GET /me'],
    },
    status: { type: 'integer', description: '400 to 599, answered in the dialect of the operation.', examples: [503] },
    retryAfter: { type: 'integer', description: 'Seconds, sent as Retry-After with the status.' },
    delay: { type: ['integer', 'string'], description: 'Real time: milliseconds, or a length of time such as "2s".' },
    cut: { type: ['boolean', 'integer'], description: 'The body ends half-way, or after so many bytes.' },
    reset: { type: 'boolean', description: 'The connection is reset in place of an answer.' },
    after: { type: 'boolean', description: 'The request is handled and its changes stay; then the fault strikes.' },
    times: { type: 'integer', description: 'How often it strikes; once where neither this nor every is given.' },
    every: { type: 'integer', description: 'Strikes each such matching request, without end unless times is given.' },
  },
} as const;

/** Faults and rate limits in the developer's hand. */
export function createFaultRoutes({ faults, limits, clock, feed }: FaultRoutesDeps): readonly Endpoint[] {
  const tell = (...ids: readonly string[]): void =>
    feed.publish({ type: 'records', changes: ids.map((id) => ({ collection: 'faults', id })) });
  const tellOfLimits = (): void => feed.publish({ type: 'records', changes: [{ collection: 'limits', id: 'mode' }] });

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/faults',
      summary: 'The faults that wait, in the order in which they are tried, then those that are used up',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { faults: faults.all().map(toView), operations: faults.operations } }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/faults',
      summary:
        'Ask for a fault: a status, a delay, a cut body or a reset connection, for the next requests of an operation',
      body: faultBody,
      replies: { 201: anything },
      handle({ body }) {
        const fault = orRefuse(() => faults.add(body));
        tell(fault.id);
        return { status: 201, body: { ...toView(fault) } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/faults/{id}',
      summary: 'Take a fault back',
      params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      replies: { 204: null },
      handle({ params: { id } }) {
        if (!faults.remove(id)) return notFound(`There is no fault ${id}. GET /control/faults lists them.`);
        tell(id);
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/faults',
      summary: 'Take all faults back',
      replies: { 204: null },
      handle() {
        const ids = faults.all().map(({ id }) => id);
        faults.clear();
        tell(...ids);
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/limits',
      summary: 'The rate limits, whether they are real, and who came back too early',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { ...toLimitsView(limits, clock) } }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/limits',
      summary: 'Make the rate limits real, or let them only be told of in headers',
      body: { type: 'object', required: ['mode'], properties: { mode: { type: 'string', enum: rateLimitModes } } },
      replies: { 200: anything },
      handle({ body }) {
        limits.setMode(body.mode);
        tellOfLimits();
        return { status: 200, body: { ...toLimitsView(limits, clock) } };
      },
    }),
  ];
}

function orRefuse<R>(work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) return badRequest(error.message);
    throw error;
  }
}

function toView({ id, spec, says, createdAt, seen, hits, lastRequest }: Fault): FaultView {
  const { delayMs, ...rest } = spec;
  const remaining = spec.times === null ? null : spec.times - hits;
  return { id, ...rest, delay: delayMs, says, active: remaining !== 0, seen, hits, remaining, lastRequest, createdAt };
}

function toLimitsView(limits: RateLimits, clock: Pick<Clock, 'mode'>): LimitsView {
  const named = Object.entries(requestLimits.operations).map(([operation, limit]) => ({ operation, limit }));
  const { id, section, provenance, says } = limitRules.rate;
  return {
    mode: limits.mode(),
    rule: { id, section, provenance, says },
    limits: [...named, { operation: '*', limit: requestLimits.others }],
    frozen: clock.mode() === 'frozen',
    ...limits.counts,
    earlyReturns: limits.earlyReturns(),
  };
}

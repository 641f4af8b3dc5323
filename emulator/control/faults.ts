import type { Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import type { Fault, Faults } from '../http/faults.ts';
import { limitRules, type RateLimits } from '../http/rate-limit.ts';
import { noSuch } from '../rules.ts';
import { requestLimits } from '../time/pace.ts';
import type { FaultView, LimitsView, faultCalls } from './contract/faults.ts';
import type { Handlers } from './route.ts';

export interface FaultHandlerDeps {
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly clock: Pick<Clock, 'mode'>;
  /**
   * Notifies watchers that a fault was added or removed (kind `faults`), or that the limits were changed (`limits`).
   */
  readonly feed: Pick<Feed, 'publish'>;
}

/** Faults and rate limits, as a developer sets them. */
export function createFaultHandlers({ faults, limits, clock, feed }: FaultHandlerDeps): Handlers<typeof faultCalls> {
  const tell = (...ids: readonly string[]): void =>
    feed.publish({ type: 'records', changes: ids.map((id) => ({ collection: 'faults', id })) });

  return {
    'GET /control/faults': () => ({ faults: faults.all().map(toView), operations: faults.operations }),
    'POST /control/faults'({ body }) {
      const fault = faults.add(body);
      tell(fault.id);
      return toView(fault);
    },
    'DELETE /control/faults/{id}'({ params: { id } }) {
      if (!faults.remove(id)) return noSuch('fault', id);
      tell(id);
      return null;
    },
    'DELETE /control/faults'() {
      const ids = faults.all().map(({ id }) => id);
      faults.clear();
      tell(...ids);
      return null;
    },
    'GET /control/limits': () => toLimitsView(limits, clock),
    'POST /control/limits'({ body }) {
      limits.setMode(body.mode);
      feed.publish({ type: 'records', changes: [{ collection: 'limits', id: 'mode' }] });
      return toLimitsView(limits, clock);
    },
  };
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

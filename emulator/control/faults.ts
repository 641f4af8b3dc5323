import type { Clock } from '../time/clock.ts';
import { toAmount } from '../contract/digits.ts';
import type { Fault } from '../http/faults/faults.ts';
import { limitRules, type RateLimits } from '../http/rate-limit.ts';
import type { RateLimitMode } from '../http/shapes.ts';
import { noSuch } from '../rules.ts';
import { requestLimits } from '../time/pace.ts';
import { editValue, type Swap } from '../world/edits.ts';
import type { FaultView, LimitsView, faultCalls } from './contract/faults.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Handlers with which a developer sets faults and rate limits. */
export function createFaultHandlers({
  faults,
  limits,
  clock,
  feed,
  undo: { editSetting },
}: HandlerDeps): Handlers<typeof faultCalls> {
  const tell = (...ids: readonly string[]): void =>
    feed.publish({ type: 'changes', changes: ids.map((id) => ({ collection: 'faults', id })) });
  const takeOut = (ids?: readonly string[]): readonly Fault[] => {
    const taken = faults.takeOut(ids);
    tell(...taken.map(({ id }) => id));
    return taken;
  };
  /** Removes faults, including those that requests have used up since. */
  const removing = (ids: readonly string[]): Swap => {
    return () => restoring(takeOut(ids));
  };
  /** Puts faults back as they were when they were taken out. */
  const restoring = (taken: readonly Fault[]): Swap => {
    const ids = taken.map(({ id }) => id);
    return () => {
      faults.putBack(taken);
      tell(...ids);
      return removing(ids);
    };
  };
  const setLimits = (mode: RateLimitMode): void => {
    limits.setMode(mode);
    feed.publish({ type: 'changes', changes: [{ collection: 'limits', id: 'mode' }] });
  };

  return {
    'GET /control/faults': () => ({ faults: faults.all().map(toView), operations: faults.operations }),
    'POST /control/faults'({ body }) {
      const fault = faults.add(body);
      tell(fault.id);
      editSetting('fault.added', `A fault was set for ${toSubject(fault)}: ${fault.says}.`, removing([fault.id]));
      return toView(fault);
    },
    'DELETE /control/faults/{id}'({ params: { id } }) {
      const [fault] = takeOut([id]);
      if (!fault) return noSuch('fault', id);
      editSetting('fault.removed', `The fault for ${toSubject(fault)} was removed: ${fault.says}.`, restoring([fault]));
      return null;
    },
    'DELETE /control/faults'() {
      const taken = takeOut();
      const says = `${toAmount(taken.length, 'fault was', 'faults were')} removed.`;
      if (taken.length > 0) editSetting('faults.cleared', says, restoring(taken));
      return null;
    },
    'GET /control/limits': () => toLimitsView(limits, clock),
    'POST /control/limits'({ body }) {
      editValue(editSetting, { set: setLimits, was: limits.mode(), is: body.mode }, () => ({
        code: 'limits.changed',
        says: body.mode === 'off' ? 'The rate limits were switched off.' : 'The rate limits were switched on.',
      }));
      return toLimitsView(limits, clock);
    },
  };
}

function toSubject({ spec: { operation } }: Fault): string {
  return operation === '*' ? 'any operation' : operation;
}

function toView({ id, spec, says, createdAt, seen, hits, lastRequest }: Fault): FaultView {
  const remaining = spec.times === null ? null : spec.times - hits;
  return { id, ...spec, says, active: remaining !== 0, seen, hits, remaining, lastRequest, createdAt };
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

import { toIso, type Clock } from '../time/clock.ts';
import { UserError } from '../errors.ts';
import { remove, rule, type AnyRule } from '../rules.ts';
import { sayFault, toFaultSpec, type FaultSpec } from './fault-spec.ts';

/** A fault that waits for requests, or has struck as often as it should. `seen` counts requests that it looked at. */
export interface Fault {
  readonly id: string;
  readonly spec: FaultSpec;
  readonly says: string;
  /** ISO 8601, on the virtual clock. */
  readonly createdAt: string;
  readonly seen: number;
  readonly hits: number;
  /** The request that it struck last. */
  readonly lastRequest: string | null;
}

/** A fault that strikes a request now. */
export type Strike = Pick<Fault, 'id' | 'spec' | 'says'>;

/** The faults of one emulator. They live in memory: the same emulator started again has none. */
export interface Faults {
  /** @throws UserError that says what does not fit */
  add(input: { readonly [field: string]: unknown }): Fault;
  /** Those that wait, in the order in which they are tried, then the used-up ones, newest last. */
  all(): readonly Fault[];
  /** False where there is none of that id. */
  remove(id: string): boolean;
  clear(): void;
  /** The fault that strikes this request: of those that are due the oldest one. The others do not see the request. */
  strike(operation: string, requestId: string): Strike | null;
  /** True where no fault waits. */
  readonly idle: boolean;
  /** The names that a fault may be about, beside `*`. */
  readonly operations: readonly string[];
}

/** How many faults may wait, and how many used-up ones stay readable. */
const most = 1_000;
const keptSpent = 100;

/** @param operations the names that faults may be about */
export function createFaults({
  clock,
  operations,
}: {
  clock: Pick<Clock, 'now'>;
  operations: readonly string[];
}): Faults {
  const waiting = new Map<string, Fault>();
  let spent: readonly Fault[] = [];
  let number = 0;

  return {
    add(input) {
      const spec = toFaultSpec(input, operations);
      if (waiting.size >= most)
        throw new UserError(`${most} faults wait already. Remove some with DELETE /control/faults.`);
      number += 1;
      const fault: Fault = {
        id: `flt_${number}`,
        spec,
        says: sayFault(spec),
        createdAt: toIso(clock.now()),
        seen: 0,
        hits: 0,
        lastRequest: null,
      };
      waiting.set(fault.id, fault);
      return fault;
    },
    all: () => [...waiting.values(), ...spent],
    remove(id) {
      const had = waiting.delete(id) || spent.some((fault) => fault.id === id);
      spent = spent.filter((fault) => fault.id !== id);
      return had;
    },
    clear() {
      waiting.clear();
      spent = [];
    },
    strike(operation, requestId) {
      for (const fault of waiting.values()) {
        const { spec } = fault;
        if (spec.operation !== '*' && spec.operation !== operation) continue;
        const seen = fault.seen + 1;
        if (spec.every !== null && seen % spec.every !== 0) {
          waiting.set(fault.id, { ...fault, seen });
          continue;
        }
        const struck: Fault = { ...fault, seen, hits: fault.hits + 1, lastRequest: requestId };
        if (struck.hits === spec.times) {
          waiting.delete(fault.id);
          spent = [...spent.slice(1 - keptSpent), struck];
        } else {
          waiting.set(fault.id, struck);
        }
        return struck;
      }
      return null;
    },
    get idle() {
      return waiting.size === 0;
    },
    operations,
  };
}

/** The request header that asks for a fault of its own request. */
export const faultHeader = 'x-sandbox-fault';

export const faultRules = {
  header: rule<{ problem: string }>({
    id: 'faults.header',
    status: 400,
    section: 'sandbox',
    provenance: 'assumed',
    says: 'The header x-sandbox-fault asks for a fault of its own request: status=503, retry-after=2, delay=2s, cut, reset, after; joined by commas.',
    message: ({ problem }) => `The header ${faultHeader} is not understood: ${problem}`,
    fix: (_facts, place) => ({
      say: 'Leave the header out, or write it like "status=503, delay=2s".',
      edits: [remove(place)],
    }),
  }),
} as const;

/** These rules as a list. */
export const allFaultRules: readonly AnyRule[] = Object.values(faultRules);

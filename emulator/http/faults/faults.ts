import { toIso, type Clock } from '../../time/clock.ts';
import { inBody, refuse } from '../../rules.ts';
import { faultRules } from './rules.ts';
import { sayFault, toFaultSpec, type FaultSpec } from './spec.ts';

/** A fault that waits for requests, or is used up. `seen` counts the matching requests. */
export interface Fault {
  readonly id: string;
  readonly spec: FaultSpec;
  readonly says: string;
  /** ISO 8601, on the virtual clock. */
  readonly createdAt: string;
  readonly seen: number;
  readonly hits: number;
  /** The last request to which it applied. */
  readonly lastRequest: string | null;
  /** Its place among the waiting faults, or among the used-up ones: the lowest is the oldest. */
  readonly order: number;
}

/** A fault that applies to a request now. */
export type Strike = Pick<Fault, 'id' | 'spec' | 'says'>;

/** The faults of one emulator. They are in memory: after a restart there are none. */
export interface Faults {
  /** @throws Refusal at the field that is not valid, or if too many wait */
  add(input: { readonly [field: string]: unknown }): Fault;
  /** The waiting faults, in the order in which they are tried, then the used-up ones, newest last. */
  all(): readonly Fault[];
  /** Removes the faults with these ids, or all, and returns them. */
  takeOut(ids?: readonly string[]): readonly Fault[];
  /** Puts removed faults back, each in its place and unchanged. */
  putBack(faults: readonly Fault[]): void;
  clear(): void;
  /** Returns a function that restores the present state of all faults. */
  keep(): () => void;
  /** The fault that applies to this request: the oldest one that is due. The others do not count the request. */
  strike(operation: string, requestId: string): Strike | null;
  /** True if no fault waits. */
  readonly idle: boolean;
  /** The operations that a fault may have, in addition to `*`. */
  readonly operations: readonly string[];
}

/** How many faults may wait; `keptSpent`: how many used-up faults stay readable. */
const most = 1_000;
const keptSpent = 100;

/** @param operations the operations that faults may have */
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
  let order = 0;

  return {
    add(input) {
      const spec = toFaultSpec(input, operations);
      if (waiting.size >= most) return refuse(faultRules.most, inBody(''), undefined, { most });
      number += 1;
      const fault: Fault = {
        id: `flt_${number}`,
        spec,
        says: sayFault(spec),
        createdAt: toIso(clock.now()),
        seen: 0,
        hits: 0,
        lastRequest: null,
        order: (order += 1),
      };
      waiting.set(fault.id, fault);
      return fault;
    },
    all: () => [...waiting.values(), ...spent],
    takeOut(ids) {
      const taken = [...waiting.values(), ...spent].filter(({ id }) => ids?.includes(id) ?? true);
      for (const { id } of taken) waiting.delete(id);
      spent = spent.filter((fault) => !taken.includes(fault));
      return taken;
    },
    putBack(faults) {
      const isWaiting = ({ spec, hits }: Fault): boolean => hits !== spec.times;
      const all = [...waiting.values(), ...faults.filter(isWaiting)].toSorted(byOrder);
      waiting.clear();
      for (const fault of all) waiting.set(fault.id, fault);
      spent = [...spent, ...faults.filter((fault) => !isWaiting(fault))].toSorted(byOrder).slice(-keptSpent);
    },
    clear() {
      waiting.clear();
      spent = [];
    },
    keep() {
      const kept = { waiting: [...waiting], spent };
      return () => {
        waiting.clear();
        for (const [id, fault] of kept.waiting) waiting.set(id, fault);
        spent = kept.spent;
      };
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
          spent = [...spent.slice(1 - keptSpent), { ...struck, order: (order += 1) }];
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

function byOrder(one: Fault, other: Fault): number {
  return one.order - other.order;
}

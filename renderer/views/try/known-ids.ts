import { computed, type ComputedRef, type ShallowRef } from 'vue';
import type { Kind } from '../../../emulator/control/calls.ts';
import { useRecords } from '../../live/records.ts';
import type { Operation } from './contract.ts';

/** Which records a parameter of a path means. */
const kinds: { readonly [parameter: string]: Kind } = {
  webhookId: 'webhooks',
  uploadId: 'uploads',
  'coupon-pool-id': 'offers',
  id: 'privacy-requests',
};

/** Ids that are there, newest first, for the parameter of an operation's path. */
export interface KnownIds {
  readonly parameter: string;
  readonly ids: ComputedRef<readonly string[]>;
  /** How many there are, also those that are not among `ids`. */
  readonly total: Readonly<ShallowRef<number>>;
  /** Whether they were read, or cannot be read. */
  readonly settled: ComputedRef<boolean>;
}

/** @returns null for an operation whose path names no record */
export function useKnownIds({ parameters }: Operation, companyId: () => string | null): KnownIds | null {
  const parameter = parameters.find((one) => one.in === 'path')?.name;
  const kind = parameter === undefined ? undefined : kinds[parameter];
  if (parameter === undefined || kind === undefined) return null;
  const { records, total, ready, problem } = useRecords(kind, { companyId });
  return {
    parameter,
    ids: computed(() => records.value.map(({ id }) => id).toReversed()),
    total,
    settled: computed(() => ready.value || problem.value !== null),
  };
}

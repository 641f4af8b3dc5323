import { computed, type ComputedRef, type ShallowRef } from 'vue';
import type { Kind } from '../../../emulator/control/calls.ts';
import { useRecords } from '../../live/records.ts';
import type { Operation } from './contract.ts';

/** The kind of record that a path parameter names. */
const kinds: { readonly [parameter: string]: Kind } = {
  webhookId: 'webhooks',
  uploadId: 'uploads',
  'coupon-pool-id': 'offers',
  id: 'privacy-requests',
};

/** Existing ids for the path parameter of an operation, newest first. */
export interface KnownIds {
  readonly parameter: string;
  readonly ids: ComputedRef<readonly string[]>;
  /** The number of records, including those whose id is not among `ids`. */
  readonly total: Readonly<ShallowRef<number>>;
  /** Whether the ids were read, or cannot be read. */
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

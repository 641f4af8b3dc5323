import { defineTableOf } from '../../machine/table.ts';
import type { Source } from '../../records.ts';
import { offers } from '../../records/offers.ts';

const named: Source = { provenance: 'documented', section: '4, Add discount codes, 6' };
// Section 3 names only SYNCING; ACTIVE and ERROR are in the platform's published schemas (docs/platform.md, Offers).
const observed: Source = { provenance: 'observed', section: '3' };

const received = 'Codes were uploaded; the status reads SYNCING while uploads are not ready.';

/** The moves of an offer. */
export const offerTable = defineTableOf(offers, {
  initial: 'ACTIVE',
  rows: [
    { from: 'ACTIVE', event: 'codesReceived', to: 'SYNCING', by: ['call'], why: received, source: named },
    { from: 'SYNCING', event: 'codesReceived', to: 'SYNCING', by: ['call'], why: received, source: named },
    { from: 'ERROR', event: 'codesReceived', to: 'SYNCING', by: ['call'], why: received, source: observed },
    {
      from: 'SYNCING',
      event: 'synced',
      to: 'ACTIVE',
      by: ['clock', 'hand'],
      after: { name: 'offer.sync', realistic: 5_000 },
      why: 'The uploaded codes are ready to be distributed.',
      source: observed,
    },
    {
      from: 'SYNCING',
      event: 'syncFailed',
      to: 'ERROR',
      by: ['hand'],
      why: 'The upload could not be processed.',
      source: observed,
    },
    {
      from: 'ERROR',
      event: 'synced',
      to: 'ACTIVE',
      by: ['hand'],
      why: 'The operator repaired the upload.',
      source: observed,
    },
  ],
});

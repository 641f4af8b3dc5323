import { defineTableOf, type EventOf } from '../../machine/table.ts';
import type { Source, Upload } from '../../records.ts';
import { uploads } from '../../records/offers.ts';

const documented: Source = { provenance: 'documented', section: '3, Catalog upload' };
// Section 3 does not show the name of an expired state, nor of one after a failed save.
const assumed: Source = { provenance: 'assumed', section: '3, Other' };

const saved = 'The lines that the check accepted were saved.';

const unsaved = ({ validateOnly }: Upload): string | null =>
  validateOnly ? 'validateOnly is true: nothing is saved' : null;

/**
 * The platform's own uploader polls and stops only at exactly `validated` (docs/platform.md, Product catalog), so at
 * every pace a client gets enough time to read that state before the products are saved.
 */
const unread = ({ state, readAs }: Upload): string | null =>
  readAs === state ? null : 'no client has read the result of the check yet';

/** How long an upload stays `validated`: longer than the ten seconds at which that uploader polls. */
export const readableFor = 15_000;

/** The moves of a catalog upload: the rows of section 3, and those that it does not specify. */
export const uploadTable = defineTableOf(uploads, {
  initial: 'initialized',
  rows: [
    {
      from: 'initialized',
      event: 'fileReceived',
      to: 'validating',
      by: ['call', 'hand'],
      when: ({ bytes }) => (bytes === null ? 'no file has arrived yet: PUT it to uploadUrl' : null),
      why: 'The file was received and is being checked for errors.',
      source: documented,
    },
    {
      from: 'initialized',
      event: 'expire',
      to: 'expired',
      by: ['clock', 'hand'],
      until: ({ expiresAt }) => expiresAt,
      why: 'No file arrived in time. A new upload must be initiated.',
      source: assumed,
    },
    {
      from: 'validating',
      event: 'checked',
      to: 'validated',
      by: ['clock', 'hand'],
      after: { name: 'upload.validate', realistic: 2_000 },
      when: ({ report }) => (report === null ? 'the file is still being checked' : null),
      prepare: 'check',
      why: 'The file was checked; its problems are listed in the errors.',
      source: documented,
    },
    {
      from: 'validated',
      event: 'save',
      to: 'completed',
      by: ['hand'],
      when: unsaved,
      work: 'save',
      why: saved,
      source: documented,
    },
    {
      from: 'validated',
      event: 'save',
      to: 'completed',
      by: ['clock'],
      after: { name: 'upload.save', realistic: readableFor },
      when: (upload) => unsaved(upload) ?? unread(upload),
      work: 'save',
      why: saved,
      source: documented,
    },
    {
      from: 'validated',
      event: 'save',
      to: 'completed',
      by: ['clock'],
      after: { name: 'upload.save-unread', realistic: readableFor, instant: readableFor },
      when: unsaved,
      work: 'save',
      why: saved,
      source: documented,
    },
    {
      from: 'validated',
      event: 'saveFailed',
      to: 'save_failed',
      by: ['hand', 'work'],
      when: unsaved,
      why: 'The catalog could not be saved; the operator is notified and contacts the client.',
      source: assumed,
    },
    {
      from: 'save_failed',
      event: 'save',
      to: 'completed',
      by: ['hand'],
      work: 'save',
      why: 'The operator saved the catalog after all.',
      source: assumed,
    },
  ],
});

export type UploadEvent = EventOf<typeof uploadTable>;

import { boolean, described, integer, list, nullable, object, text, time, type View } from '../../contract/shape.ts';
import { fileLine, lineChange, xray } from '../../features/catalog/check/shapes.ts';
import { catalogIssue } from '../../records/offers.ts';
import type { CallTable } from '../call.ts';
import { toPage } from './paging.ts';

/** A page of the issues that were found in a file: `total` counts all, and the first `kept` of them can be shown. */
const issues = object({
  checked: described('False until the file is checked.', boolean),
  total: integer,
  kept: integer,
  issues: list(catalogIssue),
});
export type CatalogIssuesView = View<typeof issues>;

const newUpload = object({
  id: text,
  uploadUrl: described('The URL that accepts one PUT of the file, until it expires.', text),
  expiresAt: time,
  validateOnly: boolean,
});
export type NewUploadView = View<typeof newUpload>;

const uploadFile = object({
  uploadUrl: text,
  expiresAt: time,
  takesFile: described('Whether the upload still waits for a file.', boolean),
  kept: described(
    'The size of the file in bytes; null if no file arrived, or if it was removed to make room for newer ones.',
    nullable(integer),
  ),
});
export type UploadFileView = View<typeof uploadFile>;

/** One line of an uploaded file. */
const uploadLine = object({
  line: integer,
  ...fileLine.properties,
  cut: described('Whether `text` is only the beginning of the line.', boolean),
});
export type UploadLineView = View<typeof uploadLine>;

/**
 * The changes that saving an upload would make, line by line. `total` counts the good lines; the first 16 MB can be
 * listed.
 */
const uploadChanges = object({ total: integer, changes: list(lineChange) });
export type UploadChangesView = View<typeof uploadChanges>;

const uploadXray = object({
  ...xray.properties,
  cadence: described('A warning if whole catalogs are sent too often (section 8).', nullable(text)),
});
export type UploadXrayView = View<typeof uploadXray>;

export const uploadCalls = {
  'POST /control/uploads': {
    summary: 'Initiate an upload through the emulated API, with a key of the company; then send the file to PUT …/file',
    changes: true,
    body: object({ companyId: text }, { validateOnly: { type: 'boolean', default: true } }),
    status: 201,
    reply: newUpload,
  },
  'POST /control/uploads/{id}/again': {
    summary: 'Send the file of an upload once more, through a new upload',
    changes: true,
    body: object(
      {},
      {
        validateOnly: boolean,
        fixed: described('Whether to send a copy in which the errors with a mechanical fix are fixed.', boolean),
      },
    ),
    bodyRequired: false,
    status: 201,
    reply: newUpload,
  },
  'POST /control/uploads/{id}/cancel': {
    summary: 'Cancel the check of the file of an upload; nothing of the file is saved',
    changes: true,
    reply: null,
  },
  'GET /control/uploads/{id}/file': {
    summary: 'The URL of an upload, and whether its file is still kept',
    asOf: 'now',
    reply: uploadFile,
  },
  'GET /control/uploads/{id}/lines/{line}': {
    summary: 'One line of an uploaded file, counted from 1; at most the first megabyte of the line',
    asOf: 'now',
    params: { line: { type: 'string', pattern: '^[1-9][0-9]{0,5}$', examples: ['1'] } },
    reply: uploadLine,
  },
  'GET /control/uploads/{id}/xray': {
    summary: 'The whole file of an upload at a glance: errors by cause, warnings, and the effect of saving it',
    asOf: 'now',
    reply: uploadXray,
  },
  'GET /control/uploads/{id}/changes': {
    summary: 'The changes that saving the good lines of an upload would make to the saved products',
    asOf: 'now',
    query: object({}, toPage(500)),
    reply: uploadChanges,
  },
  'GET /control/uploads/{id}/issues': {
    summary: 'All issues of the file of an upload, of which the API shows ten per type',
    asOf: 'now',
    query: object({}, toPage(1_000)),
    reply: issues,
  },
} as const satisfies CallTable;

import {
  boolean,
  described,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { catalogIssue } from '../../records/offers.ts';
import type { CallTable } from '../call.ts';
import { toPage } from './paging.ts';

/** A page of what was found wrong in a file: `total` was found, the first `kept` of it can be shown. */
const issues = object({
  checked: described('False until the file was checked.', boolean),
  total: integer,
  kept: integer,
  issues: list(catalogIssue),
});
export type CatalogIssuesView = View<typeof issues>;

const newUpload = object({
  id: text,
  uploadUrl: described('Takes one PUT of the file, until it expires.', text),
  expiresAt: time,
  validateOnly: boolean,
});
export type NewUploadView = View<typeof newUpload>;

const uploadFile = object({
  uploadUrl: text,
  expiresAt: time,
  takesFile: described('Whether it still waits for a file.', boolean),
  kept: described(
    'Bytes of the file; null if none arrived, or if it was removed to make room for newer ones.',
    nullable(integer),
  ),
});
export type UploadFileView = View<typeof uploadFile>;

/** One line of an uploaded file. */
const uploadLine = object({
  line: integer,
  text: described('Null for a line over the limit.', nullable(text)),
  bytes: integer,
  faultAt: described(
    'The character of `text` at which it stops being JSON in UTF-8, from 0; null if it is valid, or if the text is cut.',
    nullable(integer),
  ),
  cut: described('`text` is only its beginning.', boolean),
  fixed: described('The line with its errors fixed; null if they have no mechanical fix.', nullable(text)),
});
export type UploadLineView = View<typeof uploadLine>;

/** What saving an upload would do, line by line; `total` good lines, of which the first 16 MB can be listed. */
const uploadChanges = object({
  total: integer,
  changes: list(
    object({
      id: text,
      name: text,
      kind: oneOf('new', 'changed', 'same'),
      fields: described('Names of the fields that differ.', list(text)),
    }),
  ),
});
export type UploadChangesView = View<typeof uploadChanges>;

const example = { line: integer, pointer: text, value: nullable(text) };

/** What is in the file of an upload, and what saving its good lines would do. */
const uploadXray = object({
  lines: integer,
  goodLines: integer,
  fixableLines: described('Lines whose errors have a mechanical fix.', integer),
  causes: described(
    'Errors of one rule at one kind of place, the most frequent first.',
    list(
      object({
        errorType: text,
        where: described('A JSON pointer with # for every entry of a list.', text),
        count: integer,
        fixable: described('Of these, on lines with a mechanical fix.', integer),
        examples: list(object({ ...example, message: text })),
      }),
    ),
  ),
  warnings: described(
    'What is valid, but probably unintended.',
    list(
      object({
        kind: oneOf('variant-without-price', 'image-without-size'),
        says: text,
        count: integer,
        examples: list(object(example)),
      }),
    ),
  ),
  cadence: described('A warning if whole catalogs are sent too often (section 8).', nullable(text)),
  changes: object({
    added: integer,
    changed: integer,
    same: integer,
    untouched: described('Saved products that the file does not name; they stay.', integer),
    variantsRemoved: described('Variants that a changed product has no more.', integer),
    variantsUnavailable: described('Variants that could be bought, and no longer can.', integer),
    unavailable: described('Products of which nothing can be bought any more.', integer),
  }),
});
export type UploadXrayView = View<typeof uploadXray>;

export const uploadCalls = {
  'POST /control/uploads': {
    summary: 'Initiate an upload by a call of the API with a key of the company; send the file to PUT …/file',
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
        fixed: described('Send a copy in which the errors with a mechanical fix are fixed.', boolean),
      },
    ),
    bodyRequired: false,
    status: 201,
    reply: newUpload,
  },
  'POST /control/uploads/{id}/cancel': {
    summary: 'End the check of the file of an upload; nothing of it is saved',
    changes: true,
    reply: null,
  },
  'GET /control/uploads/{id}/file': {
    summary: 'The link of an upload, and whether its file is still here',
    reply: uploadFile,
  },
  'GET /control/uploads/{id}/lines/{line}': {
    summary: 'One line of an uploaded file, from 1; at most its first megabyte',
    params: { line: { type: 'string', pattern: '^[1-9][0-9]{0,5}$', examples: ['1'] } },
    reply: uploadLine,
  },
  'GET /control/uploads/{id}/xray': {
    summary: 'The whole file of an upload at a glance: errors by cause, warnings, and what saving it would do',
    reply: uploadXray,
  },
  'GET /control/uploads/{id}/changes': {
    summary: 'What saving the good lines of an upload would do to the saved products',
    query: object({}, toPage(500)),
    reply: uploadChanges,
  },
  'GET /control/uploads/{id}/issues': {
    summary: 'All issues of the file of an upload, of which the API shows ten per type',
    query: object({}, toPage(1_000)),
    reply: issues,
  },
} as const satisfies CallTable;

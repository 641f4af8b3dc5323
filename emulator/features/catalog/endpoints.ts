import { toIso } from '../../time/clock.ts';
import type { Deps } from '../../deps.ts';
import { endpoint, type Endpoint, type Input } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { toGlobalId } from '../../ids.ts';
import { enter } from '../../machine/table.ts';
import type { Upload } from '../../records.ts';
import { inPath, refuse, rule, set, show } from '../../rules.ts';
import { spans } from '../../time/pace.ts';
import { uploadList, uploadParams, uploadRecord, uploadRequest, type UploadRecord } from './shapes.ts';
import { uploadTable } from './states.ts';

const listPath = '/product-catalog/uploads';

/** The rules of requests about uploads. The rules of the file are in check/rules.ts, those of the PUT in objects/. */
export const catalogRequestRules = {
  unknownUpload: rule<{ id: string; own: string | null }>({
    id: 'catalog.unknown-upload',
    status: 404,
    section: '7',
    provenance: 'assumed',
    reason: 'Section 7 has the 404; it does not say that uploads of other companies are not found.',
    says: 'The upload belongs to the caller’s company.',
    message: ({ id }) =>
      `The specified resource was not found: this company has no upload ${show(id)}. Use the uploadId from the reply of POST ${listPath}.`,
    fix: ({ own }, place) =>
      own === null
        ? { say: 'Initiate an upload, then use its id.', edits: [] }
        : { say: `Send the id of an upload of this company, such as ${own}, the newest.`, edits: [set(place, own)] },
  }),
} as const;

/** POST /product-catalog/uploads (section 4, Product catalog upload flow, 1). */
const initiateUpload = endpoint({
  operationId: 'postUpload',
  method: 'POST',
  path: listPath,
  access: 'product_catalogs:write',
  summary: 'Initiate a catalog upload; the file is then sent to uploadUrl',
  section: '4, Product catalog upload flow, 1',
  provenance: 'documented',
  rules: [],
  body: uploadRequest,
  bodyRequired: false,
  replies: { 200: uploadRecord },
  links: { lookupUpload: { uploadId: '/uploadId' } },
  handle({ body, caller, now, headers }, deps) {
    return { status: 200, body: toShown(deps, openUpload(deps, caller, body.validateOnly ?? true, now), headers) };
  },
});

/** GET /product-catalog/uploads: every upload of the company, in order of creation. */
const listUploads = endpoint({
  operationId: 'getUploads',
  method: 'GET',
  path: listPath,
  access: 'product_catalogs:read',
  summary: 'List catalog uploads in order of creation',
  section: '4, note 9',
  provenance: 'documented',
  rules: [],
  replies: { 200: uploadList },
  handle(input, deps) {
    return { status: 200, body: uploadsOf(deps, input.caller).map((upload) => toRead(deps, upload, input)) };
  },
});

/** GET /product-catalog/uploads/{uploadId} (section 4, Product catalog upload flow, 3). */
const readUpload = endpoint({
  operationId: 'lookupUpload',
  method: 'GET',
  path: `${listPath}/{uploadId}`,
  access: 'product_catalogs:read',
  summary: 'Read a catalog upload',
  section: '4, Product catalog upload flow, 3',
  provenance: 'documented',
  rules: [catalogRequestRules.unknownUpload],
  params: uploadParams,
  replies: { 200: uploadRecord },
  handle(input, deps) {
    return { status: 200, body: toRead(deps, findUpload(deps, input.caller, input.params.uploadId), input) };
  },
});

/** The operations of this group. */
export const catalogEndpoints: readonly Endpoint[] = [initiateUpload, listUploads, readUpload];

/**
 * Creates an upload that waits for its file. Inside a transaction.
 * @param now epoch milliseconds
 */
function openUpload({ store, uploads }: Deps, { companyId }: Caller, validateOnly: boolean, now: number): Upload {
  const at = toIso(now);
  return uploads.start({
    id: toGlobalId('CatalogUpload', store.nextNumber()),
    companyId,
    validateOnly,
    createdAt: at,
    expiresAt: toIso(now + spans.uploadLink),
    bytes: null,
    etag: null,
    report: null,
    productsProcessed: null,
    ...enter(uploadTable, { by: 'call', at, why: 'The upload was initiated.' }),
  });
}

/** The caller's upload with that id; refused with 404 if it does not exist or belongs to another company. */
function findUpload(deps: Deps, caller: Caller, id: string): Upload {
  const upload = deps.store.uploads.get(id);
  if (upload?.companyId === caller.companyId) return upload;
  const own = uploadsOf(deps, caller).at(-1)?.id ?? null;
  return refuse(catalogRequestRules.unknownUpload, inPath('uploadId'), id, { id, own });
}

function uploadsOf({ store }: Deps, { companyId }: Caller): readonly Upload[] {
  return store.uploads.index('byCompany', (upload) => [upload.companyId]).get(companyId);
}

type Reading = Pick<Input<unknown, unknown, unknown>, 'note' | 'headers'>;

/**
 * Like `toShown`; also records that a client has seen the result of the check, after which the products may be saved.
 * If time passed `validated` before any client read it, this read still shows it: a client may wait for exactly that
 * state.
 */
function toRead(deps: Deps, upload: Upload, { note, headers }: Reading): UploadRecord {
  const { store, uploads } = deps;
  const { id, state, readAs, history } = upload;
  const checked = history.findLast(({ to }) => to === 'validated');
  if (!checked || state === 'validating' || readAs === 'validated') return toShown(deps, upload, headers);
  store.uploads.put({ ...upload, readAs: 'validated' });
  uploads.poke(id);
  // If it was moved by hand, its present state is intended.
  if (state === 'validated' || history.at(-1)?.by === 'hand') return toShown(deps, upload, headers);
  note(
    `The upload is now ${state}. No client had read that it was validated, and a client may wait for exactly that, so this reply shows the earlier state; the next one shows ${state}.`,
  );
  return toShown(deps, { ...upload, state: 'validated', enteredAt: checked.at, productsProcessed: null }, headers);
}

/** @param headers of the request: the upload link is for its sender */
function toShown({ signUploadUrl }: Deps, upload: Upload, { host }: Reading['headers']): UploadRecord {
  const { id, state, expiresAt, validateOnly, enteredAt, productsProcessed } = upload;
  // Section 3: the result of the check is shown after validation has finished.
  const report = state === 'validating' ? null : upload.report;
  return {
    uploadId: id,
    uploadUrl: signUploadUrl(id, Date.parse(expiresAt), host),
    status: state,
    errors: (report?.issues ?? []).map(({ errorType, errorMessage, lineNum }) => ({
      errorType,
      errorMessage,
      lineNum,
    })),
    expires: expiresAt,
    validateOnly,
    lastUpdated: enteredAt,
    ...(report === null ? {} : { productsReceived: report.lines - (report.blankLines ?? 0) }),
    ...(productsProcessed === null ? {} : { productsProcessed }),
  };
}

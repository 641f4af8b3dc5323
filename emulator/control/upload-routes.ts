import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Catalog } from '../features/catalog/catalog.ts';
import type { Upload } from '../records.ts';
import type { Store } from '../store/store.ts';
import { conflict, notFound } from './problems.ts';
import type { NewUploadView, UploadChangesView, UploadFileView, UploadLineView } from './protocol.ts';
import { toBody, type FileSender } from './send-file.ts';

export interface UploadRoutesDeps {
  readonly store: Store;
  readonly catalog: Pick<Catalog, 'file' | 'line' | 'changes'>;
  readonly sender: FileSender;
  /** The pre-signed URL of an upload. */
  readonly linkOf: (uploadId: string) => string;
}

const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const anything = { type: 'object' } as const;

/** Uploading from the inspector, and looking into uploaded files. `PUT …/file` takes bytes and stands in send-file.ts. */
export function createUploadRoutes({ store, catalog, sender, linkOf }: UploadRoutesDeps): readonly Endpoint[] {
  const find = (id: string): Upload =>
    store.uploads.get(id) ?? notFound(`There is no upload ${id}. GET /control/records/uploads lists them.`);

  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/uploads',
      summary: 'Initiate an upload by a call of the API with a key of the company; the file goes to PUT …/file',
      body: {
        type: 'object',
        required: ['companyId'],
        properties: { companyId: { type: 'string' }, validateOnly: { type: 'boolean', default: true } },
      },
      replies: { 201: anything },
      errors: [400, 404, 409],
      asynchronous: true,
      async handle({ body: { companyId, validateOnly = true }, now }) {
        if (!store.companies.get(companyId))
          return notFound(`There is no company ${companyId}. GET /control/records/companies lists them.`);
        const made: NewUploadView = await sender.initiate(companyId, validateOnly, now);
        return { status: 201, body: { ...made } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/uploads/{id}/again',
      summary: 'Send the file of an upload once more, through a new upload',
      params: byId,
      body: { type: 'object', properties: { validateOnly: { type: 'boolean' } } },
      bodyRequired: false,
      replies: { 201: anything },
      errors: [404, 409],
      asynchronous: true,
      async handle({ params: { id }, body, now }) {
        const upload = find(id);
        const file = catalog.file(id) ?? conflict(`The file of upload ${id} is not kept any more. ${sendAgain}`);
        const made = await sender.initiate(upload.companyId, body.validateOnly ?? upload.validateOnly, now);
        await sender.put(made.id, toBody(file.path), file.bytes);
        return { status: 201, body: { ...made } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/uploads/{id}/file',
      summary: 'The link of an upload, and whether its file is still here',
      params: byId,
      replies: { 200: anything },
      handle({ params: { id } }) {
        const { state, expiresAt } = find(id);
        const view: UploadFileView = {
          uploadUrl: linkOf(id),
          expiresAt,
          takesFile: state === 'initialized',
          kept: catalog.file(id)?.bytes ?? null,
        };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/uploads/{id}/lines/{line}',
      summary: 'One line of an uploaded file, from 1; at most its first megabyte',
      params: {
        type: 'object',
        required: ['id', 'line'],
        properties: { id: { type: 'string' }, line: { type: 'string', pattern: '^[1-9][0-9]{0,5}$', examples: ['1'] } },
      },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ params: { id, line } }) {
        find(id);
        if (catalog.file(id) === null)
          return notFound(`The file of upload ${id} is not kept any more, so its lines cannot be shown. ${sendAgain}`);
        const found =
          (await catalog.line(id, Number(line))) ?? notFound(`The file of upload ${id} has no line ${line}.`);
        const view: UploadLineView = {
          line: Number(line),
          text: found.text,
          bytes: found.bytes,
          faultAt: found.faultAt,
          cut: found.text === null || Buffer.byteLength(found.text) < found.bytes,
        };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/uploads/{id}/changes',
      summary: 'What saving the good lines of an upload would do to the saved products',
      params: byId,
      query: {
        type: 'object',
        properties: {
          offset: { type: 'string', pattern: '^[0-9]{1,6}$', examples: ['0'] },
          limit: { type: 'string', pattern: '^(?:[0-9]{1,2}|[1-4][0-9]{2}|500)$', examples: ['100'] },
        },
      },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ params: { id }, query: { offset = '0', limit = '100' } }) {
        const { report, validateOnly, state } = find(id);
        const view: UploadChangesView = {
          total: validateOnly || state === 'completed' ? 0 : (report?.goodLines ?? 0),
          changes: await catalog.changes(id, { offset: Number(offset), limit: Number(limit) }),
        };
        return { status: 200, body: { ...view } };
      },
    }),
  ];
}

const sendAgain = 'Send it again: the newest 256 MB of checked files are kept.';

import { findCompany } from '../features/accounts/find.ts';
import type { Upload } from '../records.ts';
import { inBody, inPath, noSuch, refuse, type Place } from '../rules.ts';
import type { uploadCalls } from './contract/uploads.ts';
import { withFixedFile } from './server/fixed-file.ts';
import { uploadRules } from './rules/file-rules.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';
import { toBody } from './send-file.ts';

/** The scope that a key needs to initiate an upload. */
const scope = 'product_catalogs:write';

/**
 * Handlers that upload from the inspector, and look into uploaded files. `PUT …/file` takes bytes: see send-file.ts.
 */
export function createUploadHandlers({
  store,
  features: { catalog },
  sender,
  linkOf,
}: HandlerDeps): Handlers<typeof uploadCalls> {
  const find = (id: string): Upload => store.uploads.get(id) ?? noSuch('upload', id);
  /** A valid key of the company that may initiate uploads. */
  const keyOf = (companyId: string, now: number): string | undefined =>
    store.credentials
      .records()
      .find(
        (one) =>
          one.companyId === companyId &&
          one.revokedAt === null &&
          (one.expiresAt === null || Date.parse(one.expiresAt) > now) &&
          one.scopes.includes(scope),
      )?.secret;

  return {
    'POST /control/uploads'({ body: { companyId, validateOnly = true }, now }) {
      const { id } = findCompany(store, companyId, inBody('/companyId'));
      const key = keyOf(id, now) ?? noKey(inBody('/companyId'), companyId);
      return sender.initiate(key, validateOnly);
    },
    async 'POST /control/uploads/{id}/again'({ params: { id }, body, now }) {
      const upload = find(id);
      const kept = catalog.file(id) ?? notKept(id);
      const validateOnly = body.validateOnly ?? upload.validateOnly;
      const key = keyOf(upload.companyId, now) ?? noKey(inPath('id'), id);
      const send = async ({ path, bytes }: { readonly path: string; readonly bytes: number }) => {
        const made = await sender.initiate(key, validateOnly);
        const file = toBody(path);
        // The file closes itself only when it is read to its end, and an upload that is refused early does not do that.
        await sender.put(made.id, file, bytes).finally(() => file.destroy());
        return made;
      };
      if (body.fixed !== true) return send(kept);
      return withFixedFile({ catalog }, id, send);
    },
    'POST /control/uploads/{id}/cancel'({ params: { id } }) {
      find(id);
      if (!catalog.cancelCheck(id)) refuse(uploadRules.notChecking, inPath('id'), id, { uploadId: id });
      return null;
    },
    'GET /control/uploads/{id}/file'({ params: { id } }) {
      const { state, expiresAt } = find(id);
      const kept = catalog.file(id)?.bytes ?? null;
      return { uploadUrl: linkOf(id), expiresAt, takesFile: state === 'initialized', kept };
    },
    async 'GET /control/uploads/{id}/lines/{line}'({ params: { id, line } }) {
      find(id);
      const found = await catalog.line(id, Number(line));
      if (found === null) return catalog.file(id) === null ? notKept(id) : noLine(id, line);
      const { text, bytes, faultAt, fixed } = found;
      const cut = text === null || Buffer.byteLength(text) < bytes;
      return { line: Number(line), text, bytes, faultAt, cut, fixed };
    },
    async 'GET /control/uploads/{id}/xray'({ params: { id } }) {
      if (find(id).report === null) refuse(uploadRules.notChecked, inPath('id'), id, { uploadId: id });
      return (await catalog.xray(id)) ?? notKept(id);
    },
    async 'GET /control/uploads/{id}/changes'({ params: { id }, query: { offset = 0, limit = 100 } }) {
      const { report, validateOnly, state } = find(id);
      const changes = await catalog.changes(id, { offset, limit });
      return { total: validateOnly || state === 'completed' ? 0 : (report?.goodLines ?? 0), changes };
    },
    async 'GET /control/uploads/{id}/issues'({ params: { id }, query: { offset = 0, limit = 100 } }) {
      const { report } = find(id);
      // While a file is being checked, the issues of an earlier check are not its result.
      const kept = report === null ? [] : await catalog.issues(id);
      return {
        checked: report !== null,
        total: report?.issueCount ?? 0,
        kept: kept.length,
        issues: kept.slice(offset, offset + limit),
      };
    },
  };
}

function noKey(place: Place, value: string): never {
  return refuse(uploadRules.noKey, place, value, { scope });
}

function notKept(uploadId: string): never {
  return refuse(uploadRules.notKept, inPath('id'), uploadId, { uploadId });
}

function noLine(uploadId: string, line: string): never {
  return refuse(uploadRules.line, inPath('line'), line, { uploadId, line: Number(line) });
}

import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import type { Middleware } from 'koa';
import type { Catalog } from '../../features/catalog/catalog.ts';
import type { Store } from '../../store/store.ts';
import { inPath, noSuch, refuse } from '../../rules.ts';
import { uploadRules } from '../rules/file-rules.ts';
import { toBody } from '../send-file.ts';

interface FixedFileDeps {
  readonly store: Store;
  readonly catalog: Pick<Catalog, 'fixed'>;
}

interface FixedFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Makes a copy of an uploaded file in which errors with a mechanical fix are fixed, and removes the copy after use.
 * Refused with 409 if the file is not kept, or if nothing can be fixed.
 */
export async function withFixedFile<Result>(
  { catalog }: Pick<FixedFileDeps, 'catalog'>,
  id: string,
  use: (file: FixedFile) => Promise<Result>,
): Promise<Result> {
  const copy = (await catalog.fixed(id)) ?? refuse(uploadRules.notKept, inPath('id'), id, { uploadId: id });
  try {
    if (copy.fixed === 0) refuse(uploadRules.nothingFixed, inPath('id'), id, { uploadId: id });
    return await use({ path: copy.path, bytes: (await stat(copy.path)).size });
  } finally {
    await rm(copy.path, { force: true });
  }
}

/** GET /control/uploads/{id}/fixed: sends the fixed copy as a download. */
export function sendFixedFile({ store, catalog }: FixedFileDeps): Middleware {
  return async (ctx) => {
    const { id = '' } = ctx['params'] as { readonly id?: string };
    if (!store.uploads.get(id)) noSuch('upload', id);
    await withFixedFile({ catalog }, id, async ({ path, bytes }) => {
      const body = toBody(path);
      ctx.attachment(`${id}-fixed.ndjson`);
      ctx.type = 'application/x-ndjson';
      ctx.length = bytes;
      ctx.body = body;
      // The copy may be removed once it is open: a process that has opened it can read on.
      await once(body, 'open');
    });
  };
}

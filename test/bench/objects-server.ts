import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Koa from 'koa';

import { holdContinue } from '../../emulator/net/conversation.ts';
import { presign } from '../../emulator/objects/presign.ts';
import { createObjectRouter } from '../../emulator/objects/router.ts';

/** The messages between the bench and this process. */
export interface ServerUsage {
  readonly cpuMs: number;
  readonly peakRssMb: number;
}

/*
 * The server of the upload bench, run as a child: `bare` is node:http with a pipeline to a file, `sandbox` the object
 * router. Both write to a new folder and overwrite one file. Sends its URL, then its usage in reply to each message.
 */
const kind = process.argv[2];
const folder = await mkdtemp(join(tmpdir(), 'bench-objects-'));
const secret = 'bench';
const key = 'catalog/bench.ndjson';

const bare = createServer((req, res) => {
  pipeline(req, createWriteStream(join(folder, 'file'))).then(
    () => res.end(),
    () => res.destroy(),
  );
});

const app = new Koa();
app.use((ctx, next) => {
  // No refusal is expected here: one ends the bench.
  ctx.state['answerError'] = (error: unknown) => {
    throw error;
  };
  return next();
});
app.use(
  createObjectRouter({
    secret,
    clock: { now: () => 0 },
    blobs: {
      createTemp: () => join(folder, 'temp'),
      keep: (temp, _kind, id) => rename(temp, join(folder, id)),
      path: (_kind, id) => join(folder, id),
      freeBytes: () => 1e12,
    },
    accepts: () => ({ ok: true, kind: 'uploads', id: 'file' }),
    onStored: () => undefined,
  }),
);
const callback = app.callback();
const sandbox = createServer(callback);
holdContinue(sandbox, callback);

const server = kind === 'bare' ? bare : sandbox;
server.listen(0, '127.0.0.1', () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.send?.(presign({ baseUrl, key, method: 'PUT', expiresAt: 1, secret }));
});
process.on('message', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage: ServerUsage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakRssMb: maxRSS / 1024 };
  process.send?.(usage);
});
process.on('disconnect', () => {
  void rm(folder, { recursive: true, force: true }).then(() => process.exit());
});

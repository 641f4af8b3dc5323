import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProductsView } from '../../emulator/control/calls.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { parseOnly, realisticProduct } from './catalog.ts';
import { median, report, startSandpiper, type Server } from './harness.ts';
import { load } from './load.ts';
import { beside } from './neighbour.ts';

/** The limits of section 8: 500,000 lines, 2 GB. */
const PRODUCTS = 500_000;
const FULL_BYTES = 2 * 1024 ** 3;
/** Further attributes of each product, so that the lines almost fill the file. */
const MORE_ATTRIBUTES = 9;

/**
 * A whole catalog of nearly 2 GB, 500,000 products and 1,500,000 variants, sent to the built server as a client sends
 * it, checked and saved; then a restart, paging, searches, a delta of 1,000, and the whole file again under load. Needs
 * 8 GB of disk and some minutes.
 */
export async function benchFullCatalog(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-full-'));
  const data = join(folder, 'data');
  try {
    const path = join(folder, 'catalog.ndjson');
    await pipeline(linesOf(PRODUCTS), createWriteStream(path));
    const { size } = await stat(path);
    if (size > FULL_BYTES) throw new Error(`The file has ${size} bytes, more than 2 GB.`);
    const parse = await timed(() => parseOnly(path));
    console.log(`${size / 1e6} MB, ${PRODUCTS} lines; reading and JSON.parse alone: ${words(parse)}`);

    let server = await startSandpiper({ data, args: ['--pace', 'instant'] });
    const first = await upload(server, path);
    const peak = peakOf(server);
    console.log(`sent ${words(first.sent)}; checked ${words(first.checked)}; saved ${words(first.saved)}`);
    report('check, CPU against reading and JSON.parse alone', parse.cpu / first.checked.cpu, { atLeast: 1.3 });
    report('check and save, wall against the same', (first.checked.wall + first.saved.wall) / parse.wall, {
      atMost: 1.2,
    });
    report('peak memory of the server, MB against 400', peak / 400, { atMost: 1 }, `${peak.toFixed(0)} MB`);
    await server.stop();

    const start = performance.now();
    server = await startSandpiper({ data, args: ['--pace', 'instant'] });
    console.log(`start with the saved catalog: ${(performance.now() - start).toFixed(0)} ms`);
    await look(server);

    const delta = join(folder, 'delta.ndjson');
    await writeFile(delta, `${Array.from({ length: 1_000 }, (_, n) => realisticProduct(n * 400, 3)).join('\n')}\n`);
    const small = await upload(server, delta);
    console.log(`1,000 products: checked ${words(small.checked)}; saved ${words(small.saved)}`);

    const idle = await load(server, { path: '/me', connections: 2, ms: 5_000 });
    const neighbour = await beside('parse a file', path, () =>
      load(server, { path: '/me', connections: 2, ms: 5_000 }),
    );
    const again = upload(server, path);
    const busy: number[] = [];
    const state = { isDone: false };
    void again.finally(() => (state.isDone = true)).catch(() => undefined);
    while (!state.isDone) busy.push((await load(server, { path: '/me', connections: 2, ms: 3_000 })).p99);
    const second = await again;
    console.log(`the whole file again, under load: checked ${words(second.checked)}; saved ${words(second.saved)}`);
    report('p99 of GET /me meanwhile, against idle', median(busy) / idle.p99, { atMost: 2 }, '', {
      limit: `while another process reads and parses the file instead: ${(neighbour.p99 / idle.p99).toFixed(2)}×`,
    });
    console.log(`peak memory of the second server: ${peakOf(server).toFixed(0)} MB`);
    await server.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function* linesOf(products: number): Generator<string> {
  for (let n = 0; n < products; n += 100)
    yield `${Array.from({ length: 100 }, (_, i) => realisticProduct(n + i, MORE_ATTRIBUTES)).join('\n')}\n`;
}

interface Taken {
  /** Milliseconds. */
  readonly wall: number;
  readonly cpu: number;
}

const words = ({ wall, cpu }: Taken): string => `${(wall / 1000).toFixed(1)} s (CPU ${(cpu / 1000).toFixed(1)} s)`;

async function timed(
  work: () => Promise<unknown>,
  cpuMs: () => number = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000,
): Promise<Taken> {
  const [cpu, wall] = [cpuMs(), performance.now()];
  await work();
  return { wall: performance.now() - wall, cpu: cpuMs() - cpu };
}

const headers = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };

/** A complete upload by a client that reads its status twice a second. */
async function upload(
  server: Server,
  path: string,
): Promise<{ readonly sent: Taken; readonly checked: Taken; readonly saved: Taken }> {
  const cpuMs = (): number => server.cpu() * 1000;
  const uploads = `${server.apiUrl}/product-catalog/uploads`;
  const made = await fetch(uploads, { method: 'POST', headers, body: JSON.stringify({ validateOnly: false }) });
  const { uploadId, uploadUrl } = (await made.json()) as { readonly uploadId: string; readonly uploadUrl: string };
  const reaches = async (wanted: readonly string[]): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${uploads}/${uploadId}`, { headers });
      const { status, errors } = (await answer.json()) as {
        readonly status: string;
        readonly errors: readonly object[];
      };
      if (errors.length > 0) throw new Error(`The upload has errors: ${JSON.stringify(errors[0])}`);
      if (wanted.includes(status)) return;
      await wait(500);
    }
  };
  const sent = await timed(() => put(uploadUrl, path), cpuMs);
  const checked = await timed(() => reaches(['validated', 'completed']), cpuMs);
  const saved = await timed(() => reaches(['completed']), cpuMs);
  return { sent, checked, saved };
}

async function put(url: string, path: string): Promise<void> {
  const { size } = await stat(path);
  await new Promise<void>((resolve, reject) => {
    const call = request(url, { method: 'PUT', headers: { 'content-length': size } }, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) answer.once('end', resolve);
      else reject(new Error(`PUT was answered with ${answer.statusCode}`));
    });
    call.once('error', reject);
    pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), call).catch(reject);
  });
}

/** Asks for each page and each search once, and prints how long it takes. */
async function look({ inspectorUrl, token }: Server): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  // The first request of this process loads the client itself.
  await (await fetch(`${inspectorUrl}/control/health`, { headers })).text();
  const asks = {
    'first page': 'limit=50',
    'page in the middle': 'limit=50&offset=250000',
    'an id': 'limit=50&q=gid://shop/Product/7000400000',
    'the id of a variant': 'limit=50&q=gid://shop/ProductVariant/70004000001',
    'a name': `limit=50&q=${encodeURIComponent('été 499999')}`,
    'part of many names': `limit=50&q=${encodeURIComponent('été 4999')}`,
    'what is nowhere': 'limit=50&q=nowhere-at-all',
    'what is everywhere': `limit=50&q=chemise`,
  };
  for (const [what, query] of Object.entries(asks)) {
    const { wall } = await timed(async () => {
      const answer = await fetch(`${inspectorUrl}/control/catalog/${demoCompany}/products?${query}`, { headers });
      const { total } = (await answer.json()) as ProductsView;
      process.stdout.write(`${what}: ${total} found in `);
    });
    console.log(`${wall.toFixed(0)} ms`);
  }
}

/** The most resident memory of the server so far, in MB. */
function peakOf({ process: { pid } }: Server): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

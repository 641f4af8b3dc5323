import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { realisticProduct } from './catalog.ts';
import { median, report, startSandpiper, type Server } from './harness.ts';

const rounds = 30;
const headers = { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' };

/** Sends one product and waits until it is saved, as the test of an app does. */
async function upload({ apiUrl }: Server, n: number): Promise<void> {
  const uploads = `${apiUrl}/product-catalog/uploads`;
  const begun = await fetch(uploads, { method: 'POST', headers, body: '{"validateOnly":false}' });
  const { uploadId, uploadUrl } = (await begun.json()) as { readonly uploadId: string; readonly uploadUrl: string };
  const sent = await fetch(uploadUrl, { method: 'PUT', body: `${realisticProduct(n)}\n` });
  if (!sent.ok) throw new Error(`The file was refused with ${sent.status}.`);
  for (;;) {
    const { status } = (await (await fetch(`${uploads}/${uploadId}`, { headers })).json()) as {
      readonly status: string;
    };
    if (status === 'completed') return;
    await pause(1);
  }
}

/** Starts a thread that does nothing, and waits for its end. */
async function startThread(): Promise<void> {
  await once(new Worker('', { eval: true }), 'exit');
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Files of one product, one after the other, each checked and saved, against the start of an empty thread in the same run. */
export async function benchUploads(): Promise<void> {
  const server = await startSandpiper({ args: ['--pace', 'instant'] });
  try {
    const first = await timeOf(() => upload(server, 0));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      ours.push(await timeOf(() => upload(server, round)));
      theirs.push(await timeOf(startThread));
    }
    report(
      'an upload of one product, checked and saved, against the start of an empty thread',
      median(ours) / median(theirs),
      { atMost: 2 },
      `${median(ours).toFixed(0)} ms, the first ${first.toFixed(0)} ms; an empty thread ${median(theirs).toFixed(0)} ms`,
    );
  } finally {
    await server.stop();
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openStore } from '../../emulator/store/store.ts';
import { eventBody } from './api.ts';
import { median, paired, report, reportMost, startBaseline, startSandpiper } from './harness.ts';
import { load } from './load.ts';
import { beside } from './neighbour.ts';

const at = '2026-11-20T14:38:29.000Z';
/** A stored event; 100,000 of them are saved. */
export const event = (n: number) => ({
  id: `event-${n}`,
  companyId: 'MDg6Q29tcGFueTI',
  userId: `user-${n % 1000}`,
  kind: 'custom' as const,
  type: 'Order Shipped',
  externalEventId: `id-${n}`,
  occurredAt: at,
  receivedAt: at,
  startsJourneys: true,
  body: { properties: { carrier: 'fedex', tracking: String(n) } },
});

function folderWith(records: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  const lines = Array.from(
    { length: records },
    (_line, n) => `${JSON.stringify({ n: n + 1, put: { events: [event(n)] } })}\n`,
  );
  writeFileSync(join(folder, 'journal-1.ndjson'), lines.join(''));
  return folder;
}

/** Measures the cost of a request with 100,000 records stored against 100. */
export async function benchGrowth(): Promise<void> {
  const folders = [folderWith(100), folderWith(100_000)] as const;
  const [few, many] = await Promise.all(folders.map((data) => startSandpiper({ data })));
  if (!few || !many) throw new Error('The servers did not start.');
  try {
    const result = await paired(many, few, {
      path: '/events/custom',
      method: 'POST',
      bodies: [eventBody],
      expect: 200,
    });
    report(
      'POST /events/custom: CPU with 100,000 records stored against 100',
      result.cpu,
      { atMost: 1.1 },
      result.text,
      { limit: 'nothing grows 1×', peer: 'lowdb alone, over 200×' },
    );
  } finally {
    await Promise.all([few.stop(), many.stop()]);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures the effect of a snapshot of 100,000 records on the event loop, and on requests. */
export async function benchSnapshot(): Promise<void> {
  const folder = folderWith(100_000);
  const store = await openStore({ dataDir: folder, now: () => 1_795_000_000_000 });
  const delays: number[] = [];
  for (let round = 0; round < 5; round++) {
    store.transact(() => store.events.put(event(round)));
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await store.snapshot();
    delay.disable();
    delays.push(delay.max / 1e6);
  }
  await store.close();
  const longest = Math.max(...delays);
  const blocked = 'longest event-loop block while 100,000 records are saved';
  reportMost(blocked, longest, 50, 'ms', `median ${median(delays).toFixed(1)} ms`);

  const elsewhere = folderWith(100_000);
  const ours = await startSandpiper({ data: folder });
  const bare = await startBaseline();
  try {
    const input = { path: '/events/custom', method: 'POST', bodies: [eventBody], expect: 200, ms: 4000 } as const;
    for (const server of [ours, bare]) await load(server, input);
    const ratios: number[] = [];
    const ofMachine: number[] = [];
    for (let round = 0; round < 5; round++) {
      const base = await load(bare, input);
      const saving = save(ours.inspectorUrl, ours.token);
      const measured = await load(ours, input);
      await saving.stop();
      ratios.push(measured.p99 / base.p99);
      const neighbour = await beside('save a state', elsewhere, () => load(bare, input));
      ofMachine.push(neighbour.p99 / base.p99);
    }
    const times = (values: readonly number[]): string => values.map((value) => `${value.toFixed(2)}×`).join(', ');
    report(
      'p99 of POST /events/custom while 100,000 records are saved over and over, against B0',
      median(ratios),
      { atMost: 1.5 },
      times(ratios),
      { limit: `B0 itself, while another process saves as many: ${times(ofMachine)}` },
    );
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
    for (const one of [folder, elsewhere]) rmSync(one, { recursive: true, force: true });
  }
}

/** Saves the state repeatedly until it is stopped. */
function save(url: string, token: string): { stop(): Promise<void> } {
  const state = { over: false };
  const running = (async () => {
    while (!state.over) {
      const answer = await fetch(`${url}/control/save`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      if (!answer.ok) throw new Error(`POST /control/save answered ${answer.status}.`);
    }
  })();
  return {
    stop() {
      state.over = true;
      return running;
    },
  };
}

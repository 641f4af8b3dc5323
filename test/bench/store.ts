import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { openStore, type Store } from '../../emulator/store/store.ts';
import { median } from './harness.ts';

const at = '2026-11-20T14:38:29.000Z';
const now = (): number => Date.parse(at);
const event = (n: number) => ({
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

/** The store by itself, without HTTP: what a line, a put, a replay and a save cost. */
export async function benchStore(): Promise<void> {
  const stringify = perCall(20_000, (n) => JSON.stringify({ n, put: { events: [event(n)] } }));
  const line = await withStore(0, (store) => perCall(20_000, (n) => store.transact(() => store.events.put(event(n)))));
  show('journal line: a transaction of one record', line, 10, 'µs', `${stringify.toFixed(1)} µs of it JSON.stringify`);

  const few = await withStore(100, putAnother);
  const many = await withStore(100_000, putAnother);
  const costs = `${many.toFixed(1)} µs against ${few.toFixed(1)} µs`;
  show('put with 100,000 records stored against 100', many / few, 1.2, '×', costs);

  const replays: number[] = [];
  const blocks: number[] = [];
  const saves: number[] = [];
  for (let round = 0; round < 5; round++) {
    await withStore(100_000, async (store, openMs) => {
      replays.push(openMs);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const saving = performance.now();
      await store.snapshot();
      saves.push(performance.now() - saving);
      delay.disable();
      blocks.push(delay.max / 1e6);
    });
  }
  show('replay of 100,000 lines', median(replays), 700, 'ms', `${worst(replays)} at worst`);
  show(
    'longest event-loop block while 100,000 records are saved',
    median(blocks),
    10,
    'ms',
    `${worst(blocks)} at worst`,
  );
  console.log(`        ${median(saves).toFixed(0)} ms  a save of 100,000 records`);
}

const putAnother = (store: Store): number =>
  perCall(20_000, (n) => store.transact(() => store.events.put(event(1_000_000 + n))));

/** Opens a store whose journal holds so many records, for as long as the work takes. */
async function withStore<R>(records: number, work: (store: Store, openMs: number) => R | Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  try {
    if (records > 0) {
      const lines = Array.from({ length: records }, (_line, n) => JSON.stringify({ n, put: { events: [event(n)] } }));
      writeFileSync(join(folder, 'journal-1.ndjson'), `${lines.join('\n')}\n`);
    }
    // No save of its own: it would be measured with the puts.
    const started = performance.now();
    const store = await openStore({ dataDir: folder, now, snapshotAfterLines: Infinity });
    const result = await work(store, performance.now() - started);
    await store.close();
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Microseconds a call: the median of ten rounds. */
function perCall(calls: number, work: (n: number) => unknown): number {
  const rounds: number[] = [];
  for (let round = 0; round < 10; round++) {
    const started = performance.now();
    for (let n = 0; n < calls / 10; n++) work((round * calls) / 10 + n);
    rounds.push(((performance.now() - started) * 1000) / (calls / 10));
  }
  return median(rounds);
}

function worst(values: readonly number[]): string {
  return `${Math.max(...values).toFixed(1)} ms`;
}

function show(what: string, value: number, aim: number, unit: string, more: string): void {
  const met = value <= aim ? 'met   ' : 'MISSED';
  console.log(`${met}  ${value.toFixed(1).padStart(6)} ${unit}  (aim ≤ ${aim} ${unit})  ${what}  [${more}]`);
}

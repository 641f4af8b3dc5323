/**
 * Opens the store of a folder and changes it without end, a line on stdout for each change that was acknowledged.
 * `count`: records 0, 1, 2 …, and the newest number in `last`, in the same transaction. `replace`: everything is
 * replaced, generation after generation, while records are added to the current one.
 */
import { setImmediate } from 'node:timers/promises';
import { openStore } from '../../emulator/store/store.ts';

const [folder = '', mode = ''] = process.argv.slice(2);
const store = await openStore({ dataDir: folder, now: () => 1_795_185_509_000 });
const put = (id: string, value: unknown): void => void store.settings.put({ id, value });
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (mode === 'count') {
  const padding = 'x'.repeat(500);
  for (let n = Number(store.settings.get('last')?.value ?? -1) + 1; ; n++) {
    store.transact(() => {
      store.nextNumber();
      put(String(n), padding);
      put('last', n);
    });
    say(String(n));
    // Far more often than it saves by itself.
    if (n % 40 === 0) void store.snapshot();
    if (n % 4 === 0) await setImmediate();
  }
}

for (let generation = Number(store.settings.get('generation')?.value ?? 0) + 1; ; generation++) {
  const records = Array.from({ length: 400 }, (_record, n) => ({
    id: `of ${generation}, first ${n}`,
    value: generation,
  }));
  const replacing = store.replace({
    format: 2,
    sequence: generation,
    collections: { settings: [{ id: 'generation', value: generation }, ...records] },
  });
  let done = false;
  const tell = async (): Promise<void> => {
    await replacing;
    done = true;
    say(`replaced ${generation}`);
  };
  const told = tell();
  for (let n = 0, after = 0; after < 20; n++) {
    const inForce = Number(store.settings.get('generation')?.value ?? 0);
    store.transact(() => put(`of ${inForce}, added ${generation}.${n}`, inForce));
    say(`added ${inForce} ${generation}.${n}`);
    if (n % 40 === 39) void store.snapshot();
    if (done) after += 1;
    await setImmediate();
  }
  await told;
}

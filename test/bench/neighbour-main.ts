/** The process of neighbour.ts. */
import { openStore } from '../../emulator/store/store.ts';
import { parseOnly } from './catalog.ts';
import { event } from './growth.ts';
import type { Neighbour } from './neighbour.ts';

const [work, path] = process.argv.slice(2) as [Neighbour, string];
const works: Readonly<Record<Neighbour, () => Promise<() => Promise<unknown>>>> = {
  'parse a file': () => Promise.resolve(() => parseOnly(path)),
  'save a state': async () => {
    const store = await openStore({ dataDir: path, now: () => 1_795_000_000_000 });
    let n = 0;
    return () => {
      // Without a change nothing would be saved.
      store.transact(() => store.events.put(event(n++)));
      return store.snapshot();
    };
  },
};

const step = await works[work]();
process.stdout.write('working\n');
for (;;) await step();

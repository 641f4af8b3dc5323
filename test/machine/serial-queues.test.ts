import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createSerialQueues } from '../../emulator/machine/serial-queues.ts';

interface Work {
  run(): Promise<void>;
  end(): void;
}

/** Work that ends on command, and notes that it began. */
function toWork(log: string[], name: string): Work {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return {
    run() {
      log.push(name);
      return promise;
    },
    end: () => resolve(),
  };
}

test('work with the same key runs in sequence, with another key in parallel', async () => {
  const log: string[] = [];
  const queues = createSerialQueues();
  const [first, second, other] = ['first', 'second', 'other'].map((name) => toWork(log, name)) as [Work, Work, Work];
  const done = [queues.run('a', first.run), queues.run('a', second.run), queues.run('b', other.run)];
  await nextTurn();
  expect(log).toEqual(['first', 'other']);
  first.end();
  await nextTurn();
  expect(log).toEqual(['first', 'other', 'second']);
  second.end();
  other.end();
  await Promise.all(done);
});

test('failed work rejects for its caller, and the next work runs', async () => {
  const queues = createSerialQueues();
  const log: string[] = [];
  const failing = queues.run('a', () => Promise.reject(new Error('no')));
  const next = toWork(log, 'next');
  next.end();
  const taken = queues.run('a', next.run);
  await expect(failing).rejects.toThrow('no');
  await taken;
  expect(log).toEqual(['next']);
});

test('a stop waits for started work, drops the rest, and accepts new work', async () => {
  const log: string[] = [];
  const queues = createSerialQueues();
  const [begun, waiting, later] = ['begun', 'waiting', 'later'].map((name) => toWork(log, name)) as [Work, Work, Work];
  void queues.run('a', begun.run);
  const dropped = queues.run('a', waiting.run);
  await nextTurn();
  let stopped = false;
  const stop = queues.stop().then(() => (stopped = true));
  await nextTurn();
  expect(stopped).toBe(false);
  begun.end();
  await stop;
  await dropped;
  later.end();
  await queues.run('a', later.run);
  expect(log).toEqual(['begun', 'later']);
});

test('a queue whose work is done takes no memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const queues = createSerialQueues();
  const usedAfter = async (names: number): Promise<number> => {
    for (let name = 0; name < names; name += 1) await queues.run(`upload-${name}`, () => Promise.resolve());
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await usedAfter(1);
  expect((await usedAfter(100_000)) - before).toBeLessThan(2_000_000);
});

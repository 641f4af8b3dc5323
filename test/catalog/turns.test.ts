import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from '../../emulator/features/catalog/turns.ts';

interface Work {
  run(): Promise<void>;
  end(): void;
}

/** Work that ends when it is told to, and writes down that it began. */
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

test('work under one key goes one after the other, under another key at the same time', async () => {
  const log: string[] = [];
  const turns = createTurns();
  const [first, second, other] = ['first', 'second', 'other'].map((name) => toWork(log, name)) as [Work, Work, Work];
  const done = [turns.take('a', first.run), turns.take('a', second.run), turns.take('b', other.run)];
  await nextTurn();
  expect(log).toEqual(['first', 'other']);
  first.end();
  await nextTurn();
  expect(log).toEqual(['first', 'other', 'second']);
  second.end();
  other.end();
  await Promise.all(done);
});

test('work that fails is told to who asked for it, and the next goes on', async () => {
  const turns = createTurns();
  const log: string[] = [];
  const failing = turns.take('a', () => Promise.reject(new Error('no')));
  const next = toWork(log, 'next');
  next.end();
  const taken = turns.take('a', next.run);
  await expect(failing).rejects.toThrow('no');
  await taken;
  expect(log).toEqual(['next']);
});

test('a stop waits for what has begun, drops what has not, and takes new work', async () => {
  const log: string[] = [];
  const turns = createTurns();
  const [begun, waiting, later] = ['begun', 'waiting', 'later'].map((name) => toWork(log, name)) as [Work, Work, Work];
  void turns.take('a', begun.run);
  const dropped = turns.take('a', waiting.run);
  await nextTurn();
  let stopped = false;
  const stop = turns.stop().then(() => (stopped = true));
  await nextTurn();
  expect(stopped).toBe(false);
  begun.end();
  await stop;
  await dropped;
  later.end();
  await turns.take('a', later.run);
  expect(log).toEqual(['begun', 'later']);
});

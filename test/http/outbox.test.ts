import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOutbox } from '../../emulator/http/outbox.ts';

test('the answer to a request that is alone in its turn leaves at once', async () => {
  const outbox = createOutbox();
  for (let request = 0; request < 3; request++) {
    outbox.arrive();
    expect(outbox.leaving()).toBeNull();
    await setImmediate();
  }
});

test('answers to requests of one turn leave together at its end, and later ones do not wait for the next', async () => {
  const outbox = createOutbox();
  const left: string[] = [];
  const answer = async (name: string): Promise<void> => {
    await outbox.leaving();
    left.push(name);
  };
  outbox.arrive();
  outbox.arrive();
  const answers = [answer('one'), answer('other')];
  expect(left).toEqual([]);
  await Promise.all(answers);
  expect(left).toEqual(['one', 'other']);
  expect(outbox.leaving()).toBeNull();
});

test('after a turn with several requests, the first of the next turn waits for others', async () => {
  const outbox = createOutbox();
  outbox.arrive();
  outbox.arrive();
  await outbox.leaving();
  outbox.arrive();
  expect(outbox.leaving()).not.toBeNull();
});

import { expect, test } from 'vitest';
import { createOwnErrors } from '../../emulator/control/server/own-errors.ts';
import { StoreError } from '../../emulator/store/store.ts';

test('a refusal of the disk is told once a minute, and is not an internal error to report', async () => {
  let wall = Date.now();
  const notices: string[] = [];
  const errors = createOwnErrors({
    clock: { now: () => wall, wall: () => wall },
    feed: { publish: () => {} },
    onNotice: (text) => notices.push(text),
  });
  const refuse = (says: string): void => errors.tell(new StoreError('write-failed', says));
  const told = 'The disk is full. What Sandpiper does by itself is tried again each second.';
  for (let n = 0; n < 3; n++) refuse('The disk is full.');
  expect(notices).toEqual([told]);
  for (let n = 0; n < 3; n++) {
    refuse('The disk can only be read.');
    refuse('The disk is full.');
  }
  expect(notices).toHaveLength(2);
  wall += 60_000;
  refuse('The disk can only be read.');
  expect(notices).toHaveLength(3);
  expect(errors.all()).toEqual([]);
  await errors.expectNone();
});

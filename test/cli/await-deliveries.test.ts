import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { awaitDeliveries, isTried } from '../../emulator/commands/await-deliveries.ts';
import type { DeliveryDetailView, StreamMessage } from '../../emulator/control/calls.ts';
import type { ControlClient } from '../../emulator/control/client/control-client.ts';
import { UserError } from '../../emulator/errors.ts';

const sent = { id: 'dlv_1', eventId: 'evt_1', createdAt: '2026-11-28T12:00:00.000Z' };

/** A server whose receiver has not answered yet. */
function waitingFor(
  stream: (signal: AbortSignal) => AsyncGenerator<StreamMessage>,
  call = async (): Promise<unknown> => ({ ...sent, state: 'delivering' }) as Partial<DeliveryDetailView>,
): ControlClient {
  return { page: 'http://127.0.0.1:4748', call, stream } as unknown as ControlClient;
}

test.for([
  ['after it said so', [{ type: 'end' }], 'The Sandpiper at http://127.0.0.1:4748 has ended.'],
  ['without a word', [], 'The connection to the Sandpiper at http://127.0.0.1:4748 was lost.'],
] as const)('waiting for a receiver fails where the server ends %s', async ([, messages, says]) => {
  const client = waitingFor(async function* () {
    yield* messages as unknown as readonly StreamMessage[];
  });
  await expect(awaitDeliveries(client, [sent], { isOver: isTried })).rejects.toThrow(new UserError(says));
});

test('after the time that it has, waiting gives what is not over as it is', async () => {
  // oxlint-disable-next-line require-yield -- nothing comes
  const client = waitingFor(async function* (signal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  expect(await awaitDeliveries(client, [sent], { isOver: isTried, mostMs: 20 })).toMatchObject([
    { state: 'delivering' },
  ]);
});

test('a stream and a state that cannot be read are one failure, and none is left unhandled', async () => {
  const unhandled: unknown[] = [];
  const hear = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', hear);
  try {
    const gone = new UserError('No Sandpiper answers.');
    const client = waitingFor(
      // oxlint-disable-next-line require-yield -- it fails first
      async function* () {
        throw gone;
      },
      async () => {
        await wait(5);
        throw gone;
      },
    );
    await expect(awaitDeliveries(client, [sent], { isOver: isTried })).rejects.toBe(gone);
    await wait(5);
  } finally {
    process.off('unhandledRejection', hear);
  }
  expect(unhandled).toEqual([]);
});

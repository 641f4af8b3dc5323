import { expect, onTestFinished, test } from 'vitest';
import { follow } from '../../emulator/commands/follow.ts';
import type { StreamMessage } from '../../emulator/control/calls.ts';
import type { ControlClient } from '../../emulator/control/client/control-client.ts';
import { UserError } from '../../emulator/errors.ts';
import { startSandbox } from '../support/sandbox.ts';

const jump = { type: 'time' } as unknown as StreamMessage;

function clientOf(...messages: readonly StreamMessage[]): ControlClient {
  async function* stream(): AsyncGenerator<StreamMessage> {
    yield* messages;
  }
  return { page: 'http://127.0.0.1:4748', stream } as unknown as ControlClient;
}

test('a command that follows a server ends with why it missed something, as soon as the server answers again', async () => {
  const failing = [true, false, false];
  const heard: number[] = [];
  const following = follow(clientOf(jump, jump, jump), new AbortController().signal, () => {
    if (failing[heard.push(heard.length) - 1]) return Promise.reject(new UserError('It did not answer in time.'));
    return Promise.resolve();
  });
  await expect(following).rejects.toThrow('It did not answer in time.');
  expect(heard).toHaveLength(2);
});

test('what could not be asked while the server ended is not a failure', async () => {
  const end: StreamMessage = { type: 'end' };
  const signal = new AbortController().signal;
  const hear = ({ type }: StreamMessage) =>
    type === 'end' ? Promise.resolve() : Promise.reject(new UserError('No Sandpiper answers.'));
  expect(await follow(clientOf(jump, jump, end), signal, hear)).toBe(true);
});

test('the stream of a server that ends is a whole reply, whose last message says so', async () => {
  const { emulator } = await startSandbox();
  const stream = await fetch(`${emulator.inspectorUrl}/control/stream`, {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  const read = stream.text();
  await emulator.close();
  expect(await read).toMatch(/data: \{"type":"end"\}\n\n$/);
});

test('a server that has said its end opens no stream, although it still answers', async () => {
  const { emulator, control, close } = await startSandbox();
  onTestFinished(close);
  emulator.deps.feed.publish({ type: 'end' });
  const headers = { authorization: `Bearer ${emulator.token}` };
  await expect(fetch(`${emulator.inspectorUrl}/control/stream`, { headers })).rejects.toThrow('fetch failed');
  expect((await control('GET', '/control/health')).status).toBe(200);
});

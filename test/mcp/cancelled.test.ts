import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, onTestFinished, test } from 'vitest';
import { createMcpServer } from '../../emulator/commands/mcp/server.ts';
import { createControlClient } from '../../emulator/control/client.ts';
import type { ClockView } from '../../emulator/control/calls.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, opened } from '../support/world.ts';

/** An agent whose tools work on a sandbox. */
async function agentOf({ emulator }: Sandbox): Promise<Client> {
  const { inspectorUrl: url, token } = emulator;
  const server = createMcpServer({ connect: () => createControlClient({ url, token }), version: '1' });
  const agent = new Client({ name: 'test', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), agent.connect(near)]);
  onTestFinished(() => agent.close());
  return agent;
}

const clockOf = (sandbox: Sandbox) => act<ClockView>(sandbox, 'GET', '/control/clock');

test('an advance that an agent cancels stops at the time that it has reached', async () => {
  const sandbox = await opened();
  const agent = await agentOf(sandbox);
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const { clock } = sandbox.emulator.deps;
  const reached = clock.now() + 3_600_000;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  onTestFinished(() => release());
  clock.at('slow', reached, 'something slow', () => released);
  clock.at('later', reached + 3_600_000, 'something later', () => {});
  const changed = new AbortController();
  const advance = { name: 'time', arguments: { advance: '30d' } };
  const cancelled = agent
    .callTool(advance, undefined, { signal: changed.signal })
    .catch((error: Error) => error.message);
  await expect.poll(async () => (await clockOf(sandbox)).now).toBe(new Date(reached).toISOString());
  changed.abort('No longer needed');
  expect(await cancelled).toContain('No longer needed');
  await expect.poll(async () => (await clockOf(sandbox)).jump).toBe(null);
  expect((await clockOf(sandbox)).now).toBe(new Date(reached).toISOString());
});

test('a call that is cancelled before it begins changes nothing', async () => {
  const sandbox = await opened();
  const agent = await agentOf(sandbox);
  const { now } = await act<ClockView>(sandbox, 'POST', '/control/clock', { freeze: true });
  const changed = new AbortController();
  const advance = { name: 'time', arguments: { advance: '30d' } };
  const cancelled = agent
    .callTool(advance, undefined, { signal: changed.signal })
    .catch((error: Error) => error.message);
  changed.abort('No longer needed');
  expect(await cancelled).toContain('No longer needed');
  await agent.callTool({ name: 'time', arguments: {} });
  expect((await clockOf(sandbox)).now).toBe(now);
});

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, onTestFinished, test } from 'vitest';
import { createMcpServer } from '../../emulator/commands/mcp/server.ts';
import { createControlClient, type ControlClient } from '../../emulator/control/client/control-client.ts';
import type { ClockChangeView, ClockView } from '../../emulator/control/calls.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, opened } from '../support/world.ts';

/** An agent whose tools work on a sandbox. @param asked gets what is asked of the clock */
async function agentOf({ emulator }: Sandbox, asked: string[] = []): Promise<Client> {
  const { inspectorUrl: url, token } = emulator;
  const connect = (): ControlClient => {
    const client = createControlClient({ url, token });
    return {
      ...client,
      answer(...request) {
        asked.push('advance');
        return client.answer(...request);
      },
      async call(...request) {
        asked.push('stop');
        return await client.call(...request).finally(() => asked.push('stop answered'));
      },
    };
  };
  const server = createMcpServer({ connect, version: '1' });
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

test('an agent that cancels its advance stops no other one', async () => {
  const sandbox = await opened();
  const asked: string[] = [];
  const agent = await agentOf(sandbox, asked);
  const { now } = await act<ClockView>(sandbox, 'POST', '/control/clock', { freeze: true });
  const { clock } = sandbox.emulator.deps;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  onTestFinished(() => release());
  clock.at('slow', Date.parse(now) + 3_600_000, 'something slow', () => released);
  const other = act<ClockChangeView>(sandbox, 'POST', '/control/clock', { advance: '1d' });
  await expect.poll(async () => (await clockOf(sandbox)).jump).not.toBe(null);
  const changed = new AbortController();
  const advance = { name: 'time', arguments: { advance: '30d' } };
  const sent = agent.callTool(advance, undefined, { signal: changed.signal }).catch((error: Error) => error.message);
  await expect.poll(() => asked).toEqual(['advance']);
  changed.abort('No longer needed');
  expect(await sent).toContain('No longer needed');
  await expect.poll(() => asked).toEqual(['advance', 'stop', 'stop answered']);
  release();
  expect(await other).toMatchObject({ stopped: false, now: new Date(Date.parse(now) + 86_400_000).toISOString() });
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

import { expect, test } from 'vitest';
import type { FaultsView, LimitsView, SettingsView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox({ record: { exchanges: 123, bytes: 456_000, days: 7 }, allowHosts: ['sandpiper.test'] });

const settings = async (): Promise<SettingsView> => (await sandbox.control('GET', '/control/settings')).body;

test('the settings show how the emulator was started, with its real ports', async () => {
  const { start } = await settings();
  expect(start).toEqual({
    port: Number(new URL(sandbox.emulator.authUrl).port),
    inspectorPort: Number(new URL(sandbox.emulator.inspectorUrl).port),
    host: '127.0.0.1',
    allowHosts: ['sandpiper.test'],
    publicUrl: null,
    publicInspectorUrl: null,
    dataDir: null,
    seed: null,
    world: null,
    pace: 'instant',
    rateLimits: 'off',
    choices: { unknownFields: 'note', unknownUnsubscribe: 'refuse', answers: 'helpful' },
    record: { exchanges: 123, bytes: 456_000, days: 7 },
  });
});

test('the settings show which clock webhooks use, as last chosen', async () => {
  expect((await settings()).webhookTime).toBe('wall');
  await sandbox.control('POST', '/control/webhook-time', { time: 'virtual' });
  expect((await settings()).webhookTime).toBe('virtual');
});

test('the settings show how long codes, links and retries last', async () => {
  const { spans, delivery } = await settings();
  expect(spans.authorizationCodeMs).toBe(2 * 60_000);
  expect(delivery.retryForMs).toBe(72 * 3_600_000);
});

test('the faults list every possible operation, including the upload and the install page', async () => {
  const { operations } = (await sandbox.control('GET', '/control/faults')).body as FaultsView;
  expect(operations).toEqual(
    expect.arrayContaining(['GET /me', 'PUT /object-storage/{key}', 'GET /integrations/oauth-install']),
  );
});

test('the limits name their rule, and the source of its numbers', async () => {
  const { rule } = (await sandbox.control('GET', '/control/limits')).body as LimitsView;
  expect(rule).toMatchObject({ id: 'limits.rate', section: '7', provenance: 'observed' });
});

test('a field that a call does not have is refused, and the fix leaves out the one whose right name is there too', async () => {
  const { status, body } = await sandbox.control('POST', '/control/limits', { mode: 'real', mod: 'off' });
  expect([status, body]).toMatchObject([
    400,
    {
      message: 'There is no mod in this call. It takes mode.',
      refusal: { fix: { edits: [{ op: 'remove', place: { in: 'body', at: '/mod' } }] } },
    },
  ]);
});

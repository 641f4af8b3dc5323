/** A webhook at an address to which nothing is sent is made, as on the platform, and its request says so. */
import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
const events = ['sms.subscribed'];

test.for([
  ['http://169.254.169.254/hooks', /^Nothing will be delivered to this webhook: 169\.254\.169\.254 is a link-local/],
  [
    'http://10.0.0.5/hooks',
    /: 10\.0\.0\.5 is outside of this machine.*Allow it with reach "private", under Webhooks in the inspector or in the control API\.$/,
  ],
  ['http://[2606:4700::1111]/hooks', /Allow it with reach "public", under Webhooks/],
] as const)('the request that makes a webhook at %s has a note that nothing will be sent', async ([url, note]) => {
  const made = await sandbox.call('POST', '/webhooks', { json: { url, events } });
  expect(made.status).toBe(201);
  expect((await made.exchange()).notes).toEqual([expect.stringMatching(note)]);
});

test('a webhook at a port of Sandpiper has such a note, and one at this machine or at a name has none', async () => {
  const notesOf = async (url: string): Promise<readonly string[]> =>
    (await (await sandbox.call('POST', '/webhooks', { json: { url, events } })).exchange()).notes;
  expect(await notesOf(sandbox.emulator.apiUrl)).toEqual([expect.stringContaining("is Sandpiper's own")]);
  for (const url of ['http://localhost:3000/hooks', 'http://[::1]:3000/', 'https://hooks.example.com/'])
    expect(await notesOf(url), url).toEqual([]);
});

test('a change of its address to such a place has the note, too', async () => {
  const { body } = await sandbox.call('POST', '/webhooks', { json: { url: 'http://localhost:3000/', events } });
  const { id } = body as { readonly id: string };
  const changed = await sandbox.call('PUT', `/webhooks/${id}`, { json: { url: 'http://192.168.0.7/', events } });
  expect((await changed.exchange()).notes).toEqual([expect.stringContaining('192.168.0.7 is outside of this machine')]);
});

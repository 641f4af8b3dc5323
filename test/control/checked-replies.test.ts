/** A reply outside its contract is an internal error, wherever in the test run it happens, and fails the test. */
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { checkMessage } from '../../emulator/control/server/stream.ts';
import { defaultOptions } from '../../emulator/options.ts';
import { refuse, inPath, rule } from '../../emulator/rules.ts';
import { startSandbox } from '../support/sandbox.ts';
import { expectNoneTold, hearErrors } from '../support/told-errors.ts';

/** A sandbox whose `GET /me` is handled in another way. */
async function withMe(handle: () => unknown) {
  const sandbox = await startSandbox();
  const operation = sandbox.emulator.operations.find(({ method, path }) => method === 'GET' && path === '/me');
  if (!operation) throw new Error('There is no GET /me.');
  const { handle: usual } = operation;
  // Operations are the same values in all emulators of a process.
  onTestFinished(() => void Object.assign(operation, { handle: usual }));
  Object.assign(operation, { handle });
  const ask = () => fetch(`${sandbox.emulator.apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
  return { ask, ...sandbox };
}

test('every server of the test run checks what it replies, unless a test asks it not to', () => {
  expect(defaultOptions.checkReplies).toBe(true);
});

test('after a reply of the API outside its contract the end of the server throws, and names the misfit', async () => {
  const { ask, close } = await withMe(() => ({ status: 200, body: { companyName: 5 } }));
  expect((await ask()).status).toBe(500);
  await expect(close()).rejects.toThrow(/GET \/me replied outside its contract at \/\w+: must .*/);
});

test('so it does after a refusal with a status that the contract does not name', async () => {
  const teapot = rule({
    id: 'request.unknown-path',
    status: 418,
    section: '4',
    provenance: 'observed',
    says: 'Tea is made elsewhere.',
    message: () => 'This is not tea.',
    fix: () => ({ say: 'Ask elsewhere.', edits: [] }),
  });
  const { ask, close } = await withMe(() => refuse(teapot, inPath(''), undefined, undefined));
  expect((await ask()).status).toBe(500);
  await expect(close()).rejects.toThrow('GET /me refused with 418');
});

test('so it does after a reply of the control API', async () => {
  const sandbox = await startSandbox();
  const { emulator } = sandbox;
  Object.assign(emulator.deps.urls, { auth: 5 });
  const answer = await fetch(`${emulator.inspectorUrl}/control/health`, {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  expect(answer.status).toBe(500);
  await expect(sandbox.close()).rejects.toThrow(
    /GET \/control\/health replied outside its contract at \/authUrl: must be string, not 5/,
  );
});

test('a message of the stream outside its contract is named by its type, with what was expected', async () => {
  await checkMessage({ type: 'changes', changes: [{ kind: 'webhooks', id: 'wh_1' }] });
  await expect(checkMessage({ type: 'changes', changes: [{ kind: 'webhooks', id: 5 }] })).rejects.toThrow(
    'The message "changes" of the stream is outside the contract at /changes/0/id: must be string, not 5.',
  );
  await expect(checkMessage({ type: 'progress', work: 'sleep' })).rejects.toThrow('The message "progress"');
  await expect(checkMessage({ type: 'tide' })).rejects.toThrow('The contract has no message "tide" of the stream.');
});

test('an internal error that a started process tells of fails the test', async () => {
  const stderr = Readable.from([
    'Ready.\nInternal error of ',
    'Sandpiper, please report it: Error: The tide ',
    'turned.',
  ]);
  hearErrors(stderr);
  await new Promise((resolve) => stderr.once('end', resolve));
  expect(expectNoneTold).toThrow('The tide turned.');
  expectNoneTold();
});

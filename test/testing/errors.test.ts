import { createServer } from 'node:http';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ControlRefusal, createSandbox, UserError, type Sandbox, type SandboxReceiver } from 'sandpiper/testing';
import { listen } from '../../emulator/net/listen.ts';

let sandbox: Sandbox;
let receiver: SandboxReceiver;
beforeAll(async () => {
  sandbox = await createSandbox();
  receiver = await sandbox.receiver();
});
afterAll(() => sandbox.close());

async function errorOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing failed.');
}

const soon = { timeoutMs: 1 };

test.for<readonly [string, () => Promise<unknown>]>([
  ['waitForRequest', () => sandbox.waitForRequest({ path: '/nowhere' }, soon)],
  ['waitForDelivery', () => sandbox.waitForDelivery({ type: 'sms.sent' }, soon)],
  ['waitForState', () => sandbox.waitForState('uploads', 'up_1', 'completed', soon)],
  ['next', () => receiver.next({}, soon)],
])('the error of a wait that took too long names the line that waited: %s', async ([, wait]) => {
  const { name, message, stack = '' } = await errorOf(wait());
  expect(message).toContain('within 1 ms.');
  expect(stack.startsWith(`${name}: ${message}\n`)).toBe(true);
  expect(stack).toContain(basename(import.meta.filename));
});

test('the error of a wait that the end of the sandbox ends names the line that waited', async () => {
  const own = await createSandbox({ world: 'empty' });
  const waitsHere = (): Promise<unknown> => own.waitForRequest({ path: '/me' });
  const failing = errorOf(waitsHere());
  await own.close();
  const { message, stack } = await failing;
  expect(message).toContain('closed while waiting');
  expect(stack).toContain('waitsHere');
});

test('the errors are classes with names of their own, and a refusal has its status and its rule', async () => {
  const mistake = await errorOf(sandbox.waitForRequest({ path: '/nowhere' }, soon));
  expect([mistake instanceof UserError, mistake.name]).toEqual([true, 'UserError']);
  const refusal = await errorOf(sandbox.control.record('uploads', 'up_1'));
  expect(refusal).toBeInstanceOf(ControlRefusal);
  expect(refusal.message).toContain("In a test: sandbox.control.records('uploads').");
  expect(refusal).toMatchObject({ name: 'ControlRefusal', status: 404, rule: 'records.unknown' });
});

test('a function of a filter that answers neither true nor false is refused: a promise would fit everything', async () => {
  const own = await createSandbox();
  onTestFinished(() => own.close());
  const collector = await own.receiver();
  await fetch(`${own.apiUrl}/me`);
  await own.trigger({ type: 'email.opened', to: collector.url });
  const never = (async () => false) as never;
  const message = 'answered a promise, which would fit everything. It cannot be async';
  expect(() => own.requests(never)).toThrow(message);
  expect(() => own.deliveries(never)).toThrow(message);
  await expect(own.waitForRequest(never)).rejects.toThrow(message);
  await expect(collector.next(never)).rejects.toThrow(message);
  expect(() => own.requests((() => undefined) as never)).toThrow('a value of type undefined. Make it return true or');
});

test('after the end neither lists, nor the clock, nor a receiver answer', async () => {
  const own = await createSandbox({ world: 'empty' });
  const collector = await own.receiver();
  await own.close();
  const message = 'The sandbox is closed. Create another one with createSandbox.';
  expect(() => own.requests()).toThrow(message);
  expect(() => own.deliveries()).toThrow(message);
  expect(() => own.clock.now()).toThrow(message);
  expect(() => collector.answerWith({ status: 500 })).toThrow('The receiver is closed.');
});

test('a path of a filter fits with any query, or with the one that it has, of requests and of a receiver alike', async () => {
  const own = await createSandbox({ world: 'empty' });
  onTestFinished(() => own.close());
  const collector = await own.receiver();
  await fetch(`${own.apiUrl}/me?b=1`);
  await fetch(`${collector.url}/a?b=1`);
  const count = (path: string | RegExp): number => own.requests({ path }).length;
  expect([count('/me'), count('/v1/me?b=1'), count('/me?b=2'), count(/me$/)]).toEqual([1, 1, 0, 1]);
  await expect(collector.next({ path: '/a?b=2' }, soon)).rejects.toThrow('within 1 ms');
  expect(await collector.next({ path: '/a' })).toMatchObject({ path: '/a?b=1' });
  await fetch(`${collector.url}/a?b=1`);
  expect(await collector.next({ path: /^\/a$/ })).toMatchObject({ path: '/a?b=1' });
  expect(() => own.requests({ path: 'me' })).toThrow('It takes a path such as /me, or a RegExp.');
  await expect(collector.next({ path: 'a' })).rejects.toThrow('It takes a path such as /me, or a RegExp.');
});

test('decideInstall answers the callback with the error of a refused installation, and does not call it', async () => {
  const called: (string | undefined)[] = [];
  const app = createServer((request, response) => {
    called.push(request.url);
    // The app's own start leads to the install page.
    response.writeHead(302, { location: `${sandbox.authUrl}/integrations/oauth-install?${query}` }).end();
  });
  const { port, close } = await listen(app, { host: '127.0.0.1', port: 0, flag: 'port 0' });
  onTestFinished(close);
  const query = new URLSearchParams({
    client_id: 'sandpiper-demo-client',
    redirect_uri: `http://localhost:${port}/callback`,
    scope: 'all',
  });
  const callback = new URL(await sandbox.decideInstall(`http://127.0.0.1:${port}/start`));
  expect([callback.origin, callback.searchParams.get('error')]).toEqual([`http://localhost:${port}`, 'invalid_scope']);
  expect(called).toEqual(['/start']);
});

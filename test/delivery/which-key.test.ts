import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { EventPreviewView, FiredView, GymView, WebhookView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';
import { startReceiver } from './support.ts';

const sandbox = useSandbox();

async function control<T>(method: string, path: string, json?: unknown) {
  const { status, body } = await sandbox.control(method, path, json);
  return { status, body: body as T & { message: string; refusal?: { rule: string } } };
}

async function register(url: string): Promise<WebhookView> {
  const { id } = (await sandbox.call('POST', '/webhooks', { json: { url, events: ['sms.sent'] } })).body as WebhookView;
  const { webhooks } = (await control<{ webhooks: WebhookView[] }>('GET', '/control/webhooks')).body;
  return webhooks.find((one) => one.id === id) as WebhookView;
}

/** A receiver as its developer writes it: it accepts only events whose two signatures are valid for its key. */
async function startVerifier() {
  let webhook: WebhookView | null = null;
  const receiver = await startReceiver((response, { headers, body }) => {
    const hex = createHmac('sha256', webhook?.signingKey ?? '')
      .update(body)
      .digest('hex');
    try {
      new StandardWebhook(webhook?.standardSecret ?? '').verify(body, headers as Record<string, string>);
      response.statusCode = headers['x-attentive-hmac-sha256'] === hex ? 204 : 401;
    } catch {
      response.statusCode = 401;
    }
    response.end();
  });
  return { ...receiver, knows: (one: WebhookView) => (webhook = one) };
}

const statusOf = ({ deliveries }: FiredView) => deliveries.map(({ attempts }) => attempts[0]?.response?.status);

test('an event fired at the URL of a webhook is signed with its key, so a receiver that verifies accepts it', async () => {
  const receiver = await startVerifier();
  const webhook = receiver.knows(await register(receiver.url));
  const about = { type: 'sms.sent', to: receiver.url };
  const { body } = await control<FiredView>('POST', '/control/trigger', about);
  expect(statusOf(body)).toEqual([204]);
  expect(body.signedBy).toContain(`the key of the webhook ${webhook.id}`);
  for (const named of ['The inspector shows it', 'GET /control/webhooks', 'signingKey', 'standardSecret'])
    expect(body.signedBy).toContain(named);
  expect(body.signedBy).not.toContain(webhook.signingKey);
  const dry = (await control<FiredView>('POST', '/control/trigger', { ...about, dryRun: true })).body;
  expect(new StandardWebhook(webhook.standardSecret).verify(dry.body, dry.headers)).toBeTruthy();

  const gym = (await control<GymView>('POST', '/control/gym', { to: receiver.url, count: 2, acts: [] })).body;
  expect(gym.events.map(({ accepted }) => accepted)).toEqual([1, 1]);
  expect(gym.signedBy).toBe(body.signedBy);
});

test('a URL is that of its webhook however this machine and the letters of its host are written', async () => {
  const receiver = await startVerifier();
  const webhook = receiver.knows(await register(receiver.url));
  for (const host of ['localhost', 'LocalHost', '127.1', '[::1]', '2130706433']) {
    const to = receiver.url.replace('127.0.0.1', host);
    const { body } = await control<FiredView>('POST', '/control/trigger', { type: 'sms.sent', to });
    expect([host, statusOf(body)]).toEqual([host, [204]]);
    expect(body.signedBy).toContain(webhook.id);
  }
  const elsewhere = { type: 'sms.sent', to: `${receiver.url}?other`, dryRun: true };
  expect((await control<FiredView>('POST', '/control/trigger', elsewhere)).body.signedBy).toContain('test key');
});

test('with several webhooks at the URL the event is refused with their ids, and an id chooses one', async () => {
  const receiver = await startVerifier();
  const [first, second] = [await register(receiver.url), receiver.knows(await register(receiver.url))];
  const fire = (to: string) => control<FiredView>('POST', '/control/trigger', { type: 'sms.sent', to });
  const refused = await fire(receiver.url);
  expect([refused.status, refused.body.refusal?.rule]).toEqual([400, 'delivery.several-webhooks']);
  for (const { id } of [first, second]) expect(refused.body.message).toContain(id);
  expect(receiver.got).toEqual([]);
  expect(statusOf((await fire(second.id)).body)).toEqual([204]);

  await control('POST', `/control/webhooks/${first.id}`, { disabled: true });
  expect(statusOf((await fire(receiver.url)).body)).toEqual([204]);
});

test('if no webhook is registered at the URL, the reply says that the test key signs, and names it', async () => {
  const receiver = await startReceiver();
  const to = { type: 'sms.sent', to: receiver.url };
  const { body } = await control<FiredView>('POST', '/control/trigger', to);
  const key = /test key signs: (\S+) /.exec(body.signedBy)?.[1] ?? '';
  expect(receiver.got[0]?.headers['x-attentive-hmac-sha256']).toBe(
    createHmac('sha256', key).update(body.body).digest('hex'),
  );
  const preview = (await control<EventPreviewView>('POST', '/control/trigger/preview', to)).body;
  expect(preview.signedBy).toBe(body.signedBy);
});

test('webhooks of other companies do not count if the company is given', async () => {
  const receiver = await startVerifier();
  const { companyId: own } = receiver.knows(await register(receiver.url));
  const other = [...sandbox.emulator.deps.store.companies.all()].find(({ id }) => id !== own);
  const fire = (companyId?: string) =>
    control<FiredView>('POST', '/control/trigger', { type: 'sms.sent', to: receiver.url, companyId });
  expect(statusOf((await fire(own)).body)).toEqual([204]);
  expect(statusOf((await fire(other?.id)).body)).toEqual([401]);
});

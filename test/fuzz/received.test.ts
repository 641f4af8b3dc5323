import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../emulator/random.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { freshFolder, opened } from '../support/world.ts';

interface Event {
  readonly type: string;
  readonly subscriber: { readonly phone?: string; readonly email?: string };
  readonly user_property?: { readonly name: string; readonly value: unknown };
}

/** The people, each with a phone and an email that requests name alone or together. */
const people = ['1', '2', '3'].map((one) => ({ phone: `+1555555017${one}`, email: `walk${one}@example.com` }));
const types = ['sms.subscribed', 'email.subscribed', 'sms.unsubscribed', 'email.unsubscribed', 'custom_attribute.set'];
const prefixes: { readonly [channel: string]: string } = { TEXT: 'sms', EMAIL: 'email' };

const steps = 'subscribe subscribe subscribe unsubscribe attributes act act identity clock undo snapshot restart'.split(
  ' ',
);
const acts = [{ act: 'open' }, { act: 'unsubscribe' }, { act: 'reply', text: 'STOP' }, { act: 'reply', text: 'YES' }];

/** A receiver of webhooks that refuses a third of the requests, and the bodies that it got, by the id of their event. */
async function receive(random: () => number) {
  const got = new Map<string, string[]>();
  const server = createServer(async (request, response) => {
    const id = String(request.headers['webhook-id']);
    let body = '';
    for await (const part of request) body += String(part);
    got.set(id, [...(got.get(id) ?? []), body]);
    response.writeHead(random() < 0.33 ? 503 : 204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** The subscriptions of an address, as each of the views has them. */
async function viewsOf({ call, control }: Sandbox, [name, address]: readonly ['phone' | 'email', string]) {
  const query = `query($to: String) { viewer { installedApplication { installerCompany { user(${name}: $to) {
    subscriptions { subscriptionEligibilities { subscription { type channel } eligibility { isEligible } } } } } } } }`;
  const rest = await call('GET', '/subscriptions', { query: { [name]: address } });
  const graphql = await call('POST', '/graphql', { json: { query, variables: { to: address } } });
  const found = JSON.stringify(graphql.body).replaceAll(/"(?:TYPE|CHANNEL)_/g, '"');
  const inGraphql = /"subscriptionEligibilities":(\[.*?\])\}/.exec(found)?.[1] ?? '[]';
  const { records } = (await control('GET', '/control/records/subscriptions?limit=1000')).body as {
    readonly records: readonly { address: string; type: string; channel: string; status: string }[];
  };
  const channel = name === 'phone' ? 'TEXT' : 'EMAIL';
  const ofChannel = (list: unknown): unknown =>
    (list as readonly { subscription: { channel: string } }[]).filter((one) => one.subscription.channel === channel);
  return {
    rest: ofChannel(
      rest.status === 404 ? [] : (rest.body as { subscriptionEligibilities: unknown }).subscriptionEligibilities,
    ),
    graphql: ofChannel(JSON.parse(inGraphql)),
    records: records
      .filter((one) => one.address === address)
      .map(({ type, status }) => ({
        subscription: { type, channel },
        eligibility: { isEligible: status === 'subscribed' },
      })),
  };
}

test.for([1, 2, 3])(
  'what a receiver got is what the replies said, through failures, restarts and jumps, and all views agree: seed %d',
  async (seed) => {
    const random = createRandom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const { got, url } = await receive(createRandom(seed));
    const dataDir = freshFolder();
    let sandbox = await opened({ dataDir, pace: 'manual', rateLimits: 'off' });
    await sandbox.control('POST', '/control/webhooks', { url, events: types });
    const said: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      const { phone, email } = pick(people);
      const user = pick([{ phone }, { email }, { phone, email }]);
      const what = pick(steps);
      if (what === 'subscribe' || what === 'unsubscribe') {
        const path = what === 'subscribe' ? '/subscriptions' : '/subscriptions/unsubscribe';
        const json = what === 'subscribe' ? { user, signUpSourceId: '100001' } : { user };
        const { status, body } = await sandbox.call('POST', path, { json });
        if (status >= 400) continue;
        const { subscriptionResponses } = body as {
          readonly subscriptionResponses: readonly { [name: string]: string | { channel: string } }[];
        };
        for (const { subscription, ...rest } of subscriptionResponses) {
          const { channel } = subscription as { channel: string };
          if (!Object.values(rest).join().startsWith('NEWLY_')) continue;
          said.push(`${prefixes[channel]}.${what}d ${channel === 'TEXT' ? phone : email}`);
        }
      } else if (what === 'attributes') {
        const value = pick(['a', 'b']);
        await sandbox.call('POST', '/attributes/custom', { json: { user, properties: { walk: value } } });
        said.push(`custom_attribute.set ${value}`);
      } else if (what === 'act') {
        const message = pick(sandbox.emulator.deps.store.messages.records());
        if (!message) continue;
        const { status, body } = await sandbox.control('POST', `/control/messages/${message.id}/acts`, pick(acts));
        const { published = [] } = (status < 300 ? body : {}) as { readonly published?: readonly string[] };
        said.push(...published.filter((type) => types.includes(type)).map((type) => `${type} ${message.to}`));
      } else if (what === 'identity') {
        const json = { ...user, clientUserId: `client of ${phone}` };
        await sandbox.call('POST', '/identity-resolution/user-identifiers', { json });
      } else if (what === 'snapshot') {
        await sandbox.emulator.deps.deliveries.settled();
        for (const [method, path, status] of [
          ['POST', '', 201],
          ['POST', '/now/restore', 200],
          ['DELETE', '/now', 204],
        ] as const) {
          const json = path === '' ? { name: 'now' } : undefined;
          expect((await sandbox.control(method, `/control/snapshots${path}`, json)).status).toBe(status);
        }
      } else if (what === 'clock') {
        await sandbox.emulator.deps.deliveries.settled();
        await sandbox.control('POST', '/control/clock', { advance: pick(['1m', '3h', '2d']) });
      } else if (what === 'undo') {
        // Sent events stay sent, and are not sent again.
        await sandbox.emulator.deps.deliveries.settled();
        if ((await sandbox.control('POST', '/control/undo', {})).status === 200)
          expect((await sandbox.control('POST', '/control/redo', {})).status).toBe(200);
      } else {
        await sandbox.emulator.deps.deliveries.settled();
        await sandbox.close();
        sandbox = await opened({ dataDir, pace: 'manual', rateLimits: 'off' });
      }
    }
    await sandbox.control('POST', '/control/clock', { advance: '4d' });
    await sandbox.emulator.deps.deliveries.settled();
    const events = [...got.values()].map(([body = '']) => JSON.parse(body) as Event);
    const toldAbout = ({ type, subscriber, user_property: property }: Event): string =>
      `${type} ${property ? String(property.value) : type.startsWith('sms.') ? subscriber.phone : subscriber.email}`;
    expect(events.map(toldAbout).toSorted()).toEqual(said.toSorted());
    for (const bodies of got.values()) expect(new Set(bodies).size).toBe(1);
    const { deliveries } = (await sandbox.control('GET', '/control/deliveries?limit=1000')).body as {
      readonly deliveries: readonly { readonly eventId: string; readonly attempts: readonly unknown[] }[];
    };
    expect(deliveries.map(({ eventId, attempts }) => [eventId, attempts.length]).toSorted()).toEqual(
      [...got].map(([id, bodies]) => [id, bodies.length]).toSorted(),
    );
    for (const { phone, email } of people)
      for (const address of [
        ['phone', phone],
        ['email', email],
      ] as const) {
        const { rest, graphql, records } = await viewsOf(sandbox, address);
        expect([address, graphql, records]).toEqual([address, rest, rest]);
      }
    await sandbox.close();
  },
);

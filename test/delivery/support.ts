import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createClock, type Clock, type ClockState } from '../../emulator/time/clock.ts';
import { createDeliveries, type Deliveries, type DeliveriesOptions } from '../../emulator/delivery/deliveries.ts';
import { createTrigger, type Trigger } from '../../emulator/delivery/trigger.ts';
import { apiCreative, type PlatformEvent } from '../../emulator/delivery/payloads.ts';
import { demoCompany, seedDemo } from '../../emulator/declared-world/demo.ts';
import { createSender } from '../../emulator/delivery/send.ts';
import { deliverySettings, type DeliverySettings } from '../../emulator/delivery/settings.ts';
import type { Resolve } from '../../emulator/delivery/target.ts';
import { createFeed } from '../../emulator/feed.ts';
import type { Delivery, Reach, User, Webhook } from '../../emulator/records.ts';
import { openStore, type Store } from '../../emulator/store/store.ts';
import { createUsers } from '../../emulator/people/users.ts';

export interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly url: string;
  /** When it came, real ms. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly got: Got[];
  /** Resolves after this number of requests. */
  count(wanted: number): Promise<void>;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, got: Got, n: number) => void;

/** A receiver on loopback; it replies with 200 unless configured otherwise. Closed after the test. */
export async function startReceiver(
  answer: Answer = (response) => response.end('ok'),
  host = '127.0.0.1',
): Promise<Receiver> {
  const got: Got[] = [];
  const waiting = new Set<() => void>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        url: request.url ?? '',
        at: performance.now(),
      };
      got.push(one);
      for (const look of waiting) look();
      answer(response, one, got.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url: `http://${host === '::1' ? '[::1]' : host}:${port}/hook`,
    port,
    got,
    close,
    count: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (got.length < wanted) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

export interface Bench {
  readonly store: Store;
  readonly clock: Clock;
  readonly deliveries: Deliveries;
  readonly trigger: Trigger;
  readonly ada: User;
  /** A webhook of the demo company. */
  webhook(url: string, more?: Partial<Webhook>): Webhook;
  webhookNow(id: string): Webhook;
  publish(event?: Partial<PlatformEvent>): Delivery;
  now(id: string): Delivery;
}

export interface BenchOptions extends Partial<Pick<DeliveriesOptions, 'settings' | 'resolve' | 'ownPorts'>> {
  readonly store?: Store;
  readonly clockState?: ClockState;
}

/**
 * A store in memory with the demo world, a clock and deliveries; closed after the test. Time is frozen at the current
 * real time unless moved.
 */
export async function createBench({ store: given, clockState, ...options }: BenchOptions = {}): Promise<Bench> {
  const clock = createClock({ state: clockState });
  const store = given ?? (await openStore({ dataDir: null, now: clock.now }));
  const users = createUsers(store);
  if (store.companies.size === 0) seedDemo(store, users, clock.now());
  const failures: unknown[] = [];
  const deliveries = createDeliveries({
    store,
    clock,
    feed: createFeed(),
    ownPorts: () => [],
    onError: (error) => failures.push(error),
    ...options,
  });
  const trigger = createTrigger({ store, clock, users, deliveries });
  deliveries.resume();
  onTestFinished(async () => {
    await deliveries.close();
    clock.close();
    await store.close();
    if (failures.length > 0) throw new AggregateError(failures, 'the deliveries failed by themselves');
  });
  const ada = users.find(demoCompany, { phone: '+15555550100' })[0] as User;
  let made = 0;
  return {
    store,
    clock,
    deliveries,
    trigger,
    ada,
    webhook: (url, more = {}) =>
      store.transact(() =>
        store.webhooks.put({
          id: `webhook-${(made += 1)}`,
          companyId: demoCompany,
          appId: 'app',
          url,
          events: ['sms.subscribed'],
          signingKey: `key-${made}`,
          previousKey: null,
          createdAt: new Date(clock.now()).toISOString(),
          disabledAt: null,
          disabledReason: null,
          failingSince: null,
          reach: 'loopback',
          ...more,
        }),
      ).result,
    webhookNow: (id) => store.webhooks.get(id) as Webhook,
    publish: (event = {}) => {
      const whole = {
        type: 'sms.subscribed',
        user: ada,
        details: { creative: apiCreative('API'), subscription: { type: 'MARKETING' } },
        ...event,
      } as PlatformEvent;
      return store.transact(() => deliveries.publish(whole)).result[0] as Delivery;
    },
    now: (id) => store.deliveries.get(id) as Delivery,
  };
}

/** The past states of a delivery. */
export const path = (delivery: Delivery): readonly string[] => delivery.history.map(({ to }) => to);

/** Sends one event as a delivery does, by a sender of its own. */
export function sender(
  options: { settings?: Partial<DeliverySettings>; resolve?: Resolve; afterWall?: Clock['afterWall'] } = {},
) {
  const clock = createClock();
  const made = createSender({
    clock: { ...clock, ...(options.afterWall && { afterWall: options.afterWall }) },
    settings: { ...deliverySettings, ...options.settings },
    ownPorts: () => [],
    resolve: options.resolve,
  });
  onTestFinished(() => {
    made.close();
    clock.close();
  });
  return (url: string, more: { reach?: Reach; cutAt?: number } = {}) =>
    made.send({
      url,
      body: '{}',
      headers: { 'content-type': 'application/json', 'content-length': '2' },
      reach: 'loopback',
      ...more,
    });
}

/** A receiver that gets connections as they come; its address. */
export async function startRaw(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

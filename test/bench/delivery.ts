import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClock } from '../../emulator/time/clock.ts';
import { createDeliveries } from '../../emulator/delivery/deliveries.ts';
import { apiCreative, toBody, toPayload, type PlatformEvent } from '../../emulator/delivery/payloads.ts';
import { signatureHeaders } from '../../emulator/delivery/signature/signature.ts';
import { demoCompany, seedDemo } from '../../emulator/declared-world/demo.ts';
import { createFeed } from '../../emulator/feed.ts';
import type { User } from '../../emulator/records.ts';
import { openStore } from '../../emulator/store/store.ts';
import { createUsers } from '../../emulator/people/users.ts';
import { median, report, type Server } from './harness.ts';
import { load } from './load.ts';

const concurrency = 50;
const count = 10_000;
const company = { id: demoCompany, name: 'Sandpiper Supply Co.' };

/** Deliveries per second at concurrency 50, stored on disk, against a bare loop that signs and posts the same body. */
export async function benchDelivery(): Promise<void> {
  const { url, stop } = await startReceiver(200);
  try {
    const { user, sendAll, close } = await startOurs(url);
    const body = toBody(toPayload(eventOf(user), company, Date.now()));
    await bare(url, body, 2000);
    await sendAll(2000);
    const pairs: { readonly ours: number; readonly theirs: number }[] = [];
    for (let round = 0; round < 5; round += 1) {
      const theirs = await bare(url, body, count);
      const ours = await sendAll(count);
      pairs.push({ ours, theirs });
    }
    await close();
    const [ours, theirs] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.theirs))];
    const ratio = median(pairs.map((pair) => pair.ours / pair.theirs));
    report(
      `deliveries a second, ${body.length} bytes, queued, signed twice, journalled and logged`,
      ratio,
      { atLeast: 0.6 },
      `${ours.toFixed(0)}/s against ${theirs.toFixed(0)}/s`,
      { limit: 'undici without a signature 1.9×', peer: 'fetch 0.10×' },
    );
  } finally {
    stop();
  }
}

/** The API's p99 while 10,000 deliveries retry, against the same emulator with its clock stopped. */
export async function benchRetrying(): Promise<void> {
  const receiver = await startReceiver(500);
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/bench/retrying-server.ts', receiver.url], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { apiUrl } = JSON.parse(String(line)) as { apiUrl: string };
    const server = { apiUrl, cpu: () => 0 } as Server;
    const wanted = { path: '/me', connections: 4, ms: 2500 };
    await load(server, wanted);
    const pairs: { readonly idle: number; readonly retrying: number }[] = [];
    for (let round = 0; round < 5; round += 1) {
      const idle = await load(server, wanted);
      child.stdin.write('retry\n');
      const retrying = await load(server, wanted);
      child.stdin.write('rest\n');
      await once(child.stdout, 'data');
      pairs.push({ idle: idle.p99, retrying: retrying.p99 });
    }
    const [idle, retrying] = [median(pairs.map((pair) => pair.idle)), median(pairs.map((pair) => pair.retrying))];
    const ratio = median(pairs.map((pair) => pair.retrying / pair.idle));
    report(
      'p99 of GET /me while 10,000 deliveries retry, against idle',
      ratio,
      { atMost: 2 },
      `${retrying.toFixed(1)} ms against ${idle.toFixed(1)} ms`,
    );
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
    receiver.stop();
  }
}

async function startReceiver(status: number): Promise<{ readonly url: string; stop(): void }> {
  const receiver = spawn(process.execPath, ['test/bench/delivery-receiver.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, STATUS: String(status) },
  });
  const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${Number(String(line))}/hook`, stop: () => void receiver.kill() };
}

function eventOf(user: User): PlatformEvent {
  return {
    type: 'sms.subscribed',
    about: {},
    user,
    details: { creative: apiCreative('API'), subscription: { type: 'MARKETING' } },
  };
}

async function startOurs(url: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'));
  const clock = createClock();
  const store = await openStore({ dataDir, now: clock.now });
  const users = createUsers(store);
  seedDemo(store, users, clock.now());
  const settings = { concurrency, concurrencyPerWebhook: concurrency };
  const deliveries = createDeliveries({
    store,
    clock,
    feed: createFeed(),
    ownPorts: () => [],
    settings,
    onError: (error) => console.error(error),
  });
  deliveries.resume();
  store.transact(() => {
    store.webhooks.put({
      id: 'bench',
      companyId: demoCompany,
      appId: 'bench',
      url,
      events: ['sms.subscribed'],
      signingKey: 'key',
      previousKey: null,
      createdAt: new Date().toISOString(),
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      reach: 'loopback',
    });
  });
  const user = users.find(demoCompany, { phone: '+15555550100' })[0] as User;
  return {
    user,
    /** From the first event to the last reply, including publishing, in deliveries per second. */
    async sendAll(wanted: number): Promise<number> {
      const began = performance.now();
      for (let n = 0; n < wanted; n += 1) store.transact(() => deliveries.publish(eventOf(user)));
      await deliveries.settled();
      return wanted / ((performance.now() - began) / 1000);
    },
    async close(): Promise<void> {
      const wrong = [...store.deliveries.all()].filter(({ state }) => state !== 'delivered').length;
      if (wrong > 0) throw new Error(`${wrong} deliveries were not delivered.`);
      await deliveries.close();
      clock.close();
      await store.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Posts per second of a loop over node:http with keep-alive connections that only signs and sends. */
async function bare(url: string, body: string, wanted: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let left = wanted;
  const post = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = signatureHeaders({ body, eventId: `evt_${left}`, timestamp: Math.floor(Date.now() / 1000) }, [
        'key',
      ]);
      const sent = request(
        url,
        {
          method: 'POST',
          agent,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
        },
        (response) => {
          response.resume();
          response.on('end', resolve);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  const began = performance.now();
  const worker = async (): Promise<void> => {
    while ((left -= 1) >= 0) await post();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const perSecond = wanted / ((performance.now() - began) / 1000);
  agent.destroy();
  return perSecond;
}

import type { OtherBuild } from './against.ts';
import { median, report, startBaseline, startSandpiper, type Server, type Yardstick } from './harness.ts';
import { client, load, type Load, type Measured } from './load.ts';

export const eventBody = JSON.stringify({
  type: 'Order Shipped',
  properties: { delivery_date: 'May 10', 'Order Id': '54321', shipment: { carrier: 'fedex', trackingNumber: '12345' } },
  externalEventId: '37fb97a9-6cfd-4983-bd65-$n',
  occurredAt: '2026-11-20T14:38:29.000Z',
  user: { phone: '+1311$p' },
});
export const subscriptionBody = JSON.stringify({
  user: { phone: '+1312$n', email: 'p$n@example.com' },
  signUpSourceId: '100001',
});

interface Case {
  readonly name: string;
  readonly load: Load;
  /** The most CPU that it may take against B0; `atLeast`: the least throughput. */
  readonly aim: number;
  readonly atLeast?: number;
  readonly yardstick: Yardstick;
}

/** Neither of the two servers checks scopes or keeps a record of the requests. */
const writing = { limit: 'bare node:http 0.39×', peer: 'emulate 3.6×' };

const cases: readonly Case[] = [
  {
    name: 'GET /me',
    load: { path: '/me' },
    aim: 1,
    yardstick: { limit: 'bare node:http 0.57×', peer: 'json-server 1.6×' },
  },
  {
    name: 'POST /events/custom',
    load: { path: '/events/custom', method: 'POST', bodies: [eventBody], expect: 200 },
    aim: 1.1,
    atLeast: 0.95,
    yardstick: writing,
  },
  {
    name: 'POST /subscriptions',
    load: { path: '/subscriptions', method: 'POST', bodies: [subscriptionBody], expect: 202 },
    aim: 1.7,
    yardstick: writing,
  },
];

/** Requests to each server before the first round: by then the compiler has what it needs, and the record is full. */
const warmUp = 20_000;
const rounds = 11;

/**
 * CPU per request and throughput of each case against B0, with everything on, as ratios of the same minute
 * (docs/performance.md). The servers take turns, in another order each round.
 * @param other a build that is measured in the same rounds
 */
export async function benchApi(other: OtherBuild | null): Promise<void> {
  const servers: Readonly<Record<string, Server>> = {
    B0: await startBaseline(),
    ours: await startSandpiper(),
    ...(other && { [other.name]: await startSandpiper({ build: other.folder }) }),
  };
  const rows: Readonly<Record<string, string>>[] = [];
  try {
    for (const one of cases) rows.push(...toRows(one, await measure(servers, one)));
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
  console.log(`Client: ${client}. Each ratio is the median of ${rounds} rounds.`);
  console.table(rows);
}

type Rounds = readonly Readonly<Record<string, Measured>>[];

async function measure(servers: Readonly<Record<string, Server>>, { load: wanted }: Case): Promise<Rounds> {
  const names = Object.keys(servers);
  for (const server of Object.values(servers))
    for (let left = warmUp; left > 0;) left -= (await load(server, { ...wanted, ms: 2_000 })).count;
  const found: Record<string, Measured>[] = [];
  for (let round = 0; round < rounds; round++) {
    const measured: Record<string, Measured> = {};
    const rotated = names.map((_, turn) => names[(round + turn) % names.length] ?? '');
    // Backwards in every second round, so that no server is always measured after the same other one.
    for (const name of round % 2 === 0 ? rotated : rotated.toReversed()) {
      const server = servers[name];
      if (server) measured[name] = await load(server, { ...wanted, ms: 1_000 });
    }
    found.push(measured);
  }
  return found;
}

/** A row for each pair that was measured. */
function toRows({ name, aim, atLeast, yardstick }: Case, found: Rounds): readonly Readonly<Record<string, string>>[] {
  const names = Object.keys(found[0] ?? {});
  const ratio = (one: string, other: string, pick: (measured: Measured) => number): number =>
    median(found.map((round) => pick(round[one] as Measured) / pick(round[other] as Measured)));
  const row = (one: string, other: string): Readonly<Record<string, string>> => {
    const cpu = ratio(one, other, (measured) => measured.cpu);
    const throughput = ratio(one, other, ({ perSecond }) => perSecond);
    if (one === 'ours' && other === 'B0') {
      report(`${name}, CPU against B0`, cpu, { atMost: aim }, '', yardstick);
      if (atLeast !== undefined) report(`${name}, throughput against B0`, throughput, { atLeast });
    }
    return {
      request: name,
      pair: `${one} / ${other}`,
      CPU: `${cpu.toFixed(2)}×`,
      throughput: `${throughput.toFixed(2)}×`,
      'CPU in µs': [one, other]
        .map((its) => median(found.map((round) => round[its]?.cpu ?? Number.NaN)).toFixed(0))
        .join(' / '),
    };
  };
  const [, , third] = names;
  return third === undefined ? [row('ours', 'B0')] : [row('ours', 'B0'), row(third, 'B0'), row('ours', third)];
}

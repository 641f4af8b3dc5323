import { subscriptionBody } from './api.ts';
import { report, startSandpiper } from './harness.ts';
import { load } from './load.ts';

const people = 100_000;
const aimMegabytes = 350;

/** Resident memory of a server with an empty store after 100,000 new people subscribed, each by phone and email. */
export async function benchMemory(): Promise<void> {
  const server = await startSandpiper();
  try {
    const before = server.memory();
    const body = { path: '/subscriptions', method: 'POST', bodies: [subscriptionBody], expect: 202 };
    let count = 0;
    while (count < people) count += (await load(server, { ...body, ms: 1_000 })).count;
    const after = server.memory();
    const text = `${count} requests, ${before.toFixed(0)} MB before and ${after.toFixed(0)} MB after`;
    report(`memory after 100,000 subscriptions against ${aimMegabytes} MB`, after / aimMegabytes, { atMost: 1 }, text);
  } finally {
    await server.stop();
  }
}

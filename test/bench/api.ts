import { paired, report, startBaseline, startSandpiper } from './harness.ts';

export const eventBody = JSON.stringify({
  type: 'Order Shipped',
  properties: { delivery_date: 'May 10', 'Order Id': '54321', shipment: { carrier: 'fedex', trackingNumber: '12345' } },
  externalEventId: '37fb97a9-6cfd-4983-bd65-$n',
  occurredAt: '2026-11-20T14:38:29.000Z',
  user: { phone: '+1311$p' },
});
const subscriptionBody = JSON.stringify({
  user: { phone: '+1312$n', email: 'p$n@example.com' },
  signUpSourceId: '100001',
});

/** Requests per second and CPU per request against B0, with everything on (docs/performance.md). */
export async function benchApi(): Promise<void> {
  const ours = await startSandpiper();
  const bare = await startBaseline();
  const router = await startBaseline('router');
  try {
    for (const [path, body, expect] of [
      ['/events/custom', eventBody, 200],
      ['/subscriptions', subscriptionBody, 202],
    ] as const) {
      const result = await paired(ours, bare, { path, method: 'POST', bodies: [body], expect });
      report(`POST ${path}: throughput against B0`, result.throughput, { atLeast: 0.8 }, result.text);
      report(`POST ${path}: CPU per request against B0`, result.cpu, { atMost: 1.3 });
    }
    const me = await paired(ours, router, { path: '/me' });
    report('GET /me: CPU per request against Koa + router', me.cpu, { atMost: 1.4 }, me.text);
  } finally {
    await Promise.all([ours.stop(), bare.stop(), router.stop()]);
  }
}

/** A day of an integration, through the real API, for screenshots: good and bad calls, webhooks, files, people. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Emulator } from '../../emulator/start-emulator.ts';

export interface BusyWorld {
  /** The id of the request that was refused last. */
  readonly refused: string;
  close(): void;
}

/** @param emulator with the demo world, at pace `manual` */
export async function fillWorld(emulator: Emulator): Promise<BusyWorld> {
  const receiver = await startReceiver();
  const { port } = receiver;
  const call = async (method: string, path: string, json?: unknown, key = 'sandpiper-demo-key'): Promise<never> => {
    const answer = await fetch(emulator.apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    return (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text) as never;
  };
  const control = async (method: string, path: string, json?: unknown): Promise<never> => {
    const answer = await fetch(`${emulator.inspectorUrl}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as never;
  };

  await call('GET', '/me');
  const types = ['sms.subscribed', 'sms.sent', 'sms.message_link_click', 'email.subscribed', 'email.unsubscribed'];
  const more = ['email.opened', 'email.message_link_click', 'custom_attribute.set'];
  await call('POST', '/webhooks', { url: `http://127.0.0.1:${port}/hooks`, events: [...types, ...more] });
  await call('POST', '/webhooks', { url: `http://127.0.0.1:${port}/cdp/inbound`, events: types.slice(0, 3) });
  for (let n = 0; n < 24; n += 1) {
    const user = { phone: `+1555555${String(1200 + n)}`, email: `${names[n % names.length]}${n}@example.com` };
    await call('POST', '/subscriptions', { user, signUpSourceId: n % 5 === 0 ? '100002' : '100001' });
    if (n % 3 === 0)
      await call('POST', '/attributes/custom', { user, properties: { 'favorite color': colors[(n / 3) % 3] } });
    if (n % 4 === 0)
      await call('POST', '/events/custom', {
        type: 'Order Shipped',
        user,
        properties: { 'Order Id': String(54_000 + n), carrier: 'fedex', track: 'https://track.example.com/12345' },
      });
    const items = [{ productId: 'p-1', productVariantId: 'p-1-s', price: [{ value: 28 + n, currency: 'USD' }] }];
    if (n % 6 === 0) await call('POST', '/events/ecommerce/purchase', { items, user });
  }
  await call('GET', '/subscriptions?phone=%2B15555550100');
  await call('GET', '/subscriptions?phone=+15555550100');
  await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/x', events: ['SMS.subscribed'] });
  await call('POST', '/attributes/custom', {
    user: { phone: '+15555550100' },
    properties: { 'favorite color': 'purple' },
  });
  await call('POST', '/product-catalog/uploads', { validateOnly: true }, 'sandpiper-readonly-key');
  await call('POST', '/coupons/coupon-pool/54100/create', toCodes(1, 400, '2026-12-01', '2026-12-15'));
  await call('POST', '/coupons/coupon-pool/54100/create', toCodes(401, 900, '2026-12-20', '2026-12-31'));
  await call('POST', '/coupons/coupon-pool/54100/create', toCodes(901, 950, '2026-12-10', '2026-12-22'));
  await call('POST', '/privacy/delete-request', { subscriberEmail: 'nia7@example.com' });
  await call('POST', '/privacy/delete-request', { subscriberPhone: '+15555551202' });
  await call('POST', '/identity-resolution/user-identifiers', {
    clientUserId: 'crm-4711',
    email: 'ada@example.com',
    phone: '+15555550100',
  });
  await call('POST', '/graphql', { query: '{ viewer { installedApplication { application { name } } } }' });

  for (const [wrong, validateOnly] of [
    [0, false],
    [4, false],
    [0, true],
  ] as const) {
    const upload: { uploadId: string; uploadUrl: string } = await call('POST', '/product-catalog/uploads', {
      validateOnly,
    });
    await fetch(upload.uploadUrl, { method: 'PUT', body: toCatalog(240, wrong) });
    await checked(upload.uploadId);
    if (wrong === 0 && !validateOnly) await move('uploads', upload.uploadId, 'save');
  }
  await call('POST', '/product-catalog/uploads', { validateOnly: false });

  for (const [channel, person] of [
    ['TEXT', { phone: '+15555550100' }],
    ['EMAIL', { email: 'ada@example.com' }],
  ] as const)
    await control('POST', '/messages', {
      subscriber: person,
      channel,
      name: 'Late autumn',
      ...(channel === 'EMAIL' ? { subject: 'Late autumn, warm feet' } : {}),
      text: 'New wool socks are in: https://shop.example.com/socks. Until Sunday also https://shop.example.com/sale',
    });
  const { messages }: { messages: readonly { id: string; name: string }[] } = await control(
    'GET',
    '/messages?limit=50',
  );
  for (const { id } of messages.filter(({ name }) => name === 'Late autumn'))
    await control('POST', `/messages/${id}/acts`, { act: 'click', link: 0 });

  await control('POST', '/snapshots', { name: 'before-the-sale' });
  await control('POST', '/faults', { operation: 'POST /events/custom', status: 429, retryAfter: 30, times: 1 });
  await control('POST', '/faults', { operation: 'GET /me', delay: '2s', every: 3 });
  await control('POST', '/clock', { advance: '9d10h' });
  receiver.fail();
  for (const n of [1300, 1301])
    await call('POST', '/subscriptions', { user: { phone: `+1555555${n}` }, signUpSourceId: '100001' });
  await call('GET', '/me');
  await call('POST', '/subscriptions', { user: { phone: '(555) 555-0123' }, signUpSourceId: '100001' });
  const { requests }: { requests: readonly { id: string; rule: string | null }[] } = await control(
    'GET',
    '/requests?limit=200',
  );
  return { refused: requests.findLast(({ rule }) => rule !== null)?.id ?? '', close: receiver.close };

  async function move(kind: string, id: string, event: string): Promise<void> {
    await control('POST', `/records/${kind}/${id}/moves`, { event });
  }

  /** Waits until the file was checked in the background. Only then can the upload be moved by hand. */
  async function checked(id: string): Promise<void> {
    for (;;) {
      const { state, moves }: { state: string; moves: readonly { event: string; open: boolean }[] } = await control(
        'GET',
        `/records/uploads/${id}`,
      );
      if (state === 'validated') return;
      if (moves.some(({ event, open }) => event === 'checked' && open)) await move('uploads', id, 'checked');
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const names = ['nia', 'kit', 'ola', 'bo', 'ines', 'tariq', 'yuki'];
const colors = ['blue', 'green', 'red'];

function toCodes(from: number, to: number, start: string, stop: string): object {
  return {
    codes: Array.from({ length: to - from }, (_, n) => `SAND-${from + n}`),
    distributionStart: `${start}T00:00:00Z`,
    distributionStop: `${stop}T00:00:00Z`,
  };
}

function toCatalog(products: number, wrong: number): string {
  const lines = Array.from({ length: products }, (_, n) =>
    JSON.stringify({
      id: `p-${n}`,
      name: `${['Tide tee', 'Dune hat', 'Wool socks', 'Rain shell'][n % 4]} ${n}`,
      link: n === 17 && wrong > 1 ? 'shop.example.com/p' : `https://shop.example.com/p/${n}`,
      lastUpdated: '2026-11-20T09:30:00Z',
      brand: 'Sandpiper',
      categories: ['Outdoor'],
      images: [
        {
          src: `https://shop.example.com/i/${n}.jpg`,
          alt: 'Front',
          height: 800,
          width: 800,
          position: 1,
          variantIds: n === 90 && wrong > 2 ? ['p-none'] : [`p-${n}-s`],
          lastUpdated: '2026-11-20T09:30:00Z',
        },
      ],
      variants: ['s', 'm'].map((size) => ({
        id: `p-${n}-${size}`,
        name: `Size ${size.toUpperCase()}`,
        link: `https://shop.example.com/p/${n}?size=${size}`,
        lastUpdated: '2026-11-20T09:30:00Z',
        prices: [{ currencyCode: n === 5 && wrong > 0 && size === 's' ? 'US$' : 'USD', amount: `${19 + (n % 40)}.00` }],
        availableForPurchase: true,
        inventoryQuantity: n % 30,
      })),
    }),
  );
  if (wrong > 3) lines[120] = '{"id": "p-120", ';
  return `${lines.join('\n')}\n`;
}

/** Starts a receiver that fails from time to time, like real receivers; `fail` makes it fail from then on. */
async function startReceiver(): Promise<{ readonly port: number; fail(): void; close(): void }> {
  let [count, down] = [0, false];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      count += 1;
      const fails = down || (request.url === '/hooks' && count % 7 === 0);
      response.writeHead(fails ? 500 : 200, { 'content-type': 'application/json' });
      response.end(fails ? '{"error":"creative is undefined"}' : '{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fail: () => void (down = true),
    close: () => void server.close(),
  };
}

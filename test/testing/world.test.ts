import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineWorld, type WorldDeclaration } from '../../emulator/config.ts';
import { createSandbox, type Sandbox } from '../../emulator/testing.ts';

const world = defineWorld({
  clock: { time: '2026-12-01T09:00:00Z', frozen: true, pace: 'manual' },
  companies: [{ name: 'Acme' }, { name: 'Brant', domain: 'brant.attn.example' }],
  apps: [
    { name: 'Shop', company: 'Acme', key: 'acme-shop-key' },
    { name: 'Audit', company: 'Brant', key: 'brant-audit-key', scopes: ['subscriptions:read'] },
    {
      name: 'Public',
      company: 'Acme',
      kind: 'public',
      clientId: 'acme-client',
      clientSecret: 'acme-secret',
      redirectUris: ['http://localhost:3000/callback'],
    },
  ],
  signUpUnits: [
    { company: 'Acme', id: '200001', name: 'Footer', language: 'en', country: 'US', type: 'MARKETING' },
    { company: 'Acme', name: 'Checkout', language: 'en', country: 'US', type: 'TRANSACTIONAL' },
  ],
  offers: [
    {
      company: 'Acme',
      id: '300',
      name: 'Welcome',
      window: 'never-expire',
      uploads: [{ codes: ['A-1', 'A-2', 'A-2'] }],
    },
    {
      company: 'Acme',
      name: 'Winter',
      window: 'custom-time-period',
      uploads: [{ codes: ['W-1'], start: '2026-12-01T00:00:00Z', stop: '2026-12-10T00:00:00Z' }],
    },
  ],
  attributes: [{ company: 'Acme', name: 'shoe size', type: 'string', values: ['small', 'large'] }],
  subscribers: [
    {
      company: 'Acme',
      addresses: ['+15555550100', 'ada@example.com', '+15555550109'],
      clientUserIds: ['customer-1'],
      subscriptions: [
        { type: 'MARKETING', channel: 'TEXT', signUpUnit: 'Footer' },
        { type: 'MARKETING', channel: 'EMAIL', status: 'unsubscribed' },
        { type: 'TRANSACTIONAL', channel: 'TEXT', address: '+15555550109' },
      ],
      attributes: { 'shoe size': 'small' },
    },
  ],
  webhooks: [
    { company: 'Acme', app: 'Shop', url: 'http://127.0.0.1:9/', events: ['sms.sent'], signingKey: 'signing-key-1' },
  ],
  faults: [{ operation: 'GET /me', status: 503 }],
});

async function sandboxOf(declared: WorldDeclaration | string): Promise<Sandbox> {
  const sandbox = await createSandbox({ world: declared });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const call = ({ apiUrl, key }: Sandbox, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(apiUrl + path, { ...init, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });

test('a declared world has its companies, keys, people, webhooks, faults and clock', async () => {
  const sandbox = await sandboxOf(world);
  expect(sandbox.key).toBe('acme-shop-key');
  expect(sandbox.clock.now()).toBe('2026-12-01T09:00:00.000Z');
  expect(await sandbox.control.clock()).toMatchObject({ mode: 'frozen', pace: 'manual' });

  expect((await call(sandbox, '/me')).status).toBe(503);
  expect(await (await call(sandbox, '/me')).json()).toMatchObject({ companyName: 'Acme' });
  const found = await call(sandbox, '/subscriptions?phone=%2B15555550109');
  expect(found.status).toBe(200);
  expect(JSON.stringify(await found.json())).toContain('TRANSACTIONAL');
  const subscribed = await call(sandbox, '/subscriptions', {
    method: 'POST',
    body: '{"user":{"phone":"+15555550111"},"signUpSourceId":"200001"}',
  });
  expect(subscribed.status).toBe(202);
  expect(await sandbox.control.webhooks()).toMatchObject([{ url: 'http://127.0.0.1:9/', events: ['sms.sent'] }]);
  const [person] = await sandbox.control.records('users');
  expect(person).toMatchObject({ clientUserIds: ['customer-1'] });
  expect(await sandbox.control.records('attribute-values')).toMatchObject([{ name: 'shoe size', value: 'small' }]);
});

test('the codes of an offer are known: those that come again are left out', async () => {
  const sandbox = await sandboxOf(world);
  const sent = await call(sandbox, '/coupons/coupon-pool/300/create', {
    method: 'POST',
    body: '{"codes":["A-2","A-3"]}',
  });
  expect(sent.status).toBe(202);
  const uploads = await sandbox.control.records('offer-uploads');
  expect(uploads.map(({ codeCount, duplicateCount }) => [codeCount, duplicateCount])).toEqual(
    expect.arrayContaining([
      [2, 1],
      [1, 1],
    ]),
  );
});

test('reset goes back to the declared world, with its faults and its clock', async () => {
  const sandbox = await sandboxOf(world);
  await sandbox.clock.advance('1d');
  await call(sandbox, '/me');
  await call(sandbox, '/subscriptions', {
    method: 'POST',
    body: '{"user":{"phone":"+15555550111"},"signUpSourceId":"200001"}',
  });
  await sandbox.reset();
  expect(await sandbox.control.records('users')).toHaveLength(1);
  expect(sandbox.clock.now()).toBe('2026-12-01T09:00:00.000Z');
  expect((await call(sandbox, '/me')).status).toBe(503);
});

test('what the world leaves out, its keys and secrets, is the same after a reset', async () => {
  const sandbox = await sandboxOf({
    companies: [{ name: 'Acme' }],
    apps: [{ name: 'Shop' }, { name: 'Till' }, { name: 'Public', kind: 'public', redirectUris: ['http://localhost/'] }],
    webhooks: [{ app: 'Shop', url: 'http://127.0.0.1:9/', events: ['sms.sent'] }],
  });
  const { key, env } = sandbox;
  expect((await call(sandbox, '/me')).status).toBe(200);
  const signingKeys = async () => (await sandbox.control.webhooks()).map(({ signingKey }) => signingKey);
  const before = await signingKeys();

  await sandbox.reset('demo');
  expect(sandbox.key).toBe('sandpiper-demo-key');
  await sandbox.reset();
  expect([sandbox.key, sandbox.env, await signingKeys()]).toEqual([key, env, before]);
  expect((await call(sandbox, '/me')).status).toBe(200);
});

test('a world without an app has no key, and none is in its variables', async () => {
  const sandbox = await sandboxOf({ companies: [{ name: 'Acme' }] });
  expect(() => sandbox.key).toThrow('This world has no API key. Declare a private app in it, or make a key');
  expect(sandbox.env).not.toHaveProperty('SANDPIPER_API_KEY');
  expect(await sandbox.control.call('GET /control/client-keys')).toMatchObject({ key: null });
});

const small: WorldDeclaration = { companies: [{ name: 'Acme' }], apps: [{ name: 'Shop', key: 'acme-shop-key' }] };

/** A public app, all of which have the same client id. */
const open = (name: string) => ({
  name,
  kind: 'public',
  clientId: 'same-id',
  redirectUris: ['http://localhost:3000/callback'],
});

test.for<readonly [object, RegExp]>([
  [{ companies: [{ name: 'Acme' }, { name: 'Acme' }] }, /There is a company "Acme" already/],
  [{ companies: [{ name: 'A' }, { name: 'B' }] }, /Which company\? Name one of A, B\./],
  [
    {
      apps: [
        { name: 'A', key: 'same-key' },
        { name: 'B', key: 'same-key' },
      ],
    },
    /apps\[1\]\.key: The app "A" already has this key/,
  ],
  [{ apps: [{ name: 'A' }, { name: 'A ' }] }, /apps\[1\]\.name: The company has an app "A" already/],
  [{ apps: [open('A'), open('B')] }, /apps\[1\]\.clientId: The app "A" already has this id/],
  [{ apps: [{ name: 'A', key: 'a b c d e f g' }] }, /"apps\[0\]\.key" is "a b c d e f g", not text such as/],
  [{ apps: [{ name: 'A', key: 'ключ-от-всего' }] }, /"apps\[0\]\.key" is "ключ-от-всего", not text such as/],
  [{ apps: [{ name: 'A', clientId: 'x' }] }, /A private app has no clientId/],
  [
    { webhooks: [{ app: 'Shpo', url: 'http://localhost/', events: ['sms.sent'] }] },
    /no app "Shpo"\. Did you mean "Shop"/,
  ],
  [
    { webhooks: [{ url: 'http://localhost/', events: ['sms.snt'] }] },
    /"webhooks\[0\]\.events\[0\]" is "sms\.snt", not /,
  ],
  [
    { subscribers: [{ addresses: [] }] },
    /subscribers\[0\]\.addresses: The subscriber has neither an address nor an id/,
  ],
  [{ subscribers: [{ addresses: ['5550100'] }] }, /"5550100" is neither a phone such as/],
  [{ subscribers: [{ addresses: ['a@example.com'] }, { addresses: ['A@example.com'] }] }, /of another subscriber/],
  [
    {
      subscribers: [
        { addresses: ['a@example.com'], clientUserIds: ['7'] },
        { addresses: [], clientUserIds: ['8', '7'] },
      ],
    },
    /subscribers\[1\]\.clientUserIds\[1\]: Another subscriber has this id already/,
  ],
  [
    {
      subscribers: ['a@example.com', 'b@example.com'].map((address) => ({
        addresses: [address],
        customIdentifiers: [{ name: 'loyalty', value: '7' }],
      })),
    },
    /subscribers\[1\]\.customIdentifiers\[0\]: Another subscriber has this id already/,
  ],
  [
    { subscribers: [{ addresses: ['a@example.com', 'A@example.com'] }] },
    /subscribers\[0\]\.addresses\[1\]: The subscriber has the address A@example\.com already/,
  ],
  [
    { subscribers: [{ addresses: [], clientUserIds: ['u1', 'u1'] }] },
    /subscribers\[0\]\.clientUserIds\[1\]: The subscriber has this id already/,
  ],
  [
    { subscribers: [{ addresses: [], customIdentifiers: ['7', '7'].map((value) => ({ name: 'loyalty', value })) }] },
    /subscribers\[0\]\.customIdentifiers\[1\]: The subscriber has this id already/,
  ],
  [
    {
      subscribers: [
        {
          addresses: ['a@example.com'],
          subscriptions: [
            { type: 'MARKETING', channel: 'EMAIL' },
            { type: 'MARKETING', channel: 'EMAIL', address: 'a@example.com', status: 'unsubscribed' },
          ],
        },
      ],
    },
    /subscribers\[0\]\.subscriptions\[1\]: The subscriber has a MARKETING subscription by EMAIL at a@example\.com/,
  ],
  [
    { subscribers: [{ addresses: ['a@example.com'], subscriptions: [{ type: 'MARKETING', channel: 'TEXT' }] }] },
    /The subscriber has no address for TEXT/,
  ],
  [{ subscribers: [{ addresses: ['a@example.com'], attributes: { size: 'x' } }] }, /There is no attribute "size"/],
  [
    { offers: [{ name: 'O', window: 'never-expire', uploads: [{ codes: ['A'], start: '2026-12-01T00:00:00Z' }] }] },
    /distributionStop/,
  ],
  [{ faults: [{ operation: 'GET /mee', status: 503 }] }, /Did you mean "GET \/me"/],
  [
    // @ts-expect-error An editor shows it too.
    defineWorld({ ...small, faults: [{ operation: 'GET /me', statuss: 503 }] }),
    /There is no "statuss" in faults\[0\]\. Did you mean "status"/,
  ],
  [{ clock: { rate: 0 } }, /Time cannot run at rate 0/],
  [{ clock: { tiem: 'x' } }, /There is no "tiem" in clock\. Did you mean "time"/],
])('%j is refused with the reason', async ([part, message]) => {
  await expect(createSandbox({ world: { ...small, ...part } as WorldDeclaration })).rejects.toThrow(message);
});

test('a saved world is accepted again where companies, and apps of one company, have equal names: one gets a number', async () => {
  const { control } = await sandboxOf(small);
  const [acme] = await control.records('companies');
  const companyId = acme?.id ?? '';
  const shop = await control.call('POST /control/apps', {
    body: { companyId, kind: 'private', name: 'Shop', scopes: ['webhooks:write'] },
  });
  const another = await control.call('POST /control/companies', { body: { name: 'Acme' } });
  await control.createWebhook({ url: 'http://127.0.0.1:9/', events: ['sms.sent'], companyId, appId: shop.id });
  const { world: saved, leftOut } = await control.call('GET /control/world');
  expect(leftOut).toEqual(['2 equal names, which got numbers']);

  const second = (await sandboxOf(saved as WorldDeclaration)).control;
  expect((await second.records('companies')).map(({ id, name }) => [id, name])).toEqual([
    [companyId, 'Acme'],
    [another.id, 'Acme (2)'],
  ]);
  expect((await second.records('apps')).map(({ name }) => name)).toEqual(['Shop', 'Shop (2)', 'First app']);
  const [webhook] = await second.records('webhooks');
  expect((await second.records('apps')).find(({ id }) => id === webhook?.appId)?.name).toBe('Shop (2)');
});

test('a subscription may name the email of its subscriber in other case, as a request may', async () => {
  const subscriptions = [{ type: 'MARKETING', channel: 'EMAIL', address: 'Ada@Example.com' }] as const;
  const { control } = await sandboxOf({ ...small, subscribers: [{ addresses: ['ada@example.com'], subscriptions }] });
  expect(await control.records('subscriptions')).toMatchObject([{ address: 'ada@example.com' }]);
});

test('a person who is known by an id alone needs no address', async () => {
  const { control } = await sandboxOf({ ...small, subscribers: [{ addresses: [], clientUserIds: ['customer-1'] }] });
  expect(await control.records('users')).toMatchObject([{ addresses: [], clientUserIds: ['customer-1'] }]);
});

test('a value that JSON cannot hold is refused as such, from code and from a file', async () => {
  const around: unknown[] = [];
  around.push({ name: around });
  const world = { ...small, companies: around, clock: { rate: 2n, frozen: () => true } } as unknown as WorldDeclaration;
  const refused = createSandbox({ world });
  await expect(refused).rejects.toThrow(
    '"companies[0].name" refers back to a value that contains it, so it has no end.',
  );
  await expect(refused).rejects.toThrow('"clock.rate" is a bigint, not text, a number, true, false, null, a list');
  await expect(refused).rejects.toThrow('"clock.frozen" is a function, not text, a number');
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'world.yaml');
  writeFileSync(file, 'apps: [{ name: Shop }]\ncompanies: &all\n  - { name: &name Acme, domain: *name }\n  - *all\n');
  await expect(createSandbox({ world: file })).rejects.toThrow(
    /world\.yaml:4: "companies\[1\]" refers back to a value/,
  );
});

test('a file names the line of a mistake, also one that is TypeScript', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-world-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'world.ts');
  writeFileSync(
    file,
    `import { defineWorld } from 'sandpiper/config';\n\nconst apps = [\n  { name: 'Shop' },\n  { name: 'Audit', company: 'Acmee' },\n];\nexport default defineWorld({ companies: [{ name: 'Acme' }], apps });\n`,
  );
  await expect(createSandbox({ world: file })).rejects.toThrow(
    /world\.ts:5: apps\[1\]\.company: There is no company "Acmee"/,
  );
  const five = 5 as unknown as WorldDeclaration;
  await expect(createSandbox({ world: five })).rejects.toThrow(
    /^world of createSandbox cannot be 5\. It takes demo, empty, the path/,
  );
  await expect(createSandbox({ world: 'dmeo' })).rejects.toThrow(/Did you mean "demo"/);
});

test('a world file that is not there is named with its whole path, as a runner may have chosen the working folder', async () => {
  await expect(createSandbox({ world: 'nowhere.yaml' })).rejects.toThrow(
    `There is no file ${join(process.cwd(), 'nowhere.yaml')}.`,
  );
});

test('a value that breaks several limits is one mistake', async () => {
  const refused = createSandbox({ world: { ...small, apps: [{ name: 'Shop', company: 'Acme', key: 'a b' }] } });
  await expect(refused).rejects.toThrow(/^[^\n]*"apps\[0\]\.key" is "a b", not text [^\n]*$/);
});

test('only worlds that are being read cannot call process.exit, which is itself again after two at the same time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-world-'));
  const steps = new EventEmitter();
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  const spied = process.exit;
  onTestFinished(() => {
    exit.mockRestore();
    rmSync(folder, { recursive: true });
    Reflect.deleteProperty(globalThis, 'steps');
  });
  Object.assign(globalThis, { steps });
  const write = (name: string, code: string): string => {
    const file = join(folder, name);
    writeFileSync(file, `import { once } from 'node:events';\nconst { steps } = globalThis;\n${code}\n`);
    return file;
  };
  const first = write(
    'first.ts',
    `steps.emit('first runs');\nawait once(steps, 'go on');\nexport default ${JSON.stringify(small)};`,
  );
  const second = write('second.ts', `steps.emit('second runs');\nawait once(steps, 'end');\nprocess.exit(1);`);

  const firstRuns = once(steps, 'first runs');
  const made = sandboxOf(first);
  await firstRuns;
  const secondRuns = once(steps, 'second runs');
  const refused = expect(sandboxOf(second)).rejects.toThrow(/second\.ts:5: .*it calls process\.exit\. Leave that out/);
  await secondRuns;
  steps.emit('go on');
  await made;
  process.exit(3);
  expect(exit.mock.calls).toEqual([[3]]);
  steps.emit('end');
  await refused;
  expect(exit.mock.calls).toEqual([[3]]);
  expect(process.exit).toBe(spied);
});

test('a world file is found at a reset from another working folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-world-'));
  const before = process.cwd();
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, 'world.json'), JSON.stringify(small));
  process.chdir(folder);
  const sandbox = await sandboxOf('world.json');
  process.chdir(before);
  await sandbox.reset();
  expect((await call(sandbox, '/me')).status).toBe(200);
});

test('every mistake is named in one go, and what only follows from another one is not', async () => {
  const declared = {
    companies: [{ name: 'Acme' }],
    apps: [{ name: 'Shop', company: 'Acmee' }],
    signUpUnits: [{ name: 'Footer', company: 'Acmee', language: 'en', country: 'US', type: 'MARKETING' }],
    attributes: [{ name: 'size', type: 'string', values: ['small'] }],
    subscribers: [
      {
        addresses: ['a@example.com', 'nobody'],
        subscriptions: [
          // Of a unit and to an address whose own mistakes are named above.
          { type: 'MARKETING', channel: 'EMAIL', signUpUnit: 'Footer' },
          { type: 'MARKETING', channel: 'TEXT' },
          { type: 'MARKETING', channel: 'EMAIL', signUpUnit: 'Header' },
        ],
        attributes: { size: 'large', sise: 'small' },
      },
    ],
    webhooks: [
      { app: 'Shop', url: 'http://localhost/', events: ['sms.sent'] },
      { app: 'Shopp', url: 'http://localhost/', events: ['sms.sent'] },
    ],
    faults: [{ operation: 'GET /mee', status: 503 }],
    clock: { rate: 0 },
  };
  const error = (await createSandbox({ world: declared as WorldDeclaration }).catch((one: unknown) => one)) as Error;
  expect(error.message.split('\n').map((line) => /^The world: ([^:]+):/.exec(line)?.[1])).toEqual([
    'apps[0].company',
    'signUpUnits[0].company',
    'subscribers[0].addresses[1]',
    'subscribers[0].subscriptions[2].signUpUnit',
    'subscribers[0].attributes.size',
    'subscribers[0].attributes.sise',
    'webhooks[1].app',
    'clock.rate',
    'faults[0].operation',
  ]);
});

test('what fits the schema is checked further beside what does not, without mistakes that only follow', async () => {
  const declared = {
    companies: [{ name: 'Acme' }],
    apps: [{ nam: 'Shop' }],
    signUpUnits: [{ name: 'Footer', language: 'en', country: 'US', type: 'MARKETNG' }],
    subscribers: [
      { addresses: ['5555550100'], subscriptions: [{ type: 'MARKETING', channel: 'EMAIL', signUpUnit: 'Footer' }] },
      { addresses: 'a@example.com' },
    ],
    webhooks: [
      { app: 'Shop', url: 'http://localhost/', events: ['sms.sent'] },
      { company: 'Acmee', url: 'http://localhost/', events: ['sms.sent'] },
      { url: 'http://localhost/', events: ['sms.sent'] },
    ],
    faults: [{ operation: 'GET /mee', status: 503 }, { status: 'high' }],
    clock: { frozen: 'yes', rate: 0 },
  };
  const error = (await createSandbox({ world: declared as unknown as WorldDeclaration }).catch(
    (one: unknown) => one,
  )) as Error;
  const lines = error.message.split('\n').map((line) => /^The world: (?:There is no )?"?([^: "]+)/.exec(line)?.[1]);
  expect(lines.toSorted()).toEqual(
    [
      'apps[0].name',
      'nam',
      'clock.frozen',
      'clock.rate',
      'faults[0].operation',
      'faults[1].operation',
      'faults[1].status',
      'signUpUnits[0].type',
      'subscribers[0].addresses[0]',
      'subscribers[1].addresses',
      'webhooks[1].company',
    ].toSorted(),
  );
});

test('of very many mistakes the first twenty are said, and how many more there are', async () => {
  const subscribers = Array.from({ length: 25 }, (_, at) => ({ addresses: [`nobody-${at}`] }));
  const error = (await createSandbox({ world: { ...small, subscribers } }).catch((one: unknown) => one)) as Error;
  const lines = error.message.split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([21, 'There are 5 more mistakes in The world.']);
});

import { expect, onTestFinished, test } from 'vitest';
import type { WorldDeclaration } from '../../emulator/declared-world/schema.ts';
import { createRandom } from '../../emulator/random.ts';
import { consent, demoApp } from '../support/oauth.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

/** What a step takes its values from. */
interface Dice {
  pick<T>(from: readonly T[]): T;
  idOf(records: readonly { readonly id: string }[]): string;
  /** One of a few names of a kind of thing, so that steps meet. */
  name(kind: string): string;
}

type Step = (sandbox: Sandbox, dice: Dice) => Promise<unknown>;

const companyId = 'MDc6Q29tcGFueTE';

/** Some are refused, depending on those before. */
const steps: readonly Step[] = [
  ({ emulator: { deps }, call }, { pick, idOf, name }) =>
    call('POST', `/coupons/coupon-pool/${idOf(deps.store.offers.records())}/create`, {
      json: {
        codes: [name('code'), name('code')],
        ...pick([
          {},
          { distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2026-12-10T00:00:00Z' },
          { distributionStart: '2026-12-10T00:00:00Z', distributionStop: '2026-12-20T00:00:00Z' },
        ]),
      },
    }),
  ({ control, emulator: { deps } }, { pick, idOf }) =>
    control('POST', `/control/offers/${idOf(deps.store.offers.records())}`, {
      window: pick(['never-expire', 'time-to-live', 'custom-time-period']),
      apiUploads: true,
    }),
  ({ call }, { pick, name }) =>
    call('POST', '/attributes/custom', {
      json: {
        user: { phone: name('+1555555012') },
        properties: { [pick(['size', ' size', ' ', 'shoe size'])]: pick(['', 'S', 'M', '1', 1, true, 1e21]) },
      },
    }),
  ({ control }, { pick }) =>
    control('POST', '/control/attributes', {
      companyId,
      name: pick(['size', 'shoe size', 'colour']),
      type: pick(['string', 'number']),
      values: pick([null, ['S', 'M'], ['1', '2']]),
    }),
  ({ control, emulator: { deps } }, { pick, idOf }) =>
    control('POST', `/control/attributes/${encodeURIComponent(idOf(deps.store.attributeDefinitions.records()))}`, {
      type: pick(['string', 'number']),
      values: pick([null, ['S'], ['1']]),
    }),
  ({ call }, { pick, name }) =>
    call('POST', '/subscriptions', {
      json: {
        user: { phone: name('+1555555012'), email: name('b@example.com') },
        signUpSourceId: pick(['100001', '100002']),
      },
    }),
  ({ call }, { name }) =>
    call('POST', '/identity-resolution/user-identifiers', {
      json: { phone: name('+1555555012'), email: name('B@example.com'), clientUserId: name('client') },
    }),
  ({ call }, { name }) =>
    call('POST', '/identity-resolution/user-identifiers', {
      json: { klaviyoId: name('k'), customIdentifiers: [{ name: name('kind'), value: name('value') }] },
    }),
  ({ call }, { name }) =>
    call('POST', '/subscriptions/unsubscribe', { json: { user: { phone: name('+1555555012') } } }),
  ({ control, emulator: { deps } }, { idOf }) =>
    control('DELETE', `/control/sign-up-units/${idOf(deps.store.signUpUnits.records())}`),
  ({ control }, { pick }) =>
    control('POST', '/control/sign-up-units', {
      companyId,
      language: 'en',
      country: 'US',
      type: pick(['MARKETING', 'TRANSACTIONAL']),
      name: pick(['100002', 'Footer']),
    }),
  ({ control }, { name }) => control('POST', '/control/companies', { name: name('Company') }),
  ({ control, emulator: { deps } }, { pick, idOf }) =>
    control('POST', '/control/apps', {
      companyId: idOf(deps.store.companies.records()),
      name: 'Shop',
      ...pick([{ kind: 'private' }, { kind: 'public', redirectUris: ['http://localhost:3000/'] }]),
      scopes: pick([[], ['webhooks:write']]),
    }),
  ({ control }) => control('POST', '/control/snapshots', { name: 'kept', overwrite: true }),
  ({ control }) => control('POST', '/control/snapshots/kept/restore', { mode: 'merge' }),
  // After it other things get the same ids, so that a merge has something to tell apart.
  async ({ emulator, control }) => {
    await control('POST', '/control/snapshots', { name: 'kept', overwrite: true });
    await emulator.reset('demo');
    await control('POST', '/control/pace', { pace: 'manual' });
    await control('POST', '/control/clock', { freeze: true });
  },
  async (sandbox, { pick }) => {
    const code = await consent(sandbox, {}, pick(sandbox.emulator.deps.store.companies.records())?.name);
    const form = { grant_type: 'authorization_code', code, ...demoApp };
    const { body } = await sandbox.call('POST', '/authorization-codes/tokens', { key: null, form });
    const { access_token: key = null } = (body ?? {}) as { readonly access_token?: string };
    await sandbox.call('POST', '/webhooks', { key, json: { url: 'http://127.0.0.1:9/', events: ['sms.sent'] } });
  },
];

const worldOf = async ({ control }: Sandbox): Promise<WorldDeclaration> =>
  ((await control('GET', '/control/world')).body as { readonly world: WorldDeclaration }).world;

test.for([1, 2, 136])('whatever was done, a saved world starts the same world: steps of seed %d', async (seed) => {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const sandbox = await startSandbox({ pace: 'manual' });
  onTestFinished(() => sandbox.close());
  for (const change of [{ freeze: true }, { set: '2026-11-01T12:00:00Z' }])
    expect((await sandbox.control('POST', '/control/clock', change)).status).toBe(200);
  const name = (kind: string): string =>
    kind.startsWith('+') ? kind + pick(['01', '02', '03']) : pick(['x', 'y', 'z']) + kind;
  const idOf = (records: readonly { readonly id: string }[]): string => pick(records)?.id ?? 'none';
  for (let count = 0; count < 80; count += 1) await pick(steps)(sandbox, { pick, idOf, name });
  const world = await worldOf(sandbox);
  const second = await startSandbox({ world });
  onTestFinished(() => second.close());
  expect(await worldOf(second)).toEqual(world);
});

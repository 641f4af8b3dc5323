import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

test('GET /me says whose key it is', async () => {
  const answer = await sandbox.call('GET', '/me');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    applicationName: 'Demo app',
    attentiveDomainName: 'sandpiper.attn.example',
    companyName: 'Sandpiper Supply Co.',
    contactEmail: 'dev@sandpiper.example',
    companyId: demoCompany,
  });
});

test('each company sees itself', async () => {
  const [one, other] = [
    await sandbox.call('GET', '/me'),
    await sandbox.call('GET', '/me', { key: 'sandpiper-other-key' }),
  ];
  expect((one.body as { companyId: string }).companyId).not.toBe((other.body as { companyId: string }).companyId);
});

import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { goTo, useInspector } from '../support/browser.ts';
import { act } from '../support/world.ts';

const inspector = useInspector();

async function placeOf(phone: string): Promise<string> {
  const json = { companyId: demoCompany, subscriber: { phone }, channel: 'TEXT', text: 'Sale', force: true };
  await act(inspector.sandbox, 'POST', '/control/messages', json);
  const users = [...inspector.sandbox.emulator.deps.store.users.all()];
  const person = users.find(({ addresses }) => addresses.some(({ value }) => value === phone));
  return `/subscribers/${encodeURIComponent(person?.id ?? '')}`;
}

test('a reply that is typed for one person is not sent as another, and is still there later', async () => {
  const other = await placeOf('+15555550103');
  const page = await inspector.open(await placeOf('+15555550100'));
  const phone = page.getByRole('region', { name: 'Phone, simulated' });
  const reply = (who: string) => phone.getByRole('textbox', { name: `Reply as ${who}` });
  await reply('+1 555 555 0100').fill('Where is my order?');
  await goTo(page, other);
  await reply('+1 555 555 0103').waitFor();
  expect(await reply('+1 555 555 0103').inputValue()).toBe('');
  await page.goBack();
  await expect.poll(() => reply('+1 555 555 0100').inputValue()).toBe('Where is my order?');
  await reply('+1 555 555 0100').press('Enter');
  await phone.getByText('Stored the reply.').waitFor();
  await expect.poll(() => reply('+1 555 555 0100').inputValue()).toBe('');
});

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { act as actByCommand, type TapName } from '../../emulator/commands/messages.ts';
import { showRecords } from '../../emulator/commands/records.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Subscription } from '../../emulator/records.ts';
import { useSandbox } from '../support/sandbox.ts';
import { createDoors } from './support.ts';

/** The same cases through every interface: whatever ended or began a subscription, all of them show the same. */
const sandbox = useSandbox();
let doors: ReturnType<typeof createDoors>;

/** Ada in the demo data is subscribed to marketing at both. */
const phone = '+15555550100';
const email = 'ada@example.com';
const second = { phone: '+15555550190', email: 'ada.second@example.com' };
const shared = 'family@example.com';
const [one, other] = ['+15555550191', '+15555550192'] as const;

beforeEach(async () => {
  await sandbox.reset();
  doors = createDoors(sandbox);
  await doors.listen();
});

const by = (address: string) => (address.includes('@') ? { email: address } : { phone: address });
const connection = () => ({ url: sandbox.emulator.inspectorUrl, token: sandbox.emulator.token, terminal: process });

/** What a command prints with --json. */
async function printed(command: () => Promise<void>): Promise<unknown> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  await command();
  const text = write.mock.calls.map(([piece]) => String(piece)).join('');
  write.mockRestore();
  return JSON.parse(text);
}

/** Interface → whether an address is subscribed to marketing there; null if it is unknown. */
const readers: { readonly [door: string]: (address: string) => Promise<boolean | null> } = {
  async REST(address) {
    const read = await doors.read(by(address));
    if (typeof read === 'number') return null;
    const line = read.find((text) => text.startsWith(`MARKETING ${address.includes('@') ? 'EMAIL' : 'TEXT'}:`));
    return line?.endsWith(': true') ?? null;
  },
  async GraphQL(address) {
    const user = await doors.graphqlUser(by(address));
    const line = user?.subscriptions.find((text) => text.startsWith(`${address}: `));
    return line?.endsWith(': true') ?? null;
  },
  async 'the window'(address) {
    const query = new URLSearchParams({ companyId: demoCompany, search: address });
    const list = (await sandbox.control('GET', `/control/people?${query}`)).body as { people: { id: string }[] };
    const [found] = list.people;
    if (!found) return null;
    const { body } = await sandbox.control('GET', `/control/people/${found.id}`);
    return isSubscribed((body as { subscriptions: Subscription[] }).subscriptions, address);
  },
  async 'the command line'(address) {
    const records = await printed(() =>
      showRecords('subscriptions', undefined, { ...connection(), json: true, limit: 1_000 }),
    );
    return isSubscribed(records as readonly Subscription[], address);
  },
};

function isSubscribed(subscriptions: readonly Subscription[], address: string): boolean | null {
  const found = subscriptions.find((subscription) => subscription.address === address);
  return found ? found.status === 'subscribed' : null;
}

/** Every interface says the same of these addresses, and exactly these events left, each with the address it is about. */
async function expectEverywhere(
  addresses: Readonly<Record<string, boolean | null>>,
  events: readonly string[],
): Promise<void> {
  const left = doors
    .sent()
    .map(({ type, phone: told, email: mailed }) => `${type} ${type.startsWith('sms.') ? told : mailed}`);
  expect(left).toEqual(events);
  for (const [door, read] of Object.entries(readers)) {
    const shown: Record<string, boolean | null> = {};
    for (const address of Object.keys(addresses)) shown[address] = await read(address);
    expect(shown, door).toEqual(addresses);
  }
}

test('every interface shows a new number of a known person', async () => {
  await doors.subscribe({ phone: second.phone, email });
  await expectEverywhere({ [phone]: true, [email]: true, [second.phone]: true }, [
    `sms.subscribed ${second.phone}`,
    `sms.sent ${second.phone}`,
  ]);
});

test('every interface shows a second email of a known person', async () => {
  await doors.subscribe({ phone, email: second.email });
  const left = [`sms.sent ${phone}`, `email.subscribed ${second.email}`];
  await expectEverywhere({ [phone]: true, [email]: true, [second.email]: true }, left);
});

test('every interface shows the numbers of two people who share an email', async () => {
  await doors.subscribe({ phone: one, email: shared });
  await doors.subscribe({ phone: other, email: shared });
  doors.sent();
  await doors.unsubscribe({ phone: other });
  await expectEverywhere({ [one]: true, [shared]: true, [other]: false }, [
    `sms.unsubscribed ${other}`,
    `sms.sent ${other}`,
  ]);
});

const command = (to: string, what: TapName, text?: string) =>
  printed(() => actByCommand(doors.latest(to).id, what, { ...connection(), json: true, ...(text ? { text } : {}) }));
const receiveMail = async (to: string): Promise<void> => {
  await doors.compose({ subscriber: { email: to }, channel: 'EMAIL', subject: 'Sale', text: 'Sale' });
  doors.sent();
};

const phoneDoors = {
  REST: () => doors.unsubscribe({ phone: second.phone }),
  GraphQL: () => doors.graphqlUnsubscribe({ phone: second.phone }),
  'STOP on the simulated phone': () => doors.act(doors.latest(second.phone), { act: 'reply', text: 'STOP' }),
  '"sandpiper act MESSAGE reply --text STOP"': () => command(second.phone, 'reply', 'STOP'),
} as const;

test.for(Object.entries(phoneDoors))(
  'every interface shows that a second number was unsubscribed by %s, and that it is subscribed again later',
  async ([, unsubscribe]) => {
    await doors.subscribe({ phone: second.phone, email });
    doors.sent();
    await unsubscribe();
    await expectEverywhere({ [phone]: true, [email]: true, [second.phone]: false }, [
      `sms.unsubscribed ${second.phone}`,
      `sms.sent ${second.phone}`,
    ]);
    await doors.subscribe({ phone: second.phone });
    await expectEverywhere({ [phone]: true, [email]: true, [second.phone]: true }, [
      `sms.subscribed ${second.phone}`,
      `sms.sent ${second.phone}`,
    ]);
  },
);

const emailDoors = {
  REST: () => doors.unsubscribe({ email: second.email }),
  GraphQL: () => doors.graphqlUnsubscribe({ email: second.email }),
  'the link in the simulated inbox': async () => {
    await receiveMail(second.email);
    return doors.act(doors.latest(second.email), { act: 'unsubscribe' });
  },
  '"sandpiper act MESSAGE unsubscribe"': async () => {
    await receiveMail(second.email);
    return command(second.email, 'unsubscribe');
  },
} as const;

test.for(Object.entries(emailDoors))(
  'every interface shows that a second email was unsubscribed by %s, and that it is subscribed again later',
  async ([, unsubscribe]) => {
    await doors.subscribe({ phone, email: second.email });
    doors.sent();
    await unsubscribe();
    await expectEverywhere({ [phone]: true, [email]: true, [second.email]: false }, [
      `email.unsubscribed ${second.email}`,
    ]);
    await doors.subscribe({ email: second.email });
    await expectEverywhere({ [phone]: true, [email]: true, [second.email]: true }, [
      `email.subscribed ${second.email}`,
    ]);
  },
);

test('every interface shows the subscriptions of two people who became one', async () => {
  await doors.event({ type: 'Visit', user: { phone: '+15555550101', email: 'grace@example.com' } });
  const addresses = { '+15555550101': true, 'grace@example.com': true };
  await expectEverywhere(addresses, []);
  expect(doors.people({ phone: '+15555550101' })).toEqual(doors.people({ email: 'grace@example.com' }));
});

test('no interface shows an address of a person who was deleted', async () => {
  await doors.subscribe({ phone: second.phone, email });
  doors.sent();
  await doors.erase({ phone: second.phone });
  await expectEverywhere({ [phone]: null, [email]: null, [second.phone]: null }, []);
});

import { array, assert, asyncProperty, constant, constantFrom, oneof, record, type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { Delivery, Subscription } from '../../emulator/records.ts';
import { useSandbox } from '../support/sandbox.ts';
import { createDoors } from './support.ts';

const sandbox = useSandbox();

/** Three people who share some of these: identifiers in one request belong to one person from then on. */
const phones = ['+15555550201', '+15555550202', '+15555550203'] as const;
const emails = ['one@example.com', 'Two@example.com', 'three@example.com'] as const;

const phone = constantFrom(...phones);
const email = constantFrom(...emails);
interface Named {
  readonly phone?: string;
  readonly email?: string;
}
const named: Arbitrary<Named> = oneof(record({ phone }), record({ email }), record({ phone, email }));
const withPhone: Arbitrary<Named> = record({ phone });
const step = oneof(
  { weight: 4, arbitrary: record({ does: constant('subscribe' as const), who: named }) },
  { weight: 3, arbitrary: record({ does: constant('unsubscribe' as const), who: named }) },
  { weight: 1, arbitrary: record({ does: constant('graphqlSubscribe' as const), who: named }) },
  { weight: 1, arbitrary: record({ does: constant('graphqlUnsubscribe' as const), who: named }) },
  { weight: 1, arbitrary: record({ does: constant('stop' as const), who: withPhone }) },
  { weight: 1, arbitrary: record({ does: constant('event' as const), who: named }) },
  { weight: 1, arbitrary: record({ does: constant('identify' as const), who: named }) },
  { weight: 1, arbitrary: record({ does: constant('erase' as const), who: named }) },
);

const has = (values: readonly (string | undefined)[], value: string): boolean =>
  values.some((one) => one?.toLowerCase() === value.toLowerCase());

test('any order of subscribing, unsubscribing, merging and deleting keeps addresses, subscriptions and events together', async () => {
  await assert(
    asyncProperty(array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      await sandbox.reset();
      const doors = createDoors(sandbox);
      const { store } = sandbox.emulator.deps;
      await doors.listen();
      for (const { does, who } of steps) {
        const before = new Map(([...store.subscriptions.all()] as readonly Subscription[]).map((one) => [one.id, one]));
        const found = doors.people(who);
        if (does === 'event') await doors.event({ type: 'Visit', user: who });
        else if (does === 'identify') await doors.identify({ ...who, clientUserId: 'c-shared' });
        else if (does === 'graphqlUnsubscribe')
          await doors
            .graphqlUnsubscribe(who)
            .catch((error: Error) => expect(error.message).toContain('Subscriptions not found'));
        else if (does === 'stop') {
          if (doors.texts(who.phone ?? '').length > 0)
            await doors.act(doors.latest(who.phone ?? ''), { act: 'reply', text: 'STOP' });
        } else await doors[does](who);

        // No subscription without an address of its person, and no person twice at one address.
        for (const { userId, address } of store.subscriptions.all()) {
          const owner = store.users.get(userId);
          expect(owner?.addresses.map(({ value }) => value)).toContain(address);
        }
        const keys = [...store.users.all()].flatMap(({ companyId, addresses }) =>
          addresses.map(({ value }) => `${companyId} ${value.toLowerCase()}`),
        );
        expect(new Set(keys).size).toBe(keys.length);

        // Events name the address that they are about: one of those in the request.
        for (const { type, phone: told, email: mailed } of doors.sent()) {
          const about = type.startsWith('sms.') ? told : type.startsWith('email.') ? mailed : undefined;
          if (about !== undefined) expect(has([who.phone, who.email], about), `${type} about ${about}`).toBe(true);
        }

        // Unsubscribing changes only the named addresses.
        if (does === 'unsubscribe' || does === 'graphqlUnsubscribe' || does === 'stop')
          for (const { id, address, status } of store.subscriptions.all())
            if (!has([who.phone, who.email], address)) expect(status).toBe(before.get(id)?.status);

        // Nothing is left of people that a deletion request matched.
        if (does === 'erase') {
          expect(doors.people(who)).toEqual([]);
          const gone = new Set(found.map(({ id }) => id));
          for (const name of store.names.filter((one) => store.definitions[one]?.person))
            for (const record of store.collection(name).all())
              expect(gone.has((record as { userId?: string }).userId ?? '')).toBe(false);
          // Nor is any address of theirs anywhere, but in the deletion requests.
          const { privacyRequests: _requests, ...rest } = store.toDocument().collections;
          const text = JSON.stringify(rest).toLowerCase();
          for (const { value } of found.flatMap(({ addresses }) => addresses))
            expect(text).not.toContain(value.toLowerCase());
        }
      }
      const waiting = ([...store.deliveries.all()] as readonly Delivery[]).filter(
        ({ companyId }) => companyId !== demoCompany,
      );
      expect(waiting).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

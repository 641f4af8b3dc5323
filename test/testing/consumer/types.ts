// Compiled without the types of Node and without skipLibCheck: the declarations need no others.
import { defineConfig, type Config } from 'sandpiper/config';
import { ControlRefusal, createSandbox, type DeliveryFilter, type Sandbox, type UserError } from 'sandpiper/testing';

export async function use(): Promise<readonly string[]> {
  const sandbox: Sandbox = await createSandbox({ pace: 'manual', world: 'demo', rateLimits: 'real' });
  const filter: DeliveryFilter = { type: 'sms.sent', state: 'delivered' };
  const { eventId, attempts } = await sandbox.waitForDelivery(filter, { timeoutMs: 10 });
  const { fired } = await sandbox.clock.advance('30d');
  const receiver = await sandbox.receiver();
  receiver.answerWith({ status: 500 }, {});
  const { raw } = await receiver.next({ type: 'sms.sent' });
  const uploads = await sandbox.control.records('uploads');
  const bytes: number | null | undefined = uploads[0]?.bytes;
  const chosen = await sandbox.control.records<{ readonly id: string }>('uploads');
  const { person } = await sandbox.control.call('GET /control/people/{id}', { params: { id: 'user_1' } });
  const { says } = await sandbox.control.act('msg_1', { act: 'reply', text: 'STOP' });
  // @ts-expect-error the answer to an act has no such member
  await sandbox.control.act('msg_1', { act: 'open' }).then((result) => result.basis.says);
  // @ts-expect-error a call that does not exist
  await sandbox.control.call('GET /control/person');
  // @ts-expect-error a call that needs its parameter
  await sandbox.control.call('GET /control/people/{id}');
  // @ts-expect-error a kind whose records have no states
  await sandbox.waitForState('users', 'user_1', 'active');
  // @ts-expect-error a state that no upload is in
  await sandbox.waitForState('uploads', 'up_1', 'complete');
  // @ts-expect-error a move that no upload makes
  await sandbox.control.move('uploads', 'up_1', 'finish');
  // @ts-expect-error an event type that does not exist
  await sandbox.trigger({ type: 'sms.subscribe' });
  // @ts-expect-error an operation that does not exist
  sandbox.requests({ operation: 'POST /subscription' });
  // @ts-expect-error the same for a fault
  await sandbox.fault({ operation: 'POST /subscription', status: 503 });
  // @ts-expect-error a rule that does not exist
  sandbox.requests({ rule: 'nope' });
  const { operation, rule } = await sandbox.waitForRequest({ operation: 'GET /me', rule: 'auth.scope' });
  sandbox.requests({ ...(operation && { operation }), ...(rule && { rule }) });
  await sandbox.fault({ operation: '*', status: 503 });
  // @ts-expect-error a filter that does not exist
  await sandbox.waitForRequest({ url: '/me' });
  // @ts-expect-error requests may be missing
  const { path } = sandbox.requests()[0];
  const count = attempts.length + fired.length + raw.length + chosen.length + (bytes ?? 0);
  return [eventId, path, person.id, says, String(count)];
}

export const isRefusal = (error: unknown): boolean => error instanceof ControlRefusal && error.status === 404;
export const toMessage = (error: UserError): string => error.message;

export const config: Config = defineConfig({
  port: 4747,
  seed: undefined,
  pace: 'instant',
  allowHost: ['sandpiper.test'],
});
// @ts-expect-error an option that does not exist
export const misspelt: Config = defineConfig({ prot: 4747 });

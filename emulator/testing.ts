/** `sandpiper/testing`: a platform of its own for a test file or a single test, in vitest, jest or node:test. */
import { resolve } from 'node:path';
import type { WorldDeclaration } from './declared-world/schema.ts';
import { didYouMean, UserError } from './errors.ts';
import { createClock, toIso } from './time/clock.ts';
import { toEnvironment } from './commands/environment.ts';
import { uiDir } from './commands/ui-dir.ts';
import { createControlClient } from './control/client/control-client.ts';
import { webhookTime as webhookTimes } from './control/contract/webhooks.ts';
import { clientKeysOf } from './declared-world/demo.ts';
import { showClock } from './delivery/headers.ts';
import { choices, defaultChoices } from './http/choices.ts';
import { defaultOptions } from './options.ts';
import { operationNames } from './http/app.ts';
import { rateLimitModes } from './http/shapes.ts';
import { startEmulator } from './start-emulator.ts';
import type { Sandbox, SandboxOptions, SandboxReceiver, WorldName } from './testing/api.ts';
import { checkFields, checkValue, type Expected } from './testing/checks.ts';
import { decideInstall } from './testing/consent.ts';
import { createSandboxControl, type WhileOpen } from './testing/control.ts';
import { createDeliveryWaits } from './testing/deliveries.ts';
import { startReceiver } from './testing/receiver.ts';
import { createRequests } from './testing/requests.ts';
import { createStateWaits } from './testing/states.ts';
import { createWaiting, keepStack } from './testing/waiting.ts';
import { paces } from './time/pace.ts';

export { ControlRefusal } from './control/client/control-refusal.ts';
export { UserError } from './errors.ts';
export type * from './testing/api.ts';

const worlds: readonly string[] = ['demo', 'empty'] satisfies readonly WorldName[];

const anyWorld: Expected = {
  takes: 'demo, empty, the path of a world file, or a world as defineWorld types it',
  fits: (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
};

/** Warns of the first wait that no code awaited: its test ended without it, and passed. */
function warnOf([first]: readonly UserError[]): void {
  if (!first) return;
  const [, ...frames] = (first.stack ?? '').split('\n');
  process.emitWarning(`${first.message} Was it awaited?`, { type: 'SandpiperWarning', detail: frames.join('\n') });
}

/** Drops the options that are undefined: they count as not given. */
const withoutUndefined = (options: SandboxOptions): SandboxOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** The declared world, as a path or an object; null for a world that has a name. */
function toDeclared(world: SandboxOptions['world']): string | WorldDeclaration | null {
  if (typeof world !== 'string') return world ?? null;
  if (worlds.includes(world)) return null;
  // Resolve now: the working folder may be different when a reset reads the file again.
  if (/\.\w+$/.test(world)) return resolve(world);
  throw new UserError(`world of createSandbox cannot be ${JSON.stringify(world)}. ${didYouMean(world, worlds)}`);
}

// In a build the worker is next to this file; in the sources it is in the folder of its feature. Only an entry can find
// it, because the build moves other modules.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./features/catalog/check/worker.ts', import.meta.url)
  : new URL('./catalog-worker.cjs', import.meta.url);

/**
 * Starts an isolated platform in memory, on free ports of this machine. Any number of them can run at the same time.
 * End it with `close` or `await using`. Then no timer, socket, file or listener is left.
 * @throws UserError for an unknown option or value; the message names the nearest known one
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkFields('createSandbox', options, {
    pace: paces,
    world: anyWorld,
    rateLimits: rateLimitModes,
    webhookTime: webhookTimes.enum,
    ...choices,
  });
  const {
    pace = 'instant',
    world = 'demo',
    rateLimits = 'off',
    webhookTime = 'wall',
    ...chosen
  } = withoutUndefined(options);
  const declared = toDeclared(world);
  const emulator = await startEmulator({
    ...defaultOptions,
    port: 0,
    inspectorPort: 0,
    dataDir: null,
    world: declared,
    pace,
    rateLimits,
    choices: { ...defaultChoices, ...chosen },
    workerUrl,
    uiDir: uiDir(),
    keepsAlive: false,
    onNotice: (text) => process.emitWarning(text, 'SandpiperWarning'),
  });
  const { apiUrl, authUrl, inspectorUrl, token, recorder } = emulator;
  const { clock, store, feed } = emulator.deps;
  if (world === 'empty') await emulator.reset('empty');
  showClock(store, webhookTime);

  let closing: Promise<void> | null = null;
  const checkOpen = (): void => {
    if (closing) throw new UserError('The sandbox is closed. Create another one with createSandbox.');
  };
  /** Refuses work after the end. Work that was under way then fails in various ways, so it gets the same refusal. */
  const whileOpen: WhileOpen = async (work) => {
    checkOpen();
    // When the work fails, the stack no longer names the line of the call.
    const toFailure = keepStack(whileOpen);
    try {
      return await work();
    } catch (error) {
      if (closing) throw toFailure('The sandbox is closed, and this call was still under way. Was it awaited?');
      throw error;
    }
  };
  const control = createSandboxControl(createControlClient({ url: inspectorUrl, token, caller: 'library' }), whileOpen);
  const { call } = control;
  const waiting = createWaiting(clock, 'sandbox');
  const unsubscribe = feed.subscribe(waiting.news);
  const requests = createRequests({ recorder, waiting, operations: operationNames(emulator.operations) });
  const deliveries = createDeliveryWaits({ store, waiting });
  const waitForState = createStateWaits({ store, waiting, control, lifecycles: emulator.lifecycles });
  let keys = clientKeysOf(store);
  const receivers: Promise<SandboxReceiver>[] = [];

  const end = async (): Promise<void> => {
    unsubscribe();
    const forgotten = waiting.close();
    await Promise.allSettled(receivers.map(async (one) => (await one).close()));
    await emulator.close();
    // Later, because the code that closes may await only now.
    createClock().afterWall(10, () => warnOf(forgotten()));
  };
  const close = (): Promise<void> => (closing ??= end());

  return {
    apiUrl,
    authUrl,
    graphqlUrl: `${apiUrl}/graphql`,
    inspectorUrl,
    token,
    get key() {
      if (keys.key === null)
        throw new UserError(
          'This world has no API key. Declare a private app in it, or make a key: control.createKey.',
        );
      return keys.key;
    },
    get env() {
      return toEnvironment(emulator, keys);
    },
    control,
    clock: {
      now() {
        checkOpen();
        return toIso(clock.now());
      },
      advance: (length) => call('POST /control/clock', { body: { advance: length } }),
      set: (time) => call('POST /control/clock', { body: { set: time } }),
      freeze: (freeze = true) => call('POST /control/clock', { body: { freeze } }),
      rate: (rate) => call('POST /control/clock', { body: { rate } }),
      real: () => call('POST /control/clock', { body: { real: true } }),
      rewind: () => call('POST /control/clock', { body: { rewind: true } }),
    },
    snapshot: {
      save: (name) => call('POST /control/snapshots', { body: { name, overwrite: true } }),
      restore: (name) => call('POST /control/snapshots/{name}/restore', { params: { name } }),
    },
    requests(filter) {
      checkOpen();
      return requests.list(filter);
    },
    waitForRequest: requests.wait,
    deliveries(filter) {
      checkOpen();
      return deliveries.list(filter);
    },
    waitForDelivery: deliveries.wait,
    waitForState,
    trigger: (body) => call('POST /control/trigger', { body }),
    fault: (body) => call('POST /control/faults', { body }),
    receiver: () =>
      whileOpen(() => {
        const starting = startReceiver(clock, deliveries.storyOf);
        receivers.push(starting);
        return starting;
      }),
    decideInstall: (installUrl, decision) => whileOpen(() => decideInstall(authUrl, installUrl, decision)),
    reset: (to) =>
      whileOpen(async () => {
        if (to !== undefined) checkValue('world of reset', to, worlds);
        await emulator.reset(to ?? (world === 'empty' ? 'empty' : 'start'), { keepSettings: false });
        showClock(store, webhookTime);
        keys = clientKeysOf(store);
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

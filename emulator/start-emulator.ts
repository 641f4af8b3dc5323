import { createControlServer } from './control/control-server.ts';
import { createStepWatch } from './control/first-steps.ts';
import { createOwnErrors, type OwnErrors } from './control/server/own-errors.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createReceiver } from './delivery/receiver.ts';
import type { Deps } from './deps.ts';
import { createFeatures, type Features } from './features/index.ts';
import { createFeed } from './feed.ts';
import { createApiServer } from './http/api-server.ts';
import { operationNames } from './http/app.ts';
import { createFaults } from './http/faults/faults.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createRecorder, type Recorder } from './http/record/recorder.ts';
import { createTraffic } from './http/traffic.ts';
import { createLifecycles, type Lifecycles } from './lifecycles.ts';
import { createTaps } from './messages/taps.ts';
import { createMessages } from './messages/messages.ts';
import { createPorts } from './net/ports.ts';
import { createUploadLinks } from './objects/upload-links.ts';
import type { EmulatorOptions } from './options.ts';
import { createUsers } from './people/users.ts';
import { allRules } from './control/rules/rule-registry.ts';
import { startWithEnd, type Ending } from './world/start-with-end.ts';
import { keptToken, removeInstance, writeInstance } from './store/instance-file.ts';
import { openStore } from './store/store.ts';
import { createClock } from './time/clock.ts';
import { createTimeSettings } from './time/time-settings.ts';
import { readVersion } from './control/server/version.ts';
import { createReset, type Reset } from './world/reset.ts';
import { openResetMark } from './world/reset-mark.ts';
import { fillIfEmpty } from './world/seed.ts';
import { createSnapshots } from './world/snapshots.ts';
import { createUndo } from './world/undo.ts';
import { createWorld } from './world/world.ts';

/** A running emulator. Its addresses are the local ones, on which it listens; `deps.urls` has the public ones. */
export interface Emulator {
  /** `{base_url}`, ends in /v1. */
  readonly apiUrl: string;
  /** `{auth_url}`, and the root of the object store. */
  readonly authUrl: string;
  readonly inspectorUrl: string;
  /** The control API's bearer token. */
  readonly token: string;
  readonly dataDir: string | null;
  readonly deps: Deps;
  readonly lifecycles: Lifecycles;
  readonly recorder: Recorder;
  readonly operations: Features['operations'];
  readonly reset: Reset;
  readonly ownErrors: Pick<OwnErrors, 'expectNone' | 'clear'>;
  /**
   * Stops both servers and writes everything. Nothing is lost or left running, even if a step fails; the error is
   * thrown at the end. With `checkReplies` it also throws for internal errors that were not cleared.
   */
  close(): Promise<void>;
}

/**
 * Starts an emulator. If that fails, nothing is left running, and a data folder that was made for it is removed.
 * @throws UserError or StoreError if a port, the host or the data folder cannot be used; the message says what to do
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  return startWithEnd(options, (ending) => start(options, ending));
}

/** Opens the store, wires the parts, listens on both ports. @param ending collects the steps that end the parts */
async function start(options: EmulatorOptions, ending: Ending): Promise<Omit<Emulator, 'close'>> {
  const { onNotice, checkReplies, keepsAlive, allowHosts } = options;
  const ports = createPorts(options);
  const { urls, ownName, publicUrl } = ports;
  const version = readVersion();
  const { steps: cleanUp } = ending;

  // Time, and the records.
  const feed = createFeed();
  const clock = createClock({
    onError: (error) => ownErrors.tell(error),
    onJump: (jump) => feed.publish({ type: 'jump', jump }),
  });
  const ownErrors = createOwnErrors({ clock, feed, onNotice });
  // The steps run in reverse order, so this check is the last one.
  if (checkReplies) cleanUp.push(() => ownErrors.expectNone());
  const store = await openStore({ dataDir: options.dataDir, now: clock.now });
  cleanUp.push(() => (ending.hasFailed ? store.abandon() : store.close()));
  const token = options.token ?? keptToken(store.dataDir);
  const time = createTimeSettings({ store, clock, pace: options.pace, onNotice });
  time.resume();

  // The platform itself.
  const users = createUsers(store);
  const features = createFeatures({ store, clock, feed, delays: time.delay, workerUrl: options.workerUrl });
  const traffic = createTraffic(clock);
  const deliveries = createDeliveries({
    store,
    clock,
    feed,
    ownPorts: ports.own,
    hasRequests: traffic.isBusy,
    onError: (error) => ownErrors.tell(error),
  });
  const messages = createMessages({ store, deliveries, urls });
  const taps = createTaps({ store, deliveries, messages });
  const links = createUploadLinks({ store, urls });
  const deps: Deps = {
    store,
    clock,
    feed,
    users,
    choices: options.choices,
    urls,
    ...features.lifecycles,
    messages,
    taps,
    deliveries,
    signUploadUrl: links.sign,
  };

  // The developer's tools: record, break, snapshot, undo, reset.
  const operations = [...features.operations, ...features.rootOperations];
  const { dataDir } = store;
  const mark = openResetMark(store);
  const recorder = createRecorder({ store, clock, feed, limits: options.record, mark, onProblem: onNotice });
  cleanUp.push(() => recorder.end());
  const faults = createFaults({ clock, operations: operationNames(operations) });
  const limits = createRateLimits({ clock, mode: options.rateLimits });
  const steps = createStepWatch({ feed, store, clock });
  const world = createWorld({ store, clock, feed, recorder, time, features, mark, onNotice });
  cleanUp.push(() => world.activities.written());
  const lifecycles = createLifecycles({ ...features.lifecycles, deliveries: deliveries.lifecycle });
  const memory = [faults, limits, steps];
  const undo = createUndo({ store, clock, recorder, world, memory, poke: lifecycles.poke });
  const products = features.savedProducts;
  const snapshots = createSnapshots({ store, clock, world, undo, products, version });
  const reset = createReset({ options, store, clock, world, undo, faults, products, recorder, mark, memory });
  const receiver = createReceiver({ store, clock, keepsAlive });
  cleanUp.push(
    () => undo.close(),
    () => clock.close(),
    () => features.close(),
    () => receiver.stop(),
    () => deliveries.close(),
  );

  const api = createApiServer({
    deps,
    catalog: features.catalog,
    links,
    traffic,
    recorder,
    faults,
    limits,
    operations: features.operations,
    rootOperations: features.rootOperations,
    ownName,
    allowHosts,
    publicUrl,
    checkReplies,
    rules: allRules,
    onOwnError: (error, exchange) => ownErrors.tell(error, exchange.id),
  });
  const control = createControlServer({
    deps,
    features,
    lifecycles,
    recorder,
    faults,
    limits,
    time,
    world,
    undo,
    snapshots,
    steps,
    ownErrors,
    receiver,
    reset,
    options,
    hosts: { ownName, allowed: () => allowHosts, publicUrl: ports.publicInspectorUrl },
    token,
    version,
  });

  await fillIfEmpty(options, { store, clock, users, snapshots, undo, reset, onNotice });
  store.onCommit((changes) => {
    if (feed.watched) feed.publish({ type: 'changes', changes });
  });
  cleanUp.push(() => control.ended(clock.afterWall));
  await ports.open({ api, inspector: control.server }, clock.afterWall, (closePort) => cleanUp.push(closePort));
  cleanUp.push(() => {
    feed.publish({ type: 'end' });
    // Wait a moment, so that the event is sent before the connections are closed.
    return clock.sleepWall(0);
  });
  if (dataDir !== null) {
    const instance = { ...ports.toInstance(), token, pid: process.pid };
    // Remove the file before the servers end, so that no command calls a server that is about to stop.
    cleanUp.push(() => removeInstance(dataDir, instance));
    writeInstance(dataDir, instance);
  }
  // End a running advance at the time that it has reached; its caller is told.
  cleanUp.push(() => void clock.stop());
  features.resume();
  deliveries.resume();
  for (const notice of store.notices) onNotice(notice);

  return { ...ports.local(), token, dataDir, deps, lifecycles, recorder, operations, reset, ownErrors };
}

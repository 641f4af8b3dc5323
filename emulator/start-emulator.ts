import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { createClock, type Clock } from './time/clock.ts';
import { toOpenApi } from './contract/openapi.ts';
import { createAccountRoutes } from './control/account-routes.ts';
import { createActing } from './control/acting.ts';
import { createAdminRoutes } from './control/admin-routes.ts';
import { createCountRoutes } from './control/count-routes.ts';
import { createControlApp } from './control/server.ts';
import { calls } from './control/calls.ts';
import { createCatalogHandlers } from './control/catalog.ts';
import { createDeliveryRoutes } from './control/delivery-routes.ts';
import { createFaultHandlers } from './control/faults.ts';
import { createMachineRoutes } from './control/machine-routes.ts';
import { createOwnErrorRoutes } from './control/own-error-routes.ts';
import { createMoveRoutes } from './control/move-routes.ts';
import { createReplayRoutes } from './control/replay-routes.ts';
import { createRequestRoutes } from './control/request-routes.ts';
import { createWelcomeRoutes } from './control/welcome-routes.ts';
import { createControlRoutes, toRecordView } from './control/routes.ts';
import { createFileSender, receiveFile } from './control/send-file.ts';
import { createSettingsRoutes } from './control/settings-routes.ts';
import { createSignatureRoutes } from './control/signature-routes.ts';
import { createSearchRoutes } from './control/search-routes.ts';
import { createSnapshotRoutes } from './control/snapshot-routes.ts';
import { createSummaryRoutes } from './control/summary-routes.ts';
import { createTimeRoutes } from './control/time-routes.ts';
import { toRoutes } from './control/route.ts';
import { createUploadHandlers } from './control/uploads.ts';
import { withUndo } from './control/undoable.ts';
import { createActs } from './messages/acts.ts';
import { createMessages } from './messages/messages.ts';
import { createMessageRoutes } from './control/message-routes.ts';
import { createPeopleRoutes } from './control/people-routes.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createGym } from './delivery/gym.ts';
import { createReceiver } from './delivery/receiver.ts';
import { createDraftEvent, type DraftDeps } from './delivery/draft-event.ts';
import { createTrigger } from './delivery/trigger.ts';
import type { Deps, Urls } from './deps.ts';
import { isEmpty, seedDemo } from './demo.ts';
import { errorBodies } from './errors.ts';
import { readSavedLines, savedBytes, writeSavedLines } from './features/catalog/saved/transfer.ts';
import { createFeatures } from './features/index.ts';
import { createFeed } from './feed.ts';
import { createStepWatch } from './control/first-steps.ts';
import { createApiApp, objectOperation } from './http/app.ts';
import { answerBrokenRequests } from './http/broken.ts';
import { operationName, type Endpoint } from './http/endpoint.ts';
import { createFaults } from './http/faults.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createRecorder, type Exchange, type Recorder } from './http/recorder.ts';
import { randomSecret } from './ids.ts';
import { checkHost, listen } from './net/listen.ts';
import type { Move } from './machine/table.ts';
import type { CollectionName, Delivery, DeliveryEvent, StoredRecord } from './records.ts';
import { toUrlHost } from './net/addresses.ts';
import { createUploadLinks } from './objects/upload-links.ts';
import { createObjectRouter } from './objects/router.ts';
import { prepareForUploads } from './objects/conversation.ts';
import type { EmulatorOptions } from './options.ts';
import { createOwnErrors } from './control/own-errors.ts';
import { delayAt } from './time/pace.ts';
import { plantSeed } from './world/seed.ts';
import { createSnapshots } from './world/snapshots.ts';
import { removeInstance, writeInstance } from './store/instance-file.ts';
import { emptyDocument, openStore } from './store/store.ts';
import { createTimeSettings, keptAtReset } from './time/time-settings.ts';
import { createUndo } from './world/undo.ts';
import { createUsers } from './people/users.ts';
import { createWorld } from './world/world.ts';

/** A running emulator. */
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
  readonly recorder: Recorder;
  readonly operations: readonly Endpoint[];
  reset(world: 'empty' | 'demo'): Promise<void>;
  /** Ends both servers and writes everything; nothing is lost and nothing is left running. */
  close(): Promise<void>;
}

/**
 * Starts an emulator: opens the store, wires the parts, listens on both ports.
 * @throws UserError where a port, the host or the data folder cannot be used; the message says what to do
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  checkHost(options.host, options.token);
  const { host, onNotice, checkReplies } = options;
  const clock: Clock = createClock({ onError: (error) => ownErrors.tell(error) });
  const feed = createFeed();
  const ownErrors = createOwnErrors({ clock, feed, onNotice });
  const store = await openStore({ dataDir: options.dataDir, now: clock.now });
  const time = createTimeSettings({ store, clock, pace: options.pace, onNotice });
  time.apply();
  const users = createUsers(store);
  const recorder = createRecorder({ clock, feed, ...options.record });
  const token = options.token ?? randomSecret(24);
  const urls: { -readonly [K in keyof Urls]: string } = { api: '', auth: '', inspector: '' };
  const features = createFeatures({
    store,
    clock,
    feed,
    delays: (name) => delayAt(time.pace(), name),
    workerUrl: options.workerUrl,
  });
  const operations = [...features.operations, ...features.rootOperations];
  const faults = createFaults({ clock, operations: [...operations.map(operationName), objectOperation] });
  const limits = createRateLimits({ clock, mode: options.rateLimits });
  const links = createUploadLinks({ store, urls });
  const onFault = (error: unknown, exchange?: Exchange): void => ownErrors.tell(error, exchange?.id);
  const ownPorts = (): readonly number[] =>
    [urls.auth, urls.inspector].flatMap((url) => (url === '' ? [] : Number(new URL(url).port)));
  let lastRequestAt = Number.NEGATIVE_INFINITY;
  const hasRequests = (): boolean => clock.monotonic() - lastRequestAt < 50;
  const deliveries = createDeliveries({ store, clock, feed, ownPorts, hasRequests, onError: onFault });
  const receiver = createReceiver(clock);
  const messages = createMessages({ store, deliveries, urls });
  const acts = createActs({ store, deliveries, messages });
  const deps: Deps = {
    store,
    clock,
    feed,
    users,
    urls,
    ...features.lifecycles,
    messages,
    acts,
    deliveries,
    signUploadUrl: links.sign,
  };

  const seed = (world: 'empty' | 'demo'): void => {
    if (world === 'demo') seedDemo(store, users, clock.now());
  };
  const version = readVersion();
  const world = createWorld({ store, clock, feed, time, features });
  const undo = createUndo({ store, clock, recorder, world });
  const products = { bytes: savedBytes, read: readSavedLines, write: writeSavedLines };
  const snapshots = createSnapshots({ store, clock, world, undo, products, version });
  const steps = createStepWatch({ feed, recorder, store, clock });
  const reset = (to: 'empty' | 'demo'): Promise<void> =>
    world.inTurn(async () => {
      undo.keepAllAndRequests(`Everything was reset to ${to === 'demo' ? 'the demo world' : 'an empty store'}.`);
      const nothing = { ...emptyDocument(), collections: keptAtReset(store.toDocument()) };
      await world.restore({ document: nothing, files: store.blobs.stage() });
      seed(to);
      recorder.clear();
      faults.clear();
      limits.reset();
      steps.reset();
    });
  const movesOf = (name: CollectionName, record: StoredRecord): readonly Move[] =>
    name === 'deliveries' ? deliveries.lifecycle.moves(record as Delivery) : features.movesOf(name, record);
  const moveRecord = async (name: CollectionName, id: string, event: string): Promise<void> => {
    if (name !== 'deliveries') return features.moveRecord(name, id, event);
    // Redelivering also asks whether its webhook still takes it; what is on its way already has no such move.
    const isWaiting = ['queued', 'delivering'].includes(store.deliveries.get(id)?.state ?? '');
    if (event === 'redeliver' && !isWaiting) deliveries.redeliver(id);
    else deliveries.lifecycle.fire(id, event as DeliveryEvent, { by: 'hand' });
  };
  try {
    if (!isEmpty(store)) {
      if (options.seed !== null)
        onNotice(
          `The store holds a world already, so the seed ${options.seed} was not planted. Reset to an empty folder first.`,
        );
    } else if (options.seed === null) seed('demo');
    else {
      const { renewedSecrets } = await plantSeed(options.seed, snapshots);
      undo.close();
      if (renewedSecrets.length > 0)
        onNotice(
          `${renewedSecrets.length} secrets are masked in the seed; new ones were made. Export with secrets to keep them.`,
        );
    }
  } catch (error) {
    clock.close();
    await store.close();
    throw error;
  }
  store.onCommit((changes) => {
    if (feed.watched)
      feed.publish({ type: 'records', changes: changes.map(({ collection, id }) => ({ collection, id })) });
  });

  const api = createServer();
  const apiApp = createApiApp({
    deps,
    recorder,
    faults,
    limits,
    operations: features.operations,
    rootOperations: features.rootOperations,
    objectStore: createObjectRouter({
      blobs: store.blobs,
      clock,
      get secret() {
        return links.secret();
      },
      accepts: features.catalog.accepts,
      onStored: features.catalog.onStored,
    }),
    allowHosts: options.allowHosts,
    checkReplies,
    onFault,
  });
  const answerApi = apiApp.callback();
  api.on('request', answerApi);
  api.on('request', () => (lastRequestAt = clock.monotonic()));
  // 2 GB over a slow link takes longer than Node's five minutes; the object store has its own limit on silence.
  api.requestTimeout = 0;
  prepareForUploads(api, answerApi);
  answerBrokenRequests(api, recorder);

  const apiDocument = () =>
    toOpenApi({
      title: 'Messaging Platform API, emulated by Sandpiper',
      description: 'The emulated API. x-provenance says of each shape whether it is documented, observed or assumed.',
      version,
      server: urls.api,
      operations: features.operations,
      errorBodies,
      bearer: 'An API key of a private app, or an access token from the token exchange.',
    });
  const drafts: DraftDeps = {
    store,
    clock,
    users,
    messageFacts: (id) => messages.facts(id) as { readonly [name: string]: unknown } | null,
  };
  const deliveryRoutes = createDeliveryRoutes({
    store,
    clock,
    deliveries,
    recorder,
    trigger: createTrigger({ ...drafts, deliveries }),
    draftEvent: createDraftEvent(drafts),
    gym: createGym({ store, clock, deliveries }),
    receiver,
  });
  const lifecycles = { ...features.lifecycles, deliveries: deliveries.lifecycle };
  const act = createActing({
    store,
    undo,
    poke: (name, id) => (lifecycles as Partial<Record<CollectionName, { poke(id: string): void }>>)[name]?.poke(id),
  });
  const linkOf = (id: string): string => links.sign(id, Date.parse(store.uploads.get(id)?.expiresAt ?? ''));
  const sender = createFileSender({ store, urls, linkOf });
  const routes: readonly Endpoint[] = [
    ...toRoutes(calls, {
      ...createCatalogHandlers({ store, catalog: features.catalog }),
      ...createFaultHandlers({ faults, limits, clock, feed }),
      ...createUploadHandlers({ store, catalog: features.catalog, sender, linkOf }),
    }),
    ...createAccountRoutes({ store, act }),
    ...createAdminRoutes({ store, users, recorder, act }),
    ...createCountRoutes({ store }),
    ...withUndo(deliveryRoutes, { store, undo }),
    ...createSignatureRoutes({ store }),
    ...createMessageRoutes({ store, users, messages, acts }),
    ...createPeopleRoutes({ store, recorder }),
    ...createTimeRoutes({ store, clock, time, world, undo, rearm: features.rearm }),
    ...createSnapshotRoutes({ snapshots, undo, world, feed }),
    ...createReplayRoutes({ clock, feed, recorder, urls }),
    ...createRequestRoutes({ store, recorder, urls, version }),
    ...createWelcomeRoutes({ store, urls, steps }),
    ...createOwnErrorRoutes({ ownErrors }),
    ...createSettingsRoutes({ store, urls, options }),
    ...createSummaryRoutes({ store, faults, host }),
    ...createSearchRoutes({ store }),
    ...createMachineRoutes(),
    ...createMoveRoutes({
      store,
      movesOf,
      moveRecord,
      view: (name, record) => toRecordView(name, record, { movesOf }),
    }),
    ...withUndo(
      createControlRoutes({
        store,
        clock,
        recorder,
        movesOf,
        version,
        urls,
        reset,
        apiDocument,
        controlDocument: () =>
          toOpenApi({
            title: 'Sandpiper control API',
            description: 'What the inspector, the test library and the command line use.',
            version,
            server: urls.inspector,
            operations: routes,
            errorBodies: { control: errorBodies.control },
            bearer: 'The token printed at start.',
          }),
      }),
      { store, undo },
    ),
  ];
  const control = createServer(
    createControlApp({
      deps,
      feed,
      recorder,
      routes,
      token,
      allowHosts: options.allowHosts,
      checkReplies,
      uiDir: options.uiDir,
      receiveFile: receiveFile({ store, sender }),
      onFault,
    }).callback(),
  );

  const cleanUp: (() => Promise<void> | void)[] = [
    () => store.close(),
    () => undo.close(),
    () => clock.close(),
    () => features.stop(),
    () => receiver.stop(),
    () => deliveries.close(),
  ];
  const close = async (): Promise<void> => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  };
  try {
    const apiListening = await listen(api, { host, port: options.port, flag: '--port' });
    cleanUp.push(apiListening.close);
    const controlListening = await listen(control, { host, port: options.inspectorPort, flag: '--inspector-port' });
    cleanUp.push(controlListening.close);
    const name = toUrlHost(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host);
    urls.auth = `http://${name}:${apiListening.port}`;
    urls.api = `${urls.auth}/v1`;
    urls.inspector = `http://${name}:${controlListening.port}`;
    const { dataDir } = store;
    if (dataDir !== null) {
      // Taken away before anything else ends, so that no command asks a server that is on its way out.
      cleanUp.push(() => removeInstance(dataDir));
      writeInstance(dataDir, {
        apiUrl: urls.api,
        authUrl: urls.auth,
        inspectorUrl: urls.inspector,
        token,
        pid: process.pid,
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  features.resume();
  deliveries.resume();
  for (const notice of store.notices) onNotice(notice);

  return {
    apiUrl: urls.api,
    authUrl: urls.auth,
    inspectorUrl: urls.inspector,
    token,
    dataDir: store.dataDir,
    deps,
    recorder,
    operations,
    reset,
    close,
  };
}

/** The package's version; the build puts it in place of the constant, the source reads the file. */
function readVersion(): string {
  if (typeof SANDPIPER_VERSION === 'string') return SANDPIPER_VERSION;
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

declare const SANDPIPER_VERSION: string | undefined;

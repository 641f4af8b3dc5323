import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { createClock, type Clock } from './clock.ts';
import { toOpenApi } from './contract/openapi.ts';
import { createControlApp } from './control/server.ts';
import { createDeliveryRoutes } from './control/delivery-routes.ts';
import { createFaultRoutes } from './control/fault-routes.ts';
import { createControlRoutes } from './control/routes.ts';
import { createDeliveries } from './delivery/deliveries.ts';
import { createGym } from './delivery/gym.ts';
import { createReceiver } from './delivery/receiver.ts';
import { createTrigger } from './delivery/trigger.ts';
import type { Deps, Urls } from './deps.ts';
import { isEmpty, seedDemo } from './demo.ts';
import { errorBodies } from './errors.ts';
import { createFeatures } from './features/index.ts';
import { createFeed } from './feed.ts';
import { createApiApp, objectOperation } from './http/app.ts';
import { answerBrokenRequests } from './http/broken.ts';
import { operationName, type Endpoint } from './http/endpoint.ts';
import { createFaults } from './http/faults.ts';
import { createRateLimits } from './http/rate-limit.ts';
import { createRecorder, type Recorder } from './http/recorder.ts';
import { randomSecret } from './ids.ts';
import { checkHost, listen } from './listen.ts';
import type { Delivery } from './records.ts';
import { toUrlHost } from './addresses.ts';
import { createUploadLinks } from './upload-links.ts';
import { createObjectRouter } from './objects/router.ts';
import { prepareForUploads } from './objects/conversation.ts';
import type { EmulatorOptions } from './options.ts';
import { delayAt } from './settings.ts';
import { emptyDocument, openStore } from './store/store.ts';
import { createUsers } from './users.ts';

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
  const clock: Clock = createClock({ onError: (error) => onNotice(toFault(error)) });
  const store = await openStore({ dataDir: options.dataDir, now: clock.now });
  const feed = createFeed();
  const users = createUsers(store);
  const recorder = createRecorder({ clock, feed, ...options.record });
  const token = options.token ?? randomSecret(24);
  const urls: { -readonly [K in keyof Urls]: string } = { api: '', auth: '', inspector: '' };
  const features = createFeatures({
    store,
    clock,
    feed,
    delays: (name) => delayAt(options.pace, name),
    workerUrl: options.workerUrl,
  });
  const operations = [...features.operations, ...features.rootOperations];
  const faults = createFaults({ clock, operations: [...operations.map(operationName), objectOperation] });
  const limits = createRateLimits({ clock, mode: options.rateLimits });
  const links = createUploadLinks({ store, urls });
  const onFault = (error: unknown): void => onNotice(toFault(error));
  const ownPorts = (): readonly number[] =>
    [urls.auth, urls.inspector].flatMap((url) => (url === '' ? [] : Number(new URL(url).port)));
  let lastRequestAt = Number.NEGATIVE_INFINITY;
  const hasRequests = (): boolean => clock.monotonic() - lastRequestAt < 50;
  const deliveries = createDeliveries({ store, clock, feed, ownPorts, hasRequests, onError: onFault });
  const receiver = createReceiver(clock);
  const deps: Deps = { store, clock, feed, users, urls, ...features.lifecycles, deliveries, signUploadUrl: links.sign };

  const seed = (world: 'empty' | 'demo'): void => {
    if (world === 'demo') seedDemo(store, users, clock.now());
  };
  const reset = async (world: 'empty' | 'demo'): Promise<void> => {
    await features.stop();
    await store.replace(emptyDocument());
    await store.blobs.clear();
    seed(world);
    recorder.clear();
    faults.clear();
    limits.reset();
  };
  if (isEmpty(store)) seed('demo');
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

  const version = readVersion();
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
  const deliveryRoutes = createDeliveryRoutes({
    store,
    clock,
    deliveries,
    trigger: createTrigger({ store, clock, users, deliveries }),
    gym: createGym({ store, clock, deliveries }),
    receiver,
  });
  const routes: readonly Endpoint[] = [
    ...deliveryRoutes,
    ...createFaultRoutes({ faults, limits, clock }),
    ...createControlRoutes({
      store,
      clock,
      recorder,
      movesOf: (name, record) =>
        name === 'deliveries' ? deliveries.lifecycle.moves(record as Delivery) : features.movesOf(name, record),
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
      onFault,
    }).callback(),
  );

  const cleanUp: (() => Promise<void> | void)[] = [
    () => store.close(),
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

function toFault(error: unknown): string {
  return `A fault of Sandpiper's own, please report it: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** The package's version; the build puts it in place of the constant, the source reads the file. */
function readVersion(): string {
  if (typeof SANDPIPER_VERSION === 'string') return SANDPIPER_VERSION;
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

declare const SANDPIPER_VERSION: string | undefined;

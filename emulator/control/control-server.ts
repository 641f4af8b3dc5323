/** The control port, put together: every route of the control API over the parts of a running emulator. */
import { createServer, type Server } from 'node:http';
import { createDraftEvent, type DraftDeps } from '../delivery/draft-event.ts';
import { createGym } from '../delivery/gym.ts';
import type { Receiver } from '../delivery/receiver.ts';
import { createTrigger } from '../delivery/trigger.ts';
import type { Deps } from '../deps.ts';
import { toSdl } from '../features/graphql/sdl.ts';
import type { Features } from '../features/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Faults } from '../http/faults.ts';
import { takeEveryRequest } from '../http/broken-requests.ts';
import { Incoming } from '../http/incoming.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { Hosts } from '../net/host-guard.ts';
import { watchRunning, type RunningWork } from '../net/listen.ts';
import type { Recorder } from '../http/recorder.ts';
import type { Lifecycles } from '../lifecycles.ts';
import type { EmulatorOptions } from '../options.ts';
import type { AnyRule } from '../rules.ts';
import type { TimeSettings } from '../time/time-settings.ts';
import { serialise } from '../world/serialise.ts';
import type { Reset } from '../world/reset.ts';
import type { Snapshots } from '../world/snapshots.ts';
import type { Undo } from '../world/undo.ts';
import type { World } from '../world/world.ts';
import { calls } from './calls.ts';
import { createAccountHandlers } from './accounts.ts';
import { createAttributeHandlers } from './attributes.ts';
import { createCatalogHandlers } from './catalog.ts';
import { createClockHandlers } from './clock.ts';
import { createCompanyHandlers } from './companies.ts';
import { createDeliveryHandlers } from './deliveries.ts';
import { createEventHandlers } from './events.ts';
import { createHostHandlers } from './server/hosts.ts';
import { createMessageHandlers } from './messages.ts';
import { createOfferHandlers } from './offers.ts';
import { createPeopleHandlers } from './people/people.ts';
import { createReceiverHandlers } from './receiver.ts';
import { createRecordHandlers } from './records.ts';
import { createRequestHandlers } from './requests/requests.ts';
import { createSignUpUnitHandlers } from './sign-up-units.ts';
import { createSnapshotHandlers } from './snapshots.ts';
import { createStatusHandlers } from './status.ts';
import { createWebhookHandlers } from './webhooks.ts';
import { toApiDocument, toControlDocument } from './server/documents.ts';
import { createFaultHandlers } from './faults.ts';
import type { StepWatch } from './first-steps.ts';
import type { OwnErrors } from './server/own-errors.ts';
import { lookBack, toClosed } from './look-back.ts';
import { keepActivities } from './keep-activities.ts';
import { toReference } from './rules/reference.ts';
import { toRoutes, type Handlers } from './route.ts';
import { sendFixedFile } from './server/fixed-file.ts';
import { createFileSender, receiveFile } from './send-file.ts';
import { createUsers } from '../people/users.ts';
import { createControlApp } from './server/server.ts';
import { createTimelineHandlers } from './timeline/timeline.ts';
import { createUploadHandlers } from './uploads.ts';

/** The parts of an emulator that the control API shows and moves. */
export interface ControlParts {
  readonly deps: Deps;
  readonly features: Features;
  readonly lifecycles: Lifecycles;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly limits: RateLimits;
  readonly time: TimeSettings;
  readonly world: World;
  readonly undo: Undo;
  readonly snapshots: Snapshots;
  readonly steps: StepWatch;
  readonly ownErrors: OwnErrors;
  readonly receiver: Receiver;
  readonly reset: Reset;
  readonly rules: readonly AnyRule[];
  readonly options: EmulatorOptions;
  readonly hosts: Hosts;
  readonly token: string;
  readonly version: string;
}

/** Requests go on after their client has disconnected, so a stop has to wait for them. */
export interface ControlServer extends RunningWork {
  readonly server: Server;
}

/** The server of the control API and of the inspector; not listening yet. */
export function createControlServer(parts: ControlParts): ControlServer {
  const { deps, recorder, ownErrors, options, token } = parts;
  const { store, clock, feed, urls, signUploadUrl } = deps;
  const linkOf = (id: string): string => signUploadUrl(id, Date.parse(store.uploads.get(id)?.expiresAt ?? ''));
  const sender = createFileSender({ clock, feed, urls, linkOf });
  const app = createControlApp({
    deps,
    recorder,
    routes: createAllRoutes({ ...parts, ...deps, sender, linkOf }),
    token,
    hosts: parts.hosts,
    checkReplies: options.checkReplies,
    rules: parts.rules,
    uiDir: options.uiDir,
    receiveFile: receiveFile({ store, sender }),
    sendFixedFile: sendFixedFile({ store, catalog: parts.features.catalog }),
    onOwnError: (error) => ownErrors.tell(error),
    onCheck: ownErrors.watch,
    undo: parts.undo,
    version: parts.version,
  });
  const { listener, ended } = watchRunning(app.callback());
  const server = createServer({ IncomingMessage: Incoming, requireHostHeader: false }, listener);
  server.maxHeadersCount = 0;
  takeEveryRequest(server);
  return { server, ended };
}

type RouteParts = ControlParts &
  Deps & { readonly sender: ReturnType<typeof createFileSender>; readonly linkOf: (uploadId: string) => string };

function createAllRoutes(parts: RouteParts): readonly Endpoint[] {
  const { deliveries, lifecycles } = parts;
  const create = (own: RouteParts): Handlers<typeof calls> => createHandlers(own, () => routes);
  const handlers = lookBack(create(parts), {
    ...parts,
    create: (then) =>
      create({
        ...parts,
        ...then,
        users: createUsers(then.store),
        lifecycles: { ...lifecycles, movesOf: (name, record) => toClosed(lifecycles.movesOf(name, record)) },
        deliveries: {
          ...deliveries,
          lifecycle: {
            ...deliveries.lifecycle,
            moves: (delivery) => toClosed(deliveries.lifecycle.moves(delivery)),
          },
        },
      }),
  });
  const routes: readonly Endpoint[] = toRoutes(calls, keepActivities(handlers, parts), {
    'GET /control/export': serialise,
    'GET /control/snapshots/{name}/export': serialise,
  });
  return routes;
}

/** @param routes those that the documents list */
function createHandlers(parts: RouteParts, routes: () => readonly Endpoint[]): Handlers<typeof calls> {
  const { store, clock, users, urls, messages, deliveries } = parts;
  const { features, undo, version, options } = parts;
  const { catalog } = features;
  const drafts: DraftDeps = {
    store,
    clock,
    users,
    messageFacts: (id) => messages.facts(id) as { readonly [name: string]: unknown } | null,
  };
  const { edit } = undo;
  return {
    ...createAccountHandlers({ store, edit }),
    ...createAttributeHandlers({ store, edit }),
    ...createCatalogHandlers({ store, catalog }),
    ...createClockHandlers({ ...parts, rearm: features.rearm }),
    ...createCompanyHandlers({ ...parts, host: options.host }),
    ...createDeliveryHandlers(parts),
    ...createEventHandlers({
      store,
      clock,
      trigger: createTrigger({ ...drafts, deliveries }),
      draftEvent: createDraftEvent(drafts),
      gym: createGym({ store, clock, deliveries }),
    }),
    ...createFaultHandlers(parts),
    ...createHostHandlers({ store, edit }),
    ...createMessageHandlers(parts),
    ...createOfferHandlers({ store, edit }),
    ...createPeopleHandlers(parts),
    ...createReceiverHandlers(parts),
    ...createRecordHandlers(parts),
    'GET /control/reference': () => ({ pages: toReference(features, urls) }),
    'GET /control/graphql-schema': () => ({ sdl: toSdl() }),
    ...createRequestHandlers(parts),
    ...createSignUpUnitHandlers({ store, edit }),
    ...createSnapshotHandlers({ ...parts, catalog }),
    ...createStatusHandlers({
      ...parts,
      documents: {
        api: () => toApiDocument(features.operations, urls, version, parts.options.choices.answers),
        control: () => toControlDocument(routes(), urls, version),
      },
    }),
    ...createUploadHandlers({ ...parts, catalog }),
    ...createTimelineHandlers(parts),
    ...createWebhookHandlers({ ...parts, edit }),
  };
}

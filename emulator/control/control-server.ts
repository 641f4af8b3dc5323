/** Assembles the control port: every route of the control API over the parts of a running emulator. */
import { createServer, type Server } from 'node:http';
import type { Deps } from '../deps.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { takeEveryRequest } from '../http/broken-requests.ts';
import { Incoming, closingAfterBodies } from '../http/body/incoming.ts';
import type { Hosts } from '../net/host-guard.ts';
import { watchRunning, type RunningWork } from '../net/listen.ts';
import { holdContinue } from '../net/conversation.ts';
import { serialise } from '../world/serialise.ts';
import { calls } from './calls.ts';
import { createAccountHandlers } from './accounts.ts';
import { createAttributeHandlers } from './attributes.ts';
import { createCatalogHandlers } from './catalog.ts';
import { createClockHandlers } from './clock.ts';
import { createCompanyHandlers } from './companies.ts';
import { createDeliveryHandlers } from './deliveries.ts';
import { createEventHandlers } from './events.ts';
import { createHostHandlers } from './hosts.ts';
import { createMessageHandlers } from './messages.ts';
import { createOfferHandlers } from './offers.ts';
import { createPeopleHandlers } from './people/people.ts';
import { createReferenceHandlers } from './reference.ts';
import { createReceiverHandlers } from './receiver.ts';
import { createRecordHandlers } from './records.ts';
import { createRequestHandlers } from './requests/requests.ts';
import { createSignUpUnitHandlers } from './sign-up-units.ts';
import { createSnapshotHandlers } from './snapshots.ts';
import { createStatusHandlers } from './status.ts';
import { createWebhookHandlers } from './webhooks.ts';
import { createFaultHandlers } from './faults.ts';
import { lookBack, toClosed } from './look-back.ts';
import { createEditDone } from './edit-done.ts';
import type { EmulatorParts, HandlerDeps } from './handler-deps.ts';
import { keepActivities } from './keep-activities.ts';
import { toRoutes, type Handlers } from './route.ts';
import { sendFixedFile } from './server/fixed-file.ts';
import { createFileSender, receiveFile } from './send-file.ts';
import { createUsers } from '../people/users.ts';
import { createControlApp } from './server/server.ts';
import { createTimelineHandlers } from './timeline/timeline.ts';
import { createUploadHandlers } from './uploads.ts';

/** The parts of an emulator that the control API shows and changes. */
export interface ControlParts extends EmulatorParts {
  readonly deps: Deps;
  readonly hosts: Hosts;
  readonly token: string;
}

/** Requests continue after their client disconnects, so a stop has to wait for them. */
export interface ControlServer extends RunningWork {
  readonly server: Server;
}

/** Creates the server of the control API and the inspector; it does not listen yet. */
export function createControlServer(parts: ControlParts): ControlServer {
  const { deps } = parts;
  const { store, clock, feed, urls, signUploadUrl } = deps;
  const linkOf = (id: string): string => signUploadUrl(id, Date.parse(store.uploads.get(id)?.expiresAt ?? ''));
  const sender = createFileSender({ clock, feed, urls, linkOf });
  const app = createControlApp({
    ...parts,
    routes: createAllRoutes({ ...parts, ...deps, sender, linkOf }),
    receiveFile: receiveFile({ store, sender }),
    sendFixedFile: sendFixedFile({ store, catalog: parts.features.catalog }),
  });
  const { listener, ended } = watchRunning(app.callback());
  const take = closingAfterBodies(listener);
  const server = createServer({ IncomingMessage: Incoming, requireHostHeader: false }, take);
  holdContinue(server, take);
  server.maxHeadersCount = 0;
  takeEveryRequest(server);
  return { server, ended };
}

function createAllRoutes(parts: EmulatorParts & Deps & Pick<HandlerDeps, 'sender' | 'linkOf'>): readonly Endpoint[] {
  const { deliveries, lifecycles, undo } = parts;
  const deps: HandlerDeps = {
    ...parts,
    lineage: parts.world.lineage,
    editDone: createEditDone(undo.edit),
    routes: () => routes,
  };
  const handlers = lookBack(createHandlers(deps), {
    ...deps,
    create: (then) =>
      createHandlers({
        ...deps,
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
  const routes: readonly Endpoint[] = toRoutes(calls, keepActivities(handlers, deps), {
    'GET /control/export': serialise,
    'GET /control/snapshots/{name}/export': serialise,
  });
  return routes;
}

function createHandlers(deps: HandlerDeps): Handlers<typeof calls> {
  return {
    ...createAccountHandlers(deps),
    ...createAttributeHandlers(deps),
    ...createCatalogHandlers(deps),
    ...createClockHandlers(deps),
    ...createCompanyHandlers(deps),
    ...createDeliveryHandlers(deps),
    ...createEventHandlers(deps),
    ...createFaultHandlers(deps),
    ...createHostHandlers(deps),
    ...createMessageHandlers(deps),
    ...createOfferHandlers(deps),
    ...createPeopleHandlers(deps),
    ...createReceiverHandlers(deps),
    ...createRecordHandlers(deps),
    ...createReferenceHandlers(deps),
    ...createRequestHandlers(deps),
    ...createSignUpUnitHandlers(deps),
    ...createSnapshotHandlers(deps),
    ...createStatusHandlers(deps),
    ...createTimelineHandlers(deps),
    ...createUploadHandlers(deps),
    ...createWebhookHandlers(deps),
  };
}

/** The control port, put together: every route of the control API over the parts of a running emulator. */
import { createServer, type Server } from 'node:http';
import { createDraftEvent, type DraftDeps } from '../delivery/draft-event.ts';
import { createGym } from '../delivery/gym.ts';
import type { Receiver } from '../delivery/receiver.ts';
import { createTrigger } from '../delivery/trigger.ts';
import type { Deps } from '../deps.ts';
import type { Features } from '../features/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Faults } from '../http/faults.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { Recorder } from '../http/recorder.ts';
import type { Lifecycles } from '../lifecycles.ts';
import type { EmulatorOptions } from '../options.ts';
import type { AnyRule } from '../rules.ts';
import type { TimeSettings } from '../time/time-settings.ts';
import type { Reset } from '../world/reset.ts';
import type { Snapshots } from '../world/snapshots.ts';
import type { Undo } from '../world/undo.ts';
import type { World } from '../world/world.ts';
import { createAccountRoutes } from './account-routes.ts';
import { createActing } from './acting.ts';
import { createAdminRoutes } from './admin-routes.ts';
import { calls } from './calls.ts';
import { createCatalogHandlers } from './catalog.ts';
import { createCountRoutes } from './count-routes.ts';
import { createDeliveryRoutes } from './delivery-routes.ts';
import { toApiDocument, toControlDocument } from './documents.ts';
import { createFaultHandlers } from './faults.ts';
import type { StepWatch } from './first-steps.ts';
import { createMachineRoutes } from './machine-routes.ts';
import { createMessageRoutes } from './message-routes.ts';
import { createMoveRoutes } from './move-routes.ts';
import { createOwnErrorRoutes } from './own-error-routes.ts';
import type { OwnErrors } from './own-errors.ts';
import { createPeopleRoutes } from './people-routes.ts';
import { createReplayRoutes } from './replay-routes.ts';
import { createRequestRoutes } from './request-routes.ts';
import { toRoutes } from './route.ts';
import { createControlRoutes, toRecordView } from './routes.ts';
import { createSearchRoutes } from './search-routes.ts';
import { createFileSender, receiveFile } from './send-file.ts';
import { createControlApp } from './server.ts';
import { createSettingsRoutes } from './settings-routes.ts';
import { createSignatureRoutes } from './signature-routes.ts';
import { createSnapshotRoutes } from './snapshot-routes.ts';
import { createSummaryRoutes } from './summary-routes.ts';
import { createTimeRoutes } from './time-routes.ts';
import { withUndo } from './undoable.ts';
import { createUploadHandlers } from './uploads.ts';
import { createWelcomeRoutes } from './welcome-routes.ts';

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
  readonly token: string;
  readonly version: string;
}

/** The server of the control API and of the inspector; not listening yet. */
export function createControlServer(parts: ControlParts): Server {
  const { deps, recorder, ownErrors, options, token } = parts;
  const { store, urls, signUploadUrl } = deps;
  const linkOf = (id: string): string => signUploadUrl(id, Date.parse(store.uploads.get(id)?.expiresAt ?? ''));
  const sender = createFileSender({ store, urls, linkOf });
  const app = createControlApp({
    deps,
    feed: deps.feed,
    recorder,
    routes: createAllRoutes({ ...parts, ...deps, sender, linkOf }),
    token,
    allowHosts: options.allowHosts,
    checkReplies: options.checkReplies,
    rules: parts.rules,
    uiDir: options.uiDir,
    receiveFile: receiveFile({ store, sender }),
    onFault: (error) => ownErrors.tell(error),
    undo: parts.undo,
  });
  return createServer(app.callback());
}

type RouteParts = ControlParts &
  Deps & { readonly sender: ReturnType<typeof createFileSender>; readonly linkOf: (uploadId: string) => string };

function createAllRoutes(parts: RouteParts): readonly Endpoint[] {
  const { store, clock, users, urls, messages, deliveries } = parts;
  const { features, lifecycles, undo, version, options } = parts;
  const { catalog } = features;
  const drafts: DraftDeps = {
    store,
    clock,
    users,
    messageFacts: (id) => messages.facts(id) as { readonly [name: string]: unknown } | null,
  };
  const act = createActing({ store, undo, poke: lifecycles.poke });
  const routes: readonly Endpoint[] = [
    ...toRoutes(calls, {
      ...createCatalogHandlers({ store, catalog }),
      ...createFaultHandlers(parts),
      ...createUploadHandlers({ ...parts, catalog }),
    }),
    ...createAccountRoutes({ ...parts, act }),
    ...createAdminRoutes({ ...parts, act }),
    ...createCountRoutes(parts),
    ...withUndo(
      createDeliveryRoutes({
        ...parts,
        trigger: createTrigger({ ...drafts, deliveries }),
        draftEvent: createDraftEvent(drafts),
        gym: createGym({ store, clock, deliveries }),
      }),
      parts,
    ),
    ...createSignatureRoutes(parts),
    ...createMessageRoutes(parts),
    ...createPeopleRoutes(parts),
    ...createTimeRoutes({ ...parts, rearm: features.rearm }),
    ...createSnapshotRoutes(parts),
    ...createReplayRoutes(parts),
    ...createRequestRoutes(parts),
    ...createWelcomeRoutes(parts),
    ...createOwnErrorRoutes(parts),
    ...createSettingsRoutes(parts),
    ...createSummaryRoutes({ ...parts, host: options.host }),
    ...createSearchRoutes(parts),
    ...createMachineRoutes(),
    ...createMoveRoutes({
      store,
      ...lifecycles,
      view: (name, record) => toRecordView(name, record, { ...lifecycles, definitions: store.definitions }),
    }),
    ...withUndo(
      createControlRoutes({
        ...parts,
        ...lifecycles,
        apiDocument: () => toApiDocument(features.operations, urls, version),
        controlDocument: () => toControlDocument(routes, urls, version),
      }),
      parts,
    ),
  ];
  return routes;
}

import type { Deps } from '../deps.ts';
import type { Features } from '../features/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Faults } from '../http/faults/faults.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { Recorder } from '../http/record/recorder.ts';
import type { Lifecycles } from '../lifecycles.ts';
import type { Receiver } from '../delivery/receiver.ts';
import type { EmulatorOptions } from '../options.ts';
import type { TimeSettings } from '../time/time-settings.ts';
import type { LedBy } from '../world/lineage.ts';
import type { Reset } from '../world/reset.ts';
import type { Snapshots } from '../world/snapshots.ts';
import type { Undo } from '../world/undo.ts';
import type { World } from '../world/world.ts';
import type { EditDone } from './edit-done.ts';
import type { StepWatch } from './first-steps.ts';
import type { FileSender } from './send-file.ts';
import type { OwnErrors } from './server/own-errors.ts';

/** The parts of a running emulator that the control API shows and changes, in addition to those in `Deps`. */
export interface EmulatorParts {
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
  /** The options with which the emulator was started. */
  readonly options: EmulatorOptions;
  readonly version: string;
}

/**
 * The parts that handlers of the control API may use. For an earlier moment, some show the state at that time:
 * see look-back.ts.
 */
export interface HandlerDeps extends EmulatorParts, Deps {
  /** The recorded requests that led to the records. */
  readonly lineage: LedBy;
  readonly editDone: EditDone;
  readonly sender: FileSender;
  /** The pre-signed URL of an upload. */
  readonly linkOf: (uploadId: string) => string;
  /** The operations of the control API itself, for its OpenAPI document. */
  readonly routes: () => readonly Endpoint[];
}

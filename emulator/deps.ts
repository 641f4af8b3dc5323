import type { Choices } from './http/choices.ts';
import type { Clock } from './time/clock.ts';
import type { Deliveries } from './delivery/deliveries.ts';
import type { Taps } from './messages/taps.ts';
import type { Messages } from './messages/messages.ts';
import type { Feed } from './feed.ts';
import type { Urls } from './net/urls.ts';
import type { lifecycleKinds, StatefulName } from './lifecycles.ts';
import type { LifecycleFor } from './machine/lifecycle.ts';
import type { Delay } from './machine/table.ts';
import type { Store } from './store/store.ts';
import type { Users } from './people/users.ts';

/** The dependencies of a feature's lifecycle. */
export interface LifecycleDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** A delay at the current pace, in milliseconds; null if records move only by hand. */
  readonly delays: (delay: Delay) => number | null;
}

/**
 * The lifecycles that move the features' records through the states of their tables. Deliveries are moved in delivery/.
 */
export type FeatureLifecycles = {
  readonly [Name in Exclude<StatefulName, 'deliveries'>]: LifecycleFor<(typeof lifecycleKinds)[Name]['table']>;
};

/** The dependencies that every handler may use. Wired in start-emulator.ts. */
export interface Deps extends FeatureLifecycles {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly users: Users;
  readonly choices: Choices;
  readonly urls: Urls;
  /** The simulated phone and inbox. */
  readonly messages: Messages;
  readonly taps: Taps;
  /** Outgoing webhooks. */
  readonly deliveries: Deliveries;
  /** Signs upload links, see `UploadLinks.sign`; lives as long as the store. */
  readonly signUploadUrl: (uploadId: string, expiresAt: number, host?: string) => string;
}

/** The first world of a store: a declared world, a snapshot, or the demo world. */
import { stat } from 'node:fs/promises';
import { toAmount } from '../contract/digits.ts';
import { mustBeReadable } from '../config/named-file.ts';
import { parseNamedText, readNamedText } from '../config/named-text.ts';
import { isEmpty, seedDemo } from '../declared-world/demo.ts';
import { UserError } from '../errors.ts';
import type { Users } from '../people/users.ts';
import { snapshotBytes } from '../store/snapshot-bytes.ts';
import { tooLarge } from '../store/snapshot-files.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import type { Reset } from './reset.ts';
import type { Restored, Snapshots } from './snapshots.ts';
import type { Undo } from './undo.ts';

/** The sources that may fill an empty store; null if not given. */
interface FirstWorld {
  readonly seed: string | null;
  readonly world: unknown;
}

export interface FirstWorldDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly users: Users;
  readonly snapshots: Snapshots;
  readonly undo: Undo;
  readonly reset: Reset;
  readonly onNotice: (text: string) => void;
}

/**
 * Fills an empty store. A store with data stays as it is.
 * @param first a seed is the path of a file from `GET /control/export`; without a seed and a declared world, the store
 *   gets the demo world
 * @throws UserError that names the file and what is wrong with it
 */
export async function fillIfEmpty(
  { seed, world }: FirstWorld,
  { store, clock, users, snapshots, undo, reset, onNotice }: FirstWorldDeps,
): Promise<void> {
  if (!isEmpty(store)) {
    if (seed !== null)
      onNotice(
        `The store already has data, so the seed ${seed} was not used. Start with an empty folder, or reset it first.`,
      );
    if (world !== null)
      onNotice('The store already has data, so the declared world was not loaded. "sandpiper reset" loads it.');
    return;
  }
  if (world !== null) {
    if (seed !== null) throw new UserError('A start takes a seed or a world, not both. Leave one of the two out.');
    await reset('start');
    // This was not done by hand, so there is nothing to undo.
    undo.close();
    return;
  }
  if (seed === null) return seedDemo(store, users, clock.now());
  const { renewedSecrets, heldBack } = await plantSeed(seed, snapshots);
  // This was not done by hand, so there is nothing to undo.
  undo.close();
  if (renewedSecrets.length > 0)
    onNotice(
      `${toAmount(renewedSecrets.length, 'secret is', 'secrets are')} masked in the seed; each has a new value. Export with secrets to keep them.`,
    );
  if (heldBack.deliveries + heldBack.webhooks > 0)
    onNotice(
      `Of the seed, ${toAmount(heldBack.deliveries, 'waiting delivery is', 'waiting deliveries are')} paused and ${toAmount(heldBack.webhooks, 'webhook reaches', 'webhooks reach')} this machine only. Resume or widen them by hand.`,
    );
}

async function plantSeed(path: string, snapshots: Snapshots): Promise<Restored> {
  await mustBeReadable(path);
  const { size } = await stat(path);
  if (size > snapshotBytes) throw unusable(path, tooLarge(size));
  const value = parseNamedText(
    await readNamedText(path),
    (says) => new UserError(`The seed ${path} ${says}. "sandpiper snapshot export" creates one.`),
  );
  try {
    return await snapshots.import(value, 'replace');
  } catch (error) {
    if (error instanceof UserError) throw unusable(path, error);
    throw error;
  }
}

function unusable(path: string, { message }: UserError): UserError {
  return new UserError(`The seed ${path} cannot be used. ${message}`);
}

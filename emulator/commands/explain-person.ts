/** What happened to a person, as lines for a terminal or an agent. */
import type { Reply } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import { toSeconds } from './lines.ts';

type Cause = Reply<'GET /control/timeline'>['groups'][number];
type Entry = Cause['followers'][number];

export interface PersonStory {
  /** Oldest first. */
  readonly causes: readonly Cause[];
  /** The number of all causes, including those that were left out. */
  readonly total: number;
  /** A line for each cause, and one below it for each thing that followed. */
  readonly lines: readonly string[];
}

/**
 * Reads what happened to a person, in the order in which it happened.
 * @param person a phone, an email address or an id
 * @param limit how many of the newest causes are read, at most 500
 */
export async function readStory(client: ControlClient, person: string, limit: number): Promise<PersonStory> {
  const { total, groups } = await client.call('GET /control/timeline', { query: { person, limit } });
  const causes = groups.toReversed();
  const lines = causes.flatMap(({ followers, followerCount, ...cause }) => [
    toLine(cause),
    ...followers.map((one) => `  ${toLine(one)}`),
    ...(followers.length < followerCount ? [`  and ${followerCount - followers.length} more`] : []),
  ]);
  return { causes, total, lines };
}

function toLine({ id, kind, at, says, note }: Entry): string {
  return `${toSeconds(at)}  ${kind === 'request' ? `${id} ` : ''}${says}${note === null ? '' : ` (${note})`}`;
}

import { readFile, writeFile } from 'node:fs/promises';
import { distance } from 'fastest-levenshtein';
import type { ControlClient } from '../control/client.ts';
import type { SnapshotView } from '../control/protocol.ts';
import { UserError } from '../errors.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toSeconds } from './lines.ts';
import { UsageError } from './usage.ts';

export interface SnapshotOptions extends ConnectOptions {
  readonly merge?: boolean;
  readonly overwrite?: boolean;
  readonly secrets?: boolean;
}

/** What `sandpiper snapshot` can do. */
export type SnapshotAct = 'save' | 'list' | 'restore' | 'delete' | 'export' | 'import';

/** `sandpiper snapshot save NAME | list | restore NAME | delete NAME | export FILE [NAME] | import FILE`. */
export async function snapshot(
  act: SnapshotAct,
  name: string | undefined,
  other: string | undefined,
  options: SnapshotOptions,
): Promise<void> {
  const client = connect(options);
  const mode = options.merge ? 'merge' : 'replace';
  const secrets = options.secrets ? '?secrets=true' : '';
  switch (act) {
    case 'list': {
      const snapshots = await listSnapshots(client);
      return print(
        options,
        snapshots,
        snapshots
          .map(({ name: of, savedAt, records }) => `${of}  ${toSeconds(savedAt)}  ${records} records`)
          .join('\n') || 'No snapshot is kept.',
      );
    }
    case 'save': {
      const body = { name: named(name, 'save NAME'), ...(options.overwrite ? { overwrite: true } : {}) };
      return print(options, await client.post('/control/snapshots', body), `Kept as ${body.name}.`);
    }
    case 'restore': {
      const wanted = await kept(client, named(name, 'restore NAME'));
      const answer = await client.post(`/control/snapshots/${encodeURIComponent(wanted)}/restore`, { mode });
      return print(
        options,
        answer,
        `${wanted} is ${options.merge ? 'merged in' : 'back'}. "sandpiper undo" takes that back.`,
      );
    }
    case 'delete': {
      const wanted = await kept(client, named(name, 'delete NAME'));
      await client.delete(`/control/snapshots/${encodeURIComponent(wanted)}`);
      return print(options, { deleted: wanted }, `${wanted} is deleted.`);
    }
    case 'export': {
      const file = named(name, 'export FILE [NAME]');
      const path =
        other === undefined
          ? '/control/export'
          : `/control/snapshots/${encodeURIComponent(await kept(client, other))}/export`;
      const exported = await client.get(path + secrets);
      await writeFile(file, `${JSON.stringify(exported, null, 1)}\n`, { mode: 0o600 });
      return print(
        options,
        { file },
        `Written to ${file}${options.secrets ? ', with its secrets' : '; secrets are masked, --secrets keeps them'}.`,
      );
    }
    case 'import': {
      const file = named(name, 'import FILE');
      const answer = await client.post(`/control/import?mode=${mode}`, await readJson(file));
      return print(
        options,
        answer,
        `${file} is ${options.merge ? 'merged in' : 'opened'}. "sandpiper undo" takes that back.`,
      );
    }
  }
}

async function listSnapshots(client: ControlClient): Promise<readonly SnapshotView[]> {
  return (await client.get<{ readonly snapshots: readonly SnapshotView[] }>('/control/snapshots')).snapshots;
}

/** The name, where a snapshot has it; else an error that names those that are kept, the nearest one first. */
async function kept(client: ControlClient, name: string): Promise<string> {
  const names = (await listSnapshots(client)).map((one) => one.name);
  if (names.includes(name)) return name;
  const known = names.toSorted((one, other) => distance(one, name) - distance(other, name)).slice(0, 5);
  const says =
    known.length === 0
      ? 'None is kept yet: "sandpiper snapshot save NAME".'
      : `There ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}.`;
  throw new UserError(`There is no snapshot "${name}". ${says}`);
}

function named(name: string | undefined, usage: string): string {
  if (name === undefined) throw new UsageError(`Say which one: sandpiper snapshot ${usage}`);
  return name;
}

async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

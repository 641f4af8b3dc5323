import { readFile, writeFile } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import { toPrintable } from '../printable.ts';
import { connect, print, type ConnectOptions } from './connect.ts';

export interface SnapshotOptions extends ConnectOptions {
  readonly merge?: boolean;
  readonly overwrite?: boolean;
  readonly secrets?: boolean;
}

interface SnapshotLine {
  readonly name: string;
  readonly savedAt: string;
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
      const { snapshots } = await client.get<{ readonly snapshots: readonly SnapshotLine[] }>('/control/snapshots');
      return print(
        options,
        snapshots,
        toPrintable(snapshots.map((one) => `${one.name}  ${one.savedAt}`).join('\n') || 'No snapshot is kept.'),
      );
    }
    case 'save': {
      const body = { name: named(name, 'save NAME'), ...(options.overwrite ? { overwrite: true } : {}) };
      return print(options, await client.post('/control/snapshots', body), toPrintable(`Kept as ${body.name}.`));
    }
    case 'restore': {
      const wanted = named(name, 'restore NAME');
      const answer = await client.post(`/control/snapshots/${encodeURIComponent(wanted)}/restore`, { mode });
      return print(
        options,
        answer,
        toPrintable(`${wanted} is ${options.merge ? 'merged in' : 'back'}. "sandpiper undo" takes that back.`),
      );
    }
    case 'delete': {
      const wanted = named(name, 'delete NAME');
      await client.delete(`/control/snapshots/${encodeURIComponent(wanted)}`);
      return print(options, { deleted: wanted }, toPrintable(`${wanted} is deleted.`));
    }
    case 'export': {
      const file = named(name, 'export FILE [NAME]');
      const path = other === undefined ? '/control/export' : `/control/snapshots/${encodeURIComponent(other)}/export`;
      const exported = await client.get(path + secrets);
      await writeFile(file, `${JSON.stringify(exported, null, 1)}\n`, { mode: 0o600 });
      return print(
        options,
        { file },
        toPrintable(
          `Written to ${file}${options.secrets ? ', with its secrets' : '; secrets are masked, --secrets keeps them'}.`,
        ),
      );
    }
    case 'import': {
      const file = named(name, 'import FILE');
      const answer = await client.post(`/control/import?mode=${mode}`, await readJson(file));
      return print(
        options,
        answer,
        toPrintable(`${file} is ${options.merge ? 'merged in' : 'opened'}. "sandpiper undo" takes that back.`),
      );
    }
  }
}

/** `sandpiper undo`: takes the last act back that took something away. */
export async function undo(options: ConnectOptions): Promise<void> {
  const answer = await connect(options).post<{ readonly undone: string }>('/control/undo');
  print(options, answer, toPrintable(`Undone: ${answer.undone}`));
}

/** `sandpiper pace PACE`. */
export async function setPace(pace: string, options: ConnectOptions): Promise<void> {
  const answer = await connect(options).post<{ readonly pace: string }>('/control/pace', { pace });
  print(options, answer, `The pace is ${answer.pace}.`);
}

function named(name: string | undefined, usage: string): string {
  if (name === undefined) throw new UserError(`Say which one: sandpiper snapshot ${usage}`);
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

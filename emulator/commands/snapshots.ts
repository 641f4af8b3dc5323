import { writeFile } from 'node:fs/promises';
import { distance } from 'fastest-levenshtein';
import type { Body, RestoredView, SnapshotView } from '../control/calls.ts';
import type { ControlClient } from '../control/client/control-client.ts';
import { mustBeNew, nameOf, writeNamedFile } from '../config/named-file.ts';
import { parseNamedText, readNamedText } from '../config/named-text.ts';
import { UserError } from '../errors.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toSeconds } from './lines.ts';
import { sayUndo } from './undo.ts';
import { UsageError } from './usage.ts';

export interface SnapshotOptions extends ConnectOptions {
  readonly merge?: boolean;
  readonly overwrite?: boolean;
  readonly secrets?: boolean;
}

/** The acts of `sandpiper snapshot`. */
export type SnapshotAct = 'save' | 'list' | 'restore' | 'delete' | 'export' | 'import';

const ownOptions = ['merge', 'overwrite', 'secrets'] as const;

/** The words and the options that each act takes. */
const usages: {
  readonly [A in SnapshotAct]: {
    readonly words: readonly string[];
    readonly options: readonly (typeof ownOptions)[number][];
  };
} = {
  list: { words: [], options: [] },
  save: { words: ['NAME'], options: ['overwrite'] },
  restore: { words: ['NAME'], options: ['merge'] },
  delete: { words: ['NAME'], options: [] },
  export: { words: ['FILE', '[NAME]'], options: ['overwrite', 'secrets'] },
  import: { words: ['FILE'], options: ['merge'] },
};

/** `sandpiper snapshot save NAME | list | restore NAME | delete NAME | export FILE [NAME] | import FILE`. */
export async function snapshot(
  act: SnapshotAct,
  name: string | undefined,
  other: string | undefined,
  options: SnapshotOptions,
): Promise<void> {
  const given = [name, other].filter((word) => word !== undefined);
  const [first = ''] = given;
  checkUsage(act, given.length, options);
  const client = connect(options);
  const mode = options.merge ? 'merge' : 'replace';
  const query = { secrets: options.secrets ? 'true' : undefined } as const;
  switch (act) {
    case 'list': {
      const snapshots = await listSnapshots(client);
      const widest = Math.max(...snapshots.map(({ name: of }) => of.length));
      return print(
        options,
        snapshots,
        snapshots
          .map(({ name: of, savedAt, records }) => `${of.padEnd(widest)}  ${toSeconds(savedAt)}  ${records} records`)
          .join('\n') || 'No snapshot is saved. "sandpiper snapshot save NAME" saves one.',
      );
    }
    case 'save': {
      const body = { name: first, overwrite: options.overwrite };
      return print(
        options,
        await client.call('POST /control/snapshots', { body }),
        `The snapshot "${first}" is saved.`,
      );
    }
    case 'restore': {
      const wanted = await kept(client, first);
      const params = { name: wanted };
      const { reply, undo } = await client.answer('POST /control/snapshots/{name}/restore', { params, body: { mode } });
      return print(
        options,
        { ...reply, undo: undo?.id },
        [
          `The snapshot "${wanted}" is ${options.merge ? 'merged in' : 'restored'}.${sayUndo(undo)}`,
          ...toReplaced(reply),
        ].join('\n'),
      );
    }
    case 'delete': {
      const wanted = await kept(client, first);
      await client.call('DELETE /control/snapshots/{name}', { params: { name: wanted } });
      return print(options, { deleted: wanted }, `The snapshot "${wanted}" is deleted.`);
    }
    case 'export': {
      const file = first;
      if (file !== '-') await mustBeNew(file, options.overwrite);
      const exported =
        other === undefined
          ? await client.call('GET /control/export', { query })
          : await client.call('GET /control/snapshots/{name}/export', {
              params: { name: await kept(client, other) },
              query,
            });
      const text = `${JSON.stringify(exported, null, 1)}\n`;
      if (file === '-') return void options.terminal.stdout.write(text);
      await writeNamedFile(file, (path) => writeFile(path, text, { mode: 0o600 }));
      return print(
        options,
        { file },
        `Written to ${file}${options.secrets ? ', with its secrets' : '; secrets are masked, --secrets keeps them'}.`,
      );
    }
    case 'import': {
      const file = first;
      // The server checks that it is a snapshot.
      const body = parseNamedText(
        await readNamedText(file),
        (says) => new UserError(`${nameOf(file)} ${says}.`),
      ) as Body<'POST /control/import'>;
      const { reply, undo } = await client.answer('POST /control/import', { query: { mode }, body });
      return print(
        options,
        { ...reply, undo: undo?.id },
        [
          `${nameOf(file)} is ${options.merge ? 'merged in' : 'imported'}.${sayUndo(undo)}`,
          ...toReplaced(reply),
          ...toHeldBack(reply),
        ].join('\n'),
      );
    }
  }
}

/** Lists for people what a merge replaced. */
function toReplaced({ replaced }: RestoredView): readonly string[] {
  if (replaced.length === 0) return [];
  const names = listed(replaced.map(({ was }) => was));
  return [`No longer here, because another thing with the same id took its place: ${names}.`];
}

/** `App Shop, Webhook http://localhost:3000/ and 2 more`: up to eight names. */
function listed(names: readonly string[]): string {
  const more = names.length > 8 ? ` and ${names.length - 8} more` : '';
  return names.slice(0, 8).join(', ') + more;
}

/** Says what an import changed in the content of the file, and how to change it back. */
function toHeldBack({ renewedSecrets, heldBack: { deliveries, webhooks } }: RestoredView): readonly string[] {
  return [
    ...(renewedSecrets.length === 0
      ? []
      : [
          `New secrets, because those in the file are masked: ${listed(renewedSecrets.map(({ name }) => name))}. "sandpiper env" prints a key that works now.`,
        ]),
    ...(deliveries === 0
      ? []
      : [`Waiting deliveries that are paused: ${deliveries}. "sandpiper fire deliveries ID resume" sends one.`]),
    ...(webhooks === 0
      ? []
      : [
          `Webhooks that reach only this machine now: ${webhooks}. The inspector lets them reach further ("May reach").`,
        ]),
  ];
}

async function listSnapshots(client: ControlClient): Promise<readonly SnapshotView[]> {
  return (await client.call('GET /control/snapshots')).snapshots;
}

/**
 * Returns the name if there is such a snapshot. Throws an error that lists the existing ones if not, the most similar
 * first.
 */
async function kept(client: ControlClient, name: string): Promise<string> {
  const names = (await listSnapshots(client)).map((one) => one.name);
  if (names.includes(name)) return name;
  const known = names.toSorted((one, other) => distance(one, name) - distance(other, name)).slice(0, 5);
  const says =
    known.length === 0 ? 'None is saved yet: "sandpiper snapshot save NAME".' : `Available: ${known.join(', ')}.`;
  throw new UserError(`There is no snapshot "${name}". ${says}`);
}

/** @throws UsageError for too few or too many words, and for an option of another act */
function checkUsage(act: SnapshotAct, given: number, options: SnapshotOptions): void {
  const { words, options: own } = usages[act];
  const needed = words.filter((word) => !word.startsWith('['));
  const usage = ['sandpiper snapshot', act, ...words].join(' ');
  if (given < needed.length) throw new UsageError(`A word is missing. Write "${usage}".`);
  if (given > words.length) throw new UsageError(`There are too many words. Write "${usage}".`);
  const astray = ownOptions.find((name) => options[name] && !own.includes(name));
  if (astray !== undefined) throw new UsageError(`"snapshot ${act}" takes no --${astray}.`);
}

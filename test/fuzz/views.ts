import type { Emulator } from '../../emulator/start-emulator.ts';
import { send } from './send.ts';

const lists = ['attributes', 'deliveries?limit=1000', 'messages?limit=1000', 'sign-up-units', 'webhooks'];
const kinds = ['subscriptions', 'events', 'attribute-values', 'uploads', 'offers', 'privacy-requests'];

/** Reads a view of the control API: `readView(emulator, 'webhooks')`. */
export async function readView(emulator: Emulator, path: string): Promise<unknown> {
  return (await send(emulator, { method: 'GET', path: `/control/${path}` })).body;
}

/**
 * What the views say of everything, by their path: lists, records, and each person with all that happened to them.
 * @param others further paths
 * @param leftOut members that are not compared
 */
export async function readAll(
  emulator: Emulator,
  { others = [], leftOut }: { readonly others?: readonly string[]; readonly leftOut: ReadonlySet<string> },
): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>();
  const read = async (path: string): Promise<unknown> => {
    const body = await readView(emulator, path);
    said.set(
      path,
      JSON.stringify(body, (key, value: unknown) => (leftOut.has(key) ? undefined : value)),
    );
    return body;
  };
  for (const path of [...lists, ...others]) await read(path);
  for (const kind of kinds) await read(`records/${kind}?limit=1000`);
  const { records } = (await read('records/users')) as { readonly records: readonly { readonly id: string }[] };
  for (const { id } of records) {
    await read(`people/${id}`);
    await read(`people/${id}/history`);
  }
  return said;
}

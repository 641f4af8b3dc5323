import { shallowRef } from 'vue';
import { call } from './backend/control.ts';

/** Kind of a record → where it is shown, with `{id}` in it. They never change while it runs. */
const addresses = shallowRef<ReadonlyMap<string, string | null>>(new Map());
let asked: Promise<void> | null = null;

async function read(): Promise<void> {
  try {
    const { kinds } = await call('GET /control/record-kinds');
    addresses.value = new Map(kinds.map(({ kind, shownAt }) => [kind, shownAt]));
  } catch {
    // The frame says that the connection is lost; the next link asks again.
    asked = null;
  }
}

/** Where a record is shown; null if no view shows its kind, and for the moment until the kinds were read. */
export function toRecordRoute(kind: string, id: string): string | null {
  asked ??= read();
  return addresses.value.get(kind)?.replace('{id}', encodeURIComponent(id)) ?? null;
}

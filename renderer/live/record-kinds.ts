import { shallowRef } from 'vue';
import type { RecordKindView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { readOnce } from './backend/read-once.ts';

/** What the definition of each kind of record says; empty until that was read. */
const kinds = shallowRef<ReadonlyMap<string, RecordKindView>>(new Map());
const readKinds = readOnce(async () => {
  const reply = await call('GET /control/record-kinds');
  kinds.value = new Map(reply.kinds.map((one) => [one.kind, one]));
});

/** Undefined for the moment until the kinds were read. */
function find(kind: string): RecordKindView | undefined {
  // The frame says if the connection is lost; the next look asks again.
  if (kinds.value.size === 0) readKinds().catch(() => {});
  return kinds.value.get(kind);
}

/** Where a record is shown; null if no view shows its kind, and for the moment until the kinds were read. */
export function toRecordRoute(kind: string, id: string): string | null {
  return find(kind)?.shownAt?.replace('{id}', encodeURIComponent(id)) ?? null;
}

/** Where the records of a kind are shown: `/webhooks?delivery={id}` → `/webhooks`. */
export function toKindRoute(kind: string): string | null {
  return find(kind)?.shownAt?.replace(/[/?][^/?]*\{id\}$/, '') ?? null;
}

/** What people call this many records of a kind: `sign-up unit`, `people`. */
export function toWords(kind: string, count = 1): string {
  const known = find(kind);
  if (!known) return kind.replaceAll('-', ' ');
  return count === 1 ? known.one : known.many;
}

/** The same as a title: `People`. */
export function toTitleWords(kind: string): string {
  const words = toWords(kind, 2);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Whether records of a kind may be about a person. Until the kinds were read, any may. */
export function isAboutPeople(kind: string): boolean {
  return find(kind)?.aboutPeople ?? true;
}

/** Whether more is to come of a record in this state. */
export function isOpen(kind: string, state: string): boolean {
  return find(kind)?.open.includes(state) ?? true;
}

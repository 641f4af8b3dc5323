import { shallowRef } from 'vue';
import type { RecordKindView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { readOnce } from './backend/read-once.ts';

/** The definitions of the kinds of records, by kind; empty until they are read. */
const kinds = shallowRef<ReadonlyMap<string, RecordKindView>>(new Map());
const readKinds = readOnce(async () => {
  const reply = await call('GET /control/record-kinds');
  kinds.value = new Map(reply.kinds.map((one) => [one.kind, one]));
});

/** Undefined until the kinds are read. */
function find(kind: string): RecordKindView | undefined {
  // The frame reports a lost connection. The next call tries again.
  if (kinds.value.size === 0) readKinds().catch(() => {});
  return kinds.value.get(kind);
}

/** The route of a record; null if no view shows its kind, or until the kinds are read. */
export function toRecordRoute(kind: string, id: string): string | null {
  return find(kind)?.shownAt?.replace('{id}', encodeURIComponent(id)) ?? null;
}

/** The route of the view of a kind: `/webhooks?delivery={id}` → `/webhooks`. */
export function toKindRoute(kind: string): string | null {
  return find(kind)?.shownAt?.replace(/[/?][^/?]*\{id\}$/, '') ?? null;
}

/** The words for this many records of a kind: `sign-up unit`, `people`. */
export function toWords(kind: string, count = 1): string {
  const known = find(kind);
  if (!known) return kind.replaceAll('-', ' ');
  return count === 1 ? known.one : known.many;
}

/** The plural words as a title: `People`. */
export function toTitleWords(kind: string): string {
  const words = toWords(kind, 2);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Whether records of a kind may be about a person. Until the kinds are read, any may. */
export function isAboutPeople(kind: string): boolean {
  return find(kind)?.aboutPeople ?? true;
}

/** Whether a record in this state is not finished. */
export function isOpen(kind: string, state: string): boolean {
  return find(kind)?.open.includes(state) ?? true;
}

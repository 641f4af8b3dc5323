/** Notes about an undo, as sentences for people: its further effects, and the changes that it left as they were. */
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Change, Store } from '../store/store.ts';

type Words = readonly [one: string, many: string];

/**
 * Watches an undo of records. Call it before the undo.
 * @param changes the changes of the edit
 * @returns a function that makes the note from the changes of the undo; null if the undo only took back those of the
 *   edit
 */
export function watchUndo(changes: readonly Change[], store: Store): (undone: readonly Change[]) => string | null {
  const wordsOf = (name: CollectionName): Words => store.definitions[name]?.words ?? [name, name];
  const left = sayLeft(changes, store, wordsOf);
  return (undone) => {
    const own = new Set(changes.map(toKey));
    const also = undone.filter((one) => one.before !== null && one.after === null && !own.has(toKey(one)));
    const sentences = [
      ...(undone.every(isNoChange) ? ['This changed nothing.'] : []),
      ...(also.length === 0 ? [] : [`Also removed, as made since then: ${sayCounts(also, wordsOf)}.`]),
      ...left,
    ];
    return sentences.length === 0 ? null : sentences.join(' ');
  };
}

/** Whether a record was stored again as it was. */
export function isNoChange({ before, after }: Change): boolean {
  // Most commits have a new record, which is seen without comparing texts.
  return before !== null && after !== null && JSON.stringify(before) === JSON.stringify(after);
}

/** A record as its fields by name. */
export function toFields(record: StoredRecord): { readonly [field: string]: unknown } {
  return record as unknown as { readonly [field: string]: unknown };
}

/** Sentences about changes by others since the edit, which therefore stay. */
function sayLeft(
  changes: readonly Change[],
  store: Store,
  wordsOf: (name: CollectionName) => Words,
): readonly string[] {
  const [fields, gone, remade] = [new Map<CollectionName, Set<string>>(), [] as Change[], [] as Change[]];
  for (const change of changes) {
    const { collection, id, before, after } = change;
    const now = store.collection(collection).get(id);
    if (after === null) {
      if (before !== null && now) remade.push(change);
    } else if (!now) gone.push(change);
    else if (before !== null)
      for (const field of changedSince(before, after, now))
        fields.set(collection, (fields.get(collection) ?? new Set()).add(field));
  }
  return [
    ...[...fields].map(
      ([name, its]) => `Left as changed since then: ${[...its].join(', ')} of the ${wordsOf(name)[0]}.`,
    ),
    ...(gone.length === 0 ? [] : [`Deleted since then, and not brought back: ${sayCounts(gone, wordsOf)}.`]),
    ...(remade.length === 0 ? [] : [`Made again since then, and left so: ${sayCounts(remade, wordsOf)}.`]),
  ];
}

/** The fields that the edit changed, and that now have neither the value of the edit nor the one before it. */
function changedSince(before: StoredRecord, after: StoredRecord, now: StoredRecord): readonly string[] {
  const [was, became, is] = [toFields(before), toFields(after), toFields(now)].map((one) => toTexts(one));
  return Object.keys({ ...was, ...became }).filter(
    (field) => was?.[field] !== became?.[field] && is?.[field] !== became?.[field] && is?.[field] !== was?.[field],
  );
}

function toTexts(record: { readonly [field: string]: unknown }): { readonly [field: string]: string | undefined } {
  return Object.fromEntries(Object.entries(record).map(([field, value]) => [field, JSON.stringify(value)]));
}

/** `1 webhook, 2 attribute values`. */
function sayCounts(changes: readonly Change[], wordsOf: (name: CollectionName) => Words): string {
  const counts = new Map<CollectionName, number>();
  for (const { collection } of changes) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${wordsOf(name)[count === 1 ? 0 : 1]}`).join(', ');
}

function toKey({ collection, id }: Change): string {
  return `${collection} ${id}`;
}

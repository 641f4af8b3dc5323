import type { CollectionName, StoredRecord } from '../records.ts';
import type { Entry } from './collection.ts';

/** What a transaction did to one record: its state before and after. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
  /** Its place in the order of creation, before the change if it was there. Not of changes from before a restart. */
  readonly ordinal?: number | undefined;
}

/** A change that was made in this process. The journal and the record of requests write it, its JSON is made once. */
export class MadeChange implements Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
  readonly #ordinal: number | undefined;
  #json: string | null = null;

  constructor(collection: CollectionName, id: string, before: Entry | null, after: Entry | null) {
    this.collection = collection;
    this.id = id;
    this.before = before?.record ?? null;
    this.after = after?.record ?? null;
    this.#ordinal = (before ?? after)?.ordinal;
  }

  get ordinal(): number | undefined {
    return this.#ordinal;
  }

  /** The record after it. */
  get json(): string {
    return (this.#json ??= JSON.stringify(this.after));
  }
}

/** Changes as JSON. */
export function changesToJson(changes: readonly Change[]): string {
  let text = '[';
  for (const change of changes) {
    const { collection, id, before, after } = change;
    const json = change instanceof MadeChange ? change.json : JSON.stringify(after);
    text += `${text === '[' ? '' : ','}{"collection":"${collection}","id":${JSON.stringify(id)},"before":${before === null ? 'null' : JSON.stringify(before)},"after":${json}}`;
  }
  return `${text}]`;
}

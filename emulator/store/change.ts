import type { CollectionName, StoredRecord } from '../records.ts';
import type { Entry } from './collection.ts';

/** The change of one record by a transaction: the record before and after it. */
export interface Change {
  readonly collection: CollectionName;
  readonly id: string;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
  /**
   * The record's place in the order of creation, before the change if it existed then. Changes from before a restart
   * have none.
   */
  readonly ordinal?: number | undefined;
}

/** A change that was made in this process. Its JSON is made once, for both the journal and the record of requests. */
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

  /** The record after the change, as JSON. */
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

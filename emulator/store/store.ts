// PROVISIONAL in-memory stand-in so that the other pieces can run; replaced by the real store.
import { mkdtempSync, mkdirSync, rmSync, appendFileSync, existsSync, statSync, statfsSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectionNames, type CollectionName, type Collections, type StoredRecord } from '../records.ts';

export interface Change { readonly collection: CollectionName; readonly id: string; readonly before: StoredRecord | null; readonly after: StoredRecord | null }
export interface Index<T> { get(key: string): readonly T[] }
export interface Collection<T extends StoredRecord> {
  readonly name: CollectionName; readonly size: number;
  get(id: string): T | undefined;
  all(): Iterable<T>;
  put(record: T): T;
  delete(id: string): void;
  index(name: string, keysOf: (record: T) => readonly string[]): Index<T>;
}
export interface StateDocument { readonly format: 1; readonly sequence: number; readonly collections: { readonly [name: string]: readonly StoredRecord[] } }
export interface Blobs {
  path(kind: string, id: string): string; createTemp(kind: string): string; keep(tempPath: string, kind: string, id: string): Promise<void>;
  remove(kind: string, id: string): Promise<void>; exists(kind: string, id: string): boolean; size(kind: string, id: string): number | null;
  append(kind: string, id: string, text: string): void; list(kind: string): readonly string[]; freeBytes(): number; clear(): Promise<void>;
}
export type Store = { readonly [N in CollectionName]: Collection<Collections[N]> } & {
  transact<R>(work: () => R): { readonly result: R; readonly changes: readonly Change[] };
  nextNumber(): number;
  onCommit(listener: (changes: readonly Change[]) => void): () => void;
  onReplace(listener: () => void): () => void;
  toDocument(): StateDocument;
  replace(document: StateDocument): Promise<void>;
  snapshot(): Promise<void>;
  readonly blobs: Blobs;
  readonly dataDir: string | null;
  readonly notices: readonly string[];
  close(): Promise<void>;
};

export async function openStore(options: { dataDir: string | null; snapshotAfterLines?: number; now: () => number; fsync?: boolean }): Promise<Store> {
  const maps = new Map<CollectionName, Map<string, StoredRecord>>(collectionNames.map((n) => [n, new Map()]));
  const indexes = new Map<CollectionName, Map<string, { keysOf: (r: StoredRecord) => readonly string[] }>>();
  let sequence = 0; let depth = 0;
  let changes = new Map<string, Change>();
  const commits = new Set<(c: readonly Change[]) => void>(); const replaces = new Set<() => void>();
  const root = options.dataDir ?? mkdtempSync(join(tmpdir(), 'sandpiper-'));
  const write = (collection: CollectionName, id: string, after: StoredRecord | null) => {
    if (depth === 0) throw new Error('outside a transaction');
    const map = maps.get(collection)!; const key = `${collection} ${id}`;
    const before = changes.has(key) ? changes.get(key)!.before : (map.get(id) ?? null);
    changes.set(key, { collection, id, before, after });
    if (after) map.set(id, after); else map.delete(id);
  };
  const collectionsOf = Object.fromEntries(collectionNames.map((name) => [name, {
    name, get size() { return maps.get(name)!.size; },
    get: (id: string) => maps.get(name)!.get(id),
    all: () => maps.get(name)!.values(),
    put: (r: StoredRecord) => { write(name, r.id, r); return r; },
    delete: (id: string) => { if (maps.get(name)!.has(id)) write(name, id, null); },
    index: (_n: string, keysOf: (r: StoredRecord) => readonly string[]) => ({ get: (key: string) => [...maps.get(name)!.values()].filter((r) => keysOf(r).includes(key)) }),
  }]));
  void indexes;
  const blobs: Blobs = {
    path: (k, id) => join(root, 'blobs', k, id),
    createTemp: (k) => { mkdirSync(join(root, 'blobs', k), { recursive: true }); return join(root, 'blobs', k, `.tmp-${Math.random().toString(36).slice(2)}`); },
    keep: async (t, k, id) => { mkdirSync(join(root, 'blobs', k), { recursive: true }); renameSync(t, join(root, 'blobs', k, id)); },
    remove: async (k, id) => rmSync(join(root, 'blobs', k, id), { force: true }),
    exists: (k, id) => existsSync(join(root, 'blobs', k, id)),
    size: (k, id) => statSync(join(root, 'blobs', k, id), { throwIfNoEntry: false })?.size ?? null,
    append: (k, id, text) => { mkdirSync(join(root, 'blobs', k), { recursive: true }); appendFileSync(join(root, 'blobs', k, id), text); },
    list: (k) => (existsSync(join(root, 'blobs', k)) ? readdirSync(join(root, 'blobs', k)) : []),
    freeBytes: () => { const s = statfsSync(tmpdir()); return s.bavail * s.bsize; },
    clear: async () => rmSync(join(root, 'blobs'), { recursive: true, force: true }),
  };
  return {
    ...(collectionsOf as unknown as { [N in CollectionName]: Collection<Collections[N]> }),
    transact(work) {
      const outer = depth === 0; if (outer) changes = new Map(); depth++;
      try {
        const result = work();
        if (!outer) return { result, changes: [] };
        const done = [...changes.values()];
        depth--; 
        if (done.length) for (const l of commits) l(done);
        depth++;
        return { result, changes: done };
      } catch (error) {
        if (outer) for (const c of changes.values()) { const m = maps.get(c.collection)!; if (c.before) m.set(c.id, c.before); else m.delete(c.id); }
        throw error;
      } finally { depth--; }
    },
    nextNumber: () => ++sequence,
    onCommit: (l) => { commits.add(l); return () => void commits.delete(l); },
    onReplace: (l) => { replaces.add(l); return () => void replaces.delete(l); },
    toDocument: () => ({ format: 1, sequence, collections: Object.fromEntries([...maps].map(([n, m]) => [n, [...m.values()]])) }),
    replace: async (d) => { for (const [n, m] of maps) { m.clear(); for (const r of d.collections[n] ?? []) m.set(r.id, r); } sequence = d.sequence; for (const l of replaces) l(); },
    snapshot: async () => {}, blobs, dataDir: options.dataDir, notices: [],
    close: async () => { if (options.dataDir === null) rmSync(root, { recursive: true, force: true }); },
  };
}
export function emptyDocument(): StateDocument { return { format: 1, sequence: 0, collections: {} }; }

import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';

import { inPath, refuse, toRefusal, type Refusal, type Rule } from '../rules.ts';
import { readAnnouncement, type Announcement } from './announcement.ts';
import { discardRest, letContinue } from '../net/conversation.ts';
import { checkDigest, startSum, type Algorithm } from './digests.ts';
import { verify } from './presign.ts';
import { receive, type Received } from './receive.ts';
import { lengthPlace, maxFileBytes, objectRules } from './rules.ts';

/** Where files are stored (see store/): first as a temporary file, then under a kind and an id. */
export interface ObjectBlobs<Kind extends string> {
  createTemp(kind: Kind): string | Promise<string>;
  keep(tempPath: string, kind: Kind, id: string): void | Promise<void>;
  path(kind: Kind, id: string): string;
  /** Bytes that may still be written. */
  freeBytes(): number | Promise<number>;
}

/** Whether a key accepts a file now: `kind` and `id` say where to store it; `why` is the reason if it does not. */
export type Acceptance<Kind extends string> =
  | { readonly ok: true; readonly kind: Kind; readonly id: string }
  | { readonly ok: false; readonly why: 'unknown' }
  | { readonly ok: false; readonly why: 'expired'; readonly id: string }
  | { readonly ok: false; readonly why: 'stored'; readonly id: string; readonly state: string };

type Accepted<Kind extends string> = Extract<Acceptance<Kind>, { readonly ok: true }>;

/** A file that has arrived completely and is stored. */
export interface StoredObject {
  readonly key: string;
  readonly id: string;
  readonly bytes: number;
  /** The MD5 of the file in hexadecimal, without quotes. */
  readonly etag: string;
  readonly path: string;
}

/** The part of `ctx.state` that earlier middleware sets. */
export interface ObjectState {
  /** Called with every chunk of the body. */
  onChunk?: (chunk: Buffer) => void;
  /** Wraps `onStored`, so that its changes are recorded with this request. */
  transact?(work: () => void): void;
  /** Writes the reply to a refusal at once; errors that are thrown are answered after this middleware. */
  answerError(error: Refusal): void;
}

export interface ObjectRouterOptions<Kind extends string> {
  readonly blobs: ObjectBlobs<Kind>;
  /** Epoch milliseconds on the virtual clock. */
  readonly clock: { now(): number };
  /** The secret that signs URLs now; a reset replaces it. */
  readonly secret: string;
  /** The largest file in bytes; by default the limit of section 8. */
  readonly maxBytes?: number;
  /** An upload that sends nothing for this long is cancelled (milliseconds). */
  readonly idleMs?: number;
  /**
   * Called before the first byte is read, and again before the file is stored: the upload may have changed its state
   * meanwhile.
   */
  accepts(key: string): Acceptance<Kind>;
  /** See `verify`: lets a refusal say which part of the URL was changed. */
  issued?(key: string): number | undefined;
  /**
   * Called after the file is stored and before the 200. If it throws, the file is removed and the client gets a 500.
   */
  onStored(object: StoredObject): void;
}

/**
 * The object store: `PUT /object-storage/**` with a pre-signed URL (sections 2.2 and 4), answered as an S3-style store
 * does: 200 with an ETag and no body. It throws refusals like every operation; the app sends them as XML.
 */
export function createObjectRouter<Kind extends string>(
  options: ObjectRouterOptions<Kind>,
): (ctx: Context) => Promise<void> {
  const receiving: Receiving = new Map();

  return async (ctx) => {
    try {
      const etag = await put(ctx, options, receiving);
      ctx.body = null;
      ctx.status = 200;
      ctx.set('ETag', `"${etag}"`);
    } finally {
      discardRest(ctx.req, ctx.res);
    }
  };
}

/** The uploads that are being received, and the request that sends each. */
type Receiving = Map<string, IncomingMessage>;

/** @returns the ETag of the stored file */
async function put<Kind extends string>(
  ctx: Context,
  options: ObjectRouterOptions<Kind>,
  receiving: Receiving,
): Promise<string> {
  const { clock, issued, maxBytes = maxFileBytes } = options;
  const { method, path } = ctx;
  if (method !== 'PUT') {
    return refuse(objectRules.method, { in: 'method', at: '' }, method, { method }, { allow: 'PUT' });
  }
  const query = new URLSearchParams(ctx.querystring);
  const toKey = (): string =>
    verify({ method, path, query, now: clock.now(), secret: options.secret, ...(issued && { issued }) });
  const key = toKey();
  const accepted = accept(options, key, objectRules.key);
  // After a reset the same key may belong to another upload, whose URL has another signature or expiry.
  const toUrl = (): string => `${options.secret} ${issued?.(key)}`;
  const url = toUrl();
  const acceptAgain = (): void => {
    if (toUrl() !== url) refuse(objectRules.gone, inPath(''), key, { key });
    accept(options, key, objectRules.gone);
    toKey();
  };
  const sending = `${options.secret} ${key}`;
  if (receiving.has(sending)) return refuse(objectRules.busy, inPath(''), path, { key });
  const announcement = readAnnouncement(ctx.req.headers, maxBytes);

  receiving.set(sending, ctx.req);
  const release = (): void => {
    if (receiving.get(sending) === ctx.req) receiving.delete(sending);
  };
  try {
    return await store(ctx, options, { key, maxBytes, announcement, accepted, acceptAgain, release });
  } finally {
    release();
  }
}

interface Errand<Kind extends string> {
  readonly key: string;
  readonly maxBytes: number;
  readonly announcement: Announcement;
  readonly accepted: Accepted<Kind>;
  /** Asks again; refused if the upload no longer takes this file. */
  acceptAgain(): void;
  /** Lets another request send the file. */
  release(): void;
}

async function store<Kind extends string>(
  ctx: Context,
  { blobs, onStored, idleMs = 60_000 }: ObjectRouterOptions<Kind>,
  { key, maxBytes, announcement, accepted: { kind, id }, acceptAgain, release }: Errand<Kind>,
): Promise<string> {
  const { length, digests } = announcement;
  const free = await blobs.freeBytes();
  if (length !== null && length > free) {
    const what = `${length} bytes do not fit into the ${free} that are free`;
    return refuse(objectRules.space, lengthPlace, length, { what, facts: { bytes: length, free } });
  }

  const temp = await blobs.createTemp(kind);
  try {
    letContinue(ctx.req);
    ctx.req.setTimeout(idleMs);
    // The MD5 is the ETag of the answer.
    const computed = new Set<Algorithm>(['MD5', ...digests.map(({ algorithm }) => algorithm)]);
    const sums = [...computed].map((algorithm) => [algorithm, startSum(algorithm)] as const);
    const onBytes = (chunk: Buffer): void => sums.forEach(([, sum]) => sum.update(chunk));
    const { onChunk, answerError, transact = (work) => work() } = ctx.state as ObjectState;
    const onCutShort = (bytes: number): void => {
      // The client may answer the reply with the whole file before this part of it is removed.
      release();
      answerError(toRefusal(objectRules.cutShort, lengthPlace, length, { bytes, announced: length }));
      ctx.respond = false;
      ctx.res.end(ctx.body);
    };
    const received = await receive({ req: ctx.req, path: temp, maxBytes, onBytes, onCutShort, onChunk });
    if (received.outcome !== 'whole') return refuseReceived(received, maxBytes, length);
    const calculated = new Map(sums.map(([algorithm, sum]) => [algorithm, sum.digest()]));
    const toDigest = (algorithm: Algorithm): Buffer => calculated.get(algorithm) ?? Buffer.alloc(0);
    for (const digest of digests) checkDigest(digest, toDigest(digest.algorithm));
    const etag = toDigest('MD5').toString('hex');
    acceptAgain();
    await blobs.keep(temp, kind, id);
    const path = blobs.path(kind, id);
    try {
      // The upload may have been deleted meanwhile.
      acceptAgain();
      transact(() => onStored({ key, id, bytes: received.bytes, etag, path }));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return etag;
  } finally {
    await rm(temp, { force: true });
  }
}

/**
 * Where to store the file of a key; refused if its upload accepts none now.
 * @param unknown the rule for a key that no upload has
 */
function accept<Kind extends string>(
  { accepts }: Pick<ObjectRouterOptions<Kind>, 'accepts'>,
  key: string,
  unknown: Rule<{ key: string }>,
): Accepted<Kind> {
  const answer = accepts(key);
  if (answer.ok) return answer;
  switch (answer.why) {
    case 'unknown':
      return refuse(unknown, inPath(''), key, { key });
    case 'expired':
      return refuse(objectRules.uploadExpired, inPath(''), key, { id: answer.id, key });
    case 'stored':
      return refuse(objectRules.stored, inPath(''), key, { id: answer.id, state: answer.state, key });
  }
}

function refuseReceived(
  received: Exclude<Received, { outcome: 'whole' }>,
  most: number,
  announced: number | null,
): never {
  const { outcome, bytes } = received;
  if (outcome === 'too-large') {
    const seen = { ReceivedBytes: `more than ${most}` };
    return refuse(objectRules.tooLarge, { in: 'body', at: '' }, undefined, { most, seen });
  }
  if (outcome === 'cut-short') return refuse(objectRules.cutShort, lengthPlace, announced, { bytes, announced });
  const { code } = received.error;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return refuse(objectRules.space, lengthPlace, announced, {
      what: `it ended after ${bytes} bytes (${code})`,
      facts: { bytes, code },
    });
  }
  throw received.error;
}

import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Context, Middleware } from 'koa';

import { readAnnouncement, type Announcement } from './announcement.ts';
import { refusal, toStatus, toXml, type ObjectCode, type ObjectRefusal } from './answers.ts';
import { discardRest, letContinue } from './conversation.ts';
import { objectPrefix, verify } from './presign.ts';
import { badDigest, busy, cutShort, methodNotAllowed, noSpace, tooLarge } from './problems.ts';
import { receive, type Received } from './receive.ts';

/** Where bytes go (see store/): a temporary file first, then under a kind and an id. */
export interface ObjectBlobs<Kind extends string> {
  createTemp(kind: Kind): string | Promise<string>;
  keep(tempPath: string, kind: Kind, id: string): void | Promise<void>;
  path(kind: Kind, id: string): string;
  /** Bytes that may still be written. */
  freeBytes(): number | Promise<number>;
}

/** Whether a key takes a file now; `kind` and `id` say where the blobs keep it. */
export type Acceptance<Kind extends string> =
  | { readonly ok: true; readonly kind: Kind; readonly id: string }
  | {
      readonly ok: false;
      readonly code: Extract<ObjectCode, 'NoSuchKey' | 'AccessDenied' | 'KeyAlreadyStored' | 'InvalidObjectState'>;
      readonly message: string;
    };

/** A file that has arrived whole and stands in the blobs. */
export interface StoredObject {
  readonly key: string;
  readonly id: string;
  readonly bytes: number;
  /** Without quotes. */
  readonly etag: string;
  readonly path: string;
}

/** What a middleware before this one may ask for. */
export interface ObjectState {
  /** Told every chunk of the body. */
  onChunk?: (chunk: Buffer) => void;
}

export interface ObjectRouterOptions<Kind extends string> {
  readonly blobs: ObjectBlobs<Kind>;
  /** Epoch milliseconds on the virtual clock. */
  readonly clock: { now(): number };
  readonly secret: string;
  /** Section 8 says 2 GB, taken as 2 * 1024³. */
  readonly maxBytes?: number;
  /** An upload from which nothing comes for this long is given up (milliseconds). */
  readonly idleMs?: number;
  /** Asked before the first byte is read and again before the file is kept: the upload may have moved meanwhile. */
  accepts(key: string): Acceptance<Kind>;
  /** See `verify`: lets a refusal say which part of the URL was changed. */
  issued?(key: string): number | undefined;
  /** Called once the file is kept and before the 200. If it throws, the file is removed and the client gets a 500. */
  onStored(object: StoredObject): void | Promise<void>;
}

/**
 * The object store: `PUT /object-storage/**` with a pre-signed URL (sections 2.2 and 4), answered as an S3-style store
 * does: 200 with an ETag and no body, or an XML error with the rule's id in `x-sandbox-rule` and in `ctx.state.rule`.
 * Requests outside that prefix go on to the next middleware. Must stand before anything that reads bodies.
 */
export function createObjectRouter<Kind extends string>(options: ObjectRouterOptions<Kind>): Middleware {
  const receiving = new Set<string>();

  return async (ctx, next) => {
    if (!ctx.path.startsWith(objectPrefix)) return next();
    try {
      const answer = await put(ctx, options, receiving);
      if (typeof answer === 'string') accept(ctx, answer);
      else refuse(ctx, answer);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      refuse(ctx, refusal('InternalError', null, `The file was not stored: ${reason}. Send it again.`));
      ctx.app.emit('error', error, ctx);
    }
  };
}

const twoGigabytes = 2 * 1024 ** 3;

/** @returns the ETag of the stored file, or why there is none */
async function put<Kind extends string>(
  ctx: Context,
  options: ObjectRouterOptions<Kind>,
  receiving: Set<string>,
): Promise<string | ObjectRefusal> {
  const { clock, secret, issued, maxBytes = twoGigabytes } = options;
  if (ctx.method !== 'PUT') return methodNotAllowed(ctx.method);
  const query = new URLSearchParams(ctx.querystring);
  const verdict = verify({
    method: ctx.method,
    path: ctx.path,
    query,
    now: clock.now(),
    secret,
    ...(issued && { issued }),
  });
  if (!verdict.ok) return verdict;
  const { key } = verdict;
  const acceptance = options.accepts(key);
  if (!acceptance.ok) return notAccepted(key, acceptance);
  if (receiving.has(key)) return busy(key);
  const announcement = readAnnouncement(ctx.req.headers, maxBytes);
  if ('code' in announcement) return announcement;

  receiving.add(key);
  try {
    return await store(ctx, options, { key, maxBytes, announcement, kind: acceptance.kind, id: acceptance.id });
  } finally {
    receiving.delete(key);
  }
}

interface Errand<Kind extends string> {
  readonly key: string;
  readonly maxBytes: number;
  readonly announcement: Announcement;
  readonly kind: Kind;
  readonly id: string;
}

async function store<Kind extends string>(
  ctx: Context,
  { blobs, accepts, onStored, idleMs = 60_000 }: ObjectRouterOptions<Kind>,
  { key, maxBytes, announcement, kind, id }: Errand<Kind>,
): Promise<string | ObjectRefusal> {
  const { length, md5 } = announcement;
  const free = await blobs.freeBytes();
  if (length !== null && length > free) return noSpace(`${length} bytes do not fit into the ${free} that are free`);

  const temp = await blobs.createTemp(kind);
  try {
    letContinue(ctx.req);
    ctx.req.setTimeout(idleMs);
    const hash = md5 === null ? null : createHash('md5');
    const onCutShort = (bytes: number): void => {
      refuse(ctx, cutShort(bytes, length));
      ctx.respond = false;
      ctx.res.end(ctx.body);
    };
    const received = await receive({
      req: ctx.req,
      path: temp,
      maxBytes,
      hash,
      onCutShort,
      onChunk: (ctx.state as ObjectState).onChunk,
    });
    if (received.outcome !== 'whole') return notReceived(received, maxBytes, length);
    const digest = hash?.digest('hex') ?? null;
    if (digest !== md5) return badDigest(md5, digest);
    const stillAccepted = accepts(key);
    if (!stillAccepted.ok) return notAccepted(key, stillAccepted);

    await blobs.keep(temp, kind, id);
    const path = blobs.path(kind, id);
    const etag = digest ?? unrelatedEtag();
    try {
      await onStored({ key, id, bytes: received.bytes, etag, path });
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    return etag;
  } finally {
    await rm(temp, { force: true });
  }
}

/** As for an S3 multipart upload, the dash tells clients that the ETag is not the MD5 of the file: that would halve the pace. */
function unrelatedEtag(): string {
  return `${randomBytes(16).toString('hex')}-1`;
}

function accept(ctx: Context, etag: string): void {
  ctx.body = null;
  ctx.status = 200;
  ctx.set('ETag', `"${etag}"`);
}

function refuse(ctx: Context, problem: ObjectRefusal): void {
  ctx.status = toStatus(problem.code);
  ctx.type = 'application/xml';
  ctx.body = toXml(problem);
  if (problem.code === 'MethodNotAllowed') ctx.set('Allow', 'PUT');
  if (problem.rule !== null) {
    ctx.state['rule'] = problem.rule;
    ctx.set('x-sandbox-rule', problem.rule);
  }
  discardRest(ctx.req, ctx.res);
}

function notAccepted<Kind extends string>(
  key: string,
  { code, message }: Extract<Acceptance<Kind>, { ok: false }>,
): ObjectRefusal {
  return refusal(code, code === 'NoSuchKey' ? 'objects.key' : 'objects.state', message, { Key: key });
}

function notReceived(
  received: Exclude<Received, { outcome: 'whole' }>,
  maxBytes: number,
  length: number | null,
): ObjectRefusal {
  if (received.outcome === 'too-large') return tooLarge(maxBytes, { ReceivedBytes: `more than ${maxBytes}` });
  if (received.outcome === 'cut-short') return cutShort(received.bytes, length);
  const { code } = received.error;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace(`it ended after ${received.bytes} bytes (${code})`);
  throw received.error;
}

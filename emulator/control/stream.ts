import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import type { Clock } from '../time/clock.ts';
import type { Feed, FeedEvent } from '../feed.ts';
import type { Recorder } from '../http/recorder.ts';
import { toKind } from '../records/kind.ts';
import { toJumpView } from './clock.ts';
import type { Schema } from '../contract/schema.ts';
import { toValidator } from '../contract/validate.ts';
import { streamMessage, type StreamMessage } from './contract/stream.ts';
import { toSummary } from './views.ts';

/** How long events are collected before they are sent together: a page does not draw more often anyway. */
const batchMs = 50;
/** Bytes that may wait for a slow reader; beyond that, messages are dropped, and a `gap` says how many. */
const waitingBytes = 1024 * 1024;
/** Requests sent at once to a reader that comes back; more are a `gap`, to be fetched by the list. */
const catchUp = 1_000;

/**
 * GET /control/stream: server-sent events of what happens, in batches. The id of a message is the last request's
 * sequence, so that a reader who comes back with Last-Event-ID misses nothing that is still recorded.
 */
export function createStream({
  feed,
  recorder,
  clock,
  onMisfit,
}: {
  feed: Feed;
  recorder: Recorder;
  clock: Clock;
  /** Called with a message that is outside the contract; null checks none. */
  onMisfit: ((error: Error) => void) | null;
}): (ctx: Context) => void {
  return (ctx) => {
    const body = new PassThrough();
    ctx.status = 200;
    ctx.set({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    ctx.body = body;

    let last = Number(ctx.get('last-event-id') || Number.NaN);
    let skipped = 0;
    let pending: FeedEvent[] = [];
    let cancelFlush: (() => void) | null = null;

    const send = (message: StreamMessage): void => {
      if (onMisfit) void checkMessage(message).catch(onMisfit);
      if (body.writableLength > waitingBytes) {
        skipped += message.type === 'requests' ? message.requests.length : 1;
        return;
      }
      if (skipped > 0) {
        const gap: StreamMessage = { type: 'gap', skipped };
        skipped = 0;
        body.write(`data: ${JSON.stringify(gap)}\n\n`);
      }
      body.write(`${Number.isNaN(last) ? '' : `id: ${last}\n`}data: ${JSON.stringify(message)}\n\n`);
    };

    const sendRequests = (ids: readonly string[]): void => {
      const requests = ids.flatMap((id) => recorder.get(id) ?? []).map(toSummary);
      const newest = requests.at(-1);
      if (!newest) return;
      last = newest.sequence;
      send({ type: 'requests', requests });
    };

    const flush = (): void => {
      cancelFlush = null;
      const events = pending;
      pending = [];
      sendRequests(events.flatMap((event) => (event.type === 'request' ? [event.id] : [])));
      const changes = events.flatMap((event) => (event.type === 'records' ? event.changes : []));
      if (changes.length > 0)
        send({ type: 'records', changes: changes.map(({ collection, id }) => ({ kind: toKind(collection), id })) });
      for (const event of events) {
        if (event.type === 'progress') {
          const { type, collection, id, work, done, of, lines, errors } = event;
          send({ type, kind: toKind(collection), id, work, done, of, lines, errors });
        }
        if (event.type === 'jump') send({ type: 'jump', jump: event.jump && toJumpView(event.jump) });
        if (event.type === 'reset' || event.type === 'notice') send(event);
      }
    };

    body.write('retry: 1000\n: open\n\n');
    if (!Number.isNaN(last)) {
      const missed = recorder.all(last);
      skipped = Math.max(0, missed.length - catchUp);
      sendRequests(missed.slice(-catchUp).map(({ id }) => id));
    }
    const unsubscribe = feed.subscribe((event) => {
      pending.push(event);
      cancelFlush ??= clock.afterWall(batchMs, flush);
    });
    ctx.res.once('close', () => {
      unsubscribe();
      cancelFlush?.();
      body.destroy();
    });
  };
}

/** @throws Error if the message is outside the contract */
export async function checkMessage(message: unknown): Promise<void> {
  const validate = await toValidator(streamMessage as Schema);
  const [misfit] = validate(message);
  if (misfit)
    throw new Error(`A message of the stream does not fit the contract at ${misfit.pointer || '/'}: ${misfit.message}`);
}

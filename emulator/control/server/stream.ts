import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import type { Clock } from '../../time/clock.ts';
import type { Feed, FeedEvent } from '../../feed.ts';
import { innermost, toMisfitText } from '../../http/check-reply.ts';
import type { Recorder } from '../../http/record/recorder.ts';
import { toKind } from '../../records/kind.ts';
import { toJumpView } from '../clock.ts';
import type { Schema } from '../../contract/schema.ts';
import { toValidator } from '../../contract/validate.ts';
import { show } from '../../rules.ts';
import type { RequestSummary } from '../contract/parts.ts';
import { streamMessage, type StreamMessage } from '../contract/stream.ts';
import { toSummary } from '../views.ts';

/** How long events are collected before they are sent together: a page does not draw more often anyway. */
const batchMs = 50;
/** Bytes that may wait for a slow reader. Beyond that, messages are dropped, and a `gap` says how many. */
const waitingBytes = 1024 * 1024;
/**
 * The most requests that are sent at once to a reader that reconnects. The rest is a `gap`, to be fetched by the list.
 */
const catchUp = 1_000;

/** A serialized message, the same for all watchers. */
interface Written {
  readonly text: string;
  /** The number by which a `gap` counts the message if it is left out. */
  readonly count: number;
}

/** A reader of the stream. */
interface Watcher {
  write(message: Written): void;
  /** Ends the reply properly: a reader whose connection breaks may lose the last message. */
  end(): void;
}

/**
 * GET /control/stream: server-sent events of what happens, in batches. Each batch is written once for all watchers. The
 * id of a message says up to where the record was sent: a reader that reconnects with Last-Event-ID misses nothing that
 * is still recorded.
 */
export function createStream({
  feed,
  recorder,
  clock,
  check,
}: {
  feed: Feed;
  recorder: Recorder;
  clock: Clock;
  /** Runs the check of a message, which rejects if the message is outside the contract; null checks none. */
  check: ((work: Promise<void>) => void) | null;
}): (ctx: Context) => void {
  const watchers = new Set<Watcher>();
  let unsubscribe: (() => void) | null = null;
  let pending: FeedEvent[] = [];
  /** Lines of requests, made immediately, while the request need not be decoded. */
  let requests: RequestSummary[] = [];
  let cancelFlush: (() => void) | null = null;

  const toWritten = (message: StreamMessage): Written => {
    check?.(checkMessage(message));
    return {
      text: `data: ${JSON.stringify(message)}\n\n`,
      count: message.type === 'requests' ? message.requests.length : 1,
    };
  };

  const flush = (): void => {
    cancelFlush?.();
    cancelFlush = null;
    const messages = [...toRequests(requests), ...toMessages(pending)];
    [pending, requests] = [[], []];
    for (const message of messages) {
      const written = toWritten(message);
      for (const watcher of watchers) watcher.write(written);
    }
  };

  const join = (watcher: Watcher): void => {
    // A new watcher must not get earlier events.
    flush();
    watchers.add(watcher);
    unsubscribe ??= feed.subscribe((event) => {
      const kept = event.type === 'request' ? recorder.get(event.exchange.id) : undefined;
      if (event.type !== 'request') pending.push(event);
      else if (kept) requests.push(toSummary(kept, event.exchange));
      if (event.type === 'end') {
        flush();
        for (const { end } of watchers) end();
        watchers.clear();
      } else cancelFlush ??= clock.afterWall(batchMs, flush);
    });
  };

  const leave = (watcher: Watcher): void => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    unsubscribe?.();
    unsubscribe = null;
    flush();
  };

  return (ctx) => {
    // The client may have left while earlier requests were still loading: no later event would say so.
    if (ctx.res.closed) return;
    // A window that connects again after the last message must not take the stopping server for a new one.
    if (feed.hasEnded) {
      ctx.respond = false;
      return void ctx.res.destroy();
    }
    const body = new PassThrough();
    ctx.status = 200;
    ctx.set({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    ctx.body = body;

    const last = Number(ctx.get('last-event-id') || Number.NaN);
    let skipped = 0;
    const tellSkipped = (): void => {
      if (skipped > 0) body.write(toWritten({ type: 'gap', skipped }).text);
      skipped = 0;
    };
    const watcher: Watcher = {
      write({ text, count }) {
        if (body.writableLength > waitingBytes) {
          skipped += count;
          return;
        }
        tellSkipped();
        body.write(`id: ${recorder.upTo}\n${text}`);
      },
      end() {
        tellSkipped();
        body.end();
      },
    };

    // Report the gap on drain, because possibly nothing else happens.
    body.on('drain', tellSkipped);
    body.write('retry: 1000\n: open\n\n');
    join(watcher);
    if (!Number.isNaN(last)) {
      const missed = recorder.all(last);
      skipped = Math.max(0, missed.length - catchUp);
      const lines = missed.slice(-catchUp).map((exchange) => toSummary(exchange));
      for (const message of toRequests(lines)) watcher.write(toWritten(message));
    }
    ctx.res.once('close', () => {
      leave(watcher);
      body.destroy();
    });
  };
}

/** Turns events into messages: changes together, all others one by one. */
function* toMessages(events: readonly FeedEvent[]): Iterable<StreamMessage> {
  const changes = events.flatMap((event) => (event.type === 'changes' ? event.changes : []));
  if (changes.length > 0)
    yield { type: 'changes', changes: changes.map(({ collection, id }) => ({ kind: toKind(collection), id })) };
  for (const event of events) {
    if (event.type === 'progress') {
      const { type, collection, id, work, done, of, lines, errors } = event;
      yield { type, kind: toKind(collection), id, work, done, of, lines, errors };
    }
    if (event.type === 'jump') yield { type: 'jump', jump: event.jump && toJumpView(event.jump) };
    if (event.type === 'reset' || event.type === 'notice' || event.type === 'end') yield event;
  }
}

function toRequests(requests: readonly RequestSummary[]): readonly StreamMessage[] {
  return requests.length === 0 ? [] : [{ type: 'requests', requests }];
}

/** The schemas by type: if a message fits none of all schemas, no misfit says what it should have been. */
const byType = new Map<unknown, Schema>(streamMessage.anyOf.map((one) => [one.properties.type.const, one as Schema]));

/** @throws Error if the message is outside the contract */
export async function checkMessage(message: {
  readonly type: string;
  readonly [member: string]: unknown;
}): Promise<void> {
  const { type } = message;
  const schema = byType.get(type);
  if (!schema) throw new Error(`The contract has no message ${show(type)} of the stream.`);
  const misfit = innermost((await toValidator(schema))(message));
  if (misfit)
    throw new Error(`The message ${show(type)} of the stream is outside the contract at ${toMisfitText(misfit)}`);
}

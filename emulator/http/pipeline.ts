import type { Context } from 'koa';
import type { Deps } from '../deps.ts';
import { hopsOf } from '../delivery/loop-count.ts';
import type { Hosts } from '../net/host-guard.ts';
import { send, toAnswer, type Answer } from './answer.ts';
import { createBodyReader } from './body/body.ts';
import { checkHost } from './check-host.ts';
import { createCrossSiteGuard, siteOf, type Site } from './cross-site.ts';
import type { Explain } from './explain.ts';
import { keepRequestBody, type Exchange } from './record/exchange.ts';
import { objectPrefix } from '../objects/presign.ts';
import { deliver, toFailure, toPassage, toSent, type Passage, type Step } from './passage.ts';
import { createOutbox } from './outbox.ts';
import type { Recorder } from './record/recorder.ts';

export interface PipelineOptions {
  readonly deps: Deps;
  readonly recorder: Recorder;
  readonly explain: Explain;
  readonly hosts: Hosts;
  /** Finds the operation, and answers with it. */
  readonly route: Step;
  /**
   * Leaves out the emulator's own headers, which the platform does not send. The recorded request still has its rule.
   */
  readonly withoutOwnHeaders: boolean;
}

/** Creates the path that every request to the API takes, from its head to its answer (docs/how-a-request-goes.md). */
export function createPipeline(options: PipelineOptions): (ctx: Context) => Promise<void> {
  const { deps, recorder, explain, route, hosts, withoutOwnHeaders } = options;
  const { store, deliveries, clock } = deps;
  const crossSite = createCrossSiteGuard(recorder);
  const readBriefly = createBodyReader(clock, 250);
  const outbox = createOutbox();
  const toPlatform = (answer: Answer): Answer => (withoutOwnHeaders ? toPlatformOnly(answer) : answer);

  /**
   * Checks the host and the page that sent the request, counts the deliveries that led to it, then runs the operation.
   */
  const enter = (passage: Passage, site: Site | null): ReturnType<Step> => {
    const { req, exchange } = passage;
    checkHost(req, hosts);
    if (site !== null) crossSite.refuse(site, exchange);
    // Deliveries of this request continue the count of its hops, so that a loop ends (docs/security.md, Outgoing
    // webhooks).
    const hops = hopsOf(req.headers);
    return hops === null ? route(passage) : deliveries.withHops(hops, () => route(passage));
  };

  /**
   * Returns the error to answer: no answer is sent, not even a refusal, before the data that it used is in the journal.
   */
  const afterJournal = async (error: unknown): Promise<unknown> => {
    try {
      await store.written();
      return error;
    } catch (failure) {
      return failure;
    }
  };

  const toFinished = async (passage: Passage, site: Site | null): Promise<Answer | null> => {
    try {
      const reply = await enter(passage, site);
      const written = store.written();
      if (written) await written;
      return reply && toAnswer(reply, passage.headers);
    } catch (error) {
      const reply = explain(await afterJournal(error), passage);
      return reply && toAnswer(reply, passage.headers);
    }
  };

  /** A request may be refused before its body is read. A small body is recorded anyway, so that it can be replayed. */
  const keepUnreadBody = async ({ req, exchange }: Passage): Promise<void> => {
    const { 'content-length': length = 0, 'transfer-encoding': coding } = req.headers;
    const announced = coding === undefined ? Number(length) : 1;
    if (exchange.requestBody || !(announced > 0)) return;
    if (announced > smallBody || req.url?.startsWith(objectPrefix)) return;
    try {
      // A part of the body is not kept: it would be replayed as if it were all.
      const bytes = await readBriefly(req, smallBody, () => {});
      keepRequestBody(exchange, bytes, bytes.length);
    } catch {
      // Too large, or it takes too long: the reply is ready.
    }
  };

  return async (ctx: Context): Promise<void> => {
    const { req, res } = ctx;
    const site = siteOf(req);
    const unrecorded = site === null ? null : crossSite.refuseUnrecorded(site);
    if (unrecorded) {
      ctx.respond = false;
      return send(req, res, toPlatform(toAnswer(unrecorded, {})));
    }
    outbox.arrive();
    const exchange = recorder.open(req);
    const passage = toPassage(ctx, exchange);
    let answer = await toFinished(passage, site);
    if (passage.finish) answer = await passage.finish(answer);
    answer &&= toPlatform(answer);
    if (exchange.refusal) await keepUnreadBody(passage);
    const sent = toSent(passage, answer);
    exchange.failure = toFailure(passage, answer, sent) ?? exchange.failure;
    exchange.requestBrokeOff = exchange.requestBody !== null && !req.complete;
    keepAnswer(exchange, sent);
    recorder.close(exchange);
    const leaving = outbox.leaving();
    if (leaving) await leaving;
    return deliver(passage, answer, sent);
  };
}

const smallBody = 64 * 1024;

function keepAnswer(exchange: Exchange, sent: Answer | null): void {
  if (sent === null) return;
  exchange.status = sent.status;
  exchange.responseHeaders = sent.headers;
  // The answer to HEAD has the headers of a body, but no body (RFC 9110 section 9.3.2).
  exchange.responseBody = exchange.method === 'HEAD' ? null : sent.body;
}

function toPlatformOnly({ headers, ...answer }: Answer): Answer {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('x-sandbox-'));
  return { ...answer, headers: Object.fromEntries(own) };
}

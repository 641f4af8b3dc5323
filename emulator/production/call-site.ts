/**
 * Finds the place in a developer's program that made a request, and sends it to the sandbox in a header, so that the
 * sandbox can name the line. Part of the preload: it imports nothing but Node and files of this folder.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { watchEvaluated } from './evaluated.ts';
import { callSite } from './frames.ts';
import { longestSite, siteHeader, testHeader } from './hosts.ts';
import { watchTests } from './test-name.ts';

/**
 * Adds to each request to the sandbox the place that made it.
 * @param isSandbox whether requests to a host go to the sandbox
 */
export function tellCallSites(isSandbox: (host: string) => boolean): void {
  const sites = new AsyncLocalStorage<string | null>();
  watchEvaluated();
  const currentTest = watchTests();
  const headersAt = (site: string | null) => toHeaders(site, currentTest());
  wrapFetch(sites);
  const ofGot = watchGot();
  const siteOf = (request: http.ClientRequest): string | null => callSite() ?? ofGot(request);
  wrapRequest(http, isSandbox, (request) => headersAt(siteOf(request)));
  wrapRequest(https, isSandbox, (request) => headersAt(siteOf(request)));
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: { origin?: unknown; addHeader?: (name: string, value: string) => void } };
    if (!isSandbox(hostOf(request.origin))) return;
    const headers = headersAt(sites.getStore() ?? callSite());
    for (const [name, value] of headers) request.addHeader?.(name, value);
  });
}

function hostOf(origin: unknown): string {
  try {
    return new URL(String(origin)).hostname;
  } catch {
    return '';
  }
}

/** Keeps the place of a call of `fetch` with its asynchronous work, because `fetch` connects long after the call. */
function wrapFetch(sites: AsyncLocalStorage<string | null>): void {
  const original = globalThis.fetch;
  if (typeof original !== 'function') return;
  const wrapped = function fetch(this: unknown, ...args: Parameters<typeof original>) {
    return sites.run(callSite(), () => original.apply(this, args));
  };
  globalThis.fetch = Object.assign(wrapped, original);
}

/**
 * The object that every version of got makes within a call: an emitter with a method `_beforeError`, which gets its URL
 * later.
 */
interface GotRequest {
  readonly requestUrl?: unknown;
  readonly options?: { readonly url?: unknown };
}

interface GotCall {
  readonly request: GotRequest;
  readonly site: string | null;
  /** For a call that got itself makes, a retry: the call in whose work it was made. */
  readonly of: { readonly target: string; readonly site: string } | null;
}

/** Remembers the calls of got, which sends later, when the call is no longer on the stack. */
function watchGot(): (request: http.ClientRequest) => string | null {
  const calls = new AsyncLocalStorage<GotCall>();
  // Every emitter is initialised by this function; node:domain replaces it in the same way.
  const emitters = EventEmitter as unknown as { init: (this: GotRequest, ...args: unknown[]) => unknown };
  const original = emitters.init;
  emitters.init = function (...args) {
    if ('_beforeError' in this) {
      const site = callSite();
      calls.enterWith({ request: this, site, of: site === null ? toOrigin(calls.getStore()) : null });
    }
    return original.apply(this, args);
  };
  return (request) => {
    const call = calls.getStore();
    const target = request.host + request.path;
    // Other requests that are sent after that call have a place of their own, or none.
    if (call === undefined || targetOf(call.request) !== target) return null;
    return call.site ?? (call.of?.target === target ? call.of.site : null);
  };
}

function toOrigin(call: GotCall | undefined): GotCall['of'] {
  if (call === undefined) return null;
  return call.site === null ? call.of : { target: targetOf(call.request), site: call.site };
}

function targetOf({ requestUrl, options }: GotRequest): string {
  try {
    const { hostname, pathname, search } = new URL(String(requestUrl ?? options?.url));
    return hostname + pathname + search;
  } catch {
    return '';
  }
}

type Headers = readonly (readonly [name: string, value: string])[];

function wrapRequest(
  protocol: typeof http | typeof https,
  isSandbox: (host: string) => boolean,
  headersOf: (request: http.ClientRequest) => Headers,
): void {
  const original = protocol.request as (...args: unknown[]) => http.ClientRequest;
  const request = (...args: unknown[]): http.ClientRequest => {
    const sent = original(...args);
    if (isSandbox(sent.host) && !sent.headersSent)
      for (const [name, value] of headersOf(sent)) if (!sent.hasHeader(name)) sent.setHeader(name, value);
    return sent;
  };
  const get = (...args: unknown[]): http.ClientRequest => {
    const sent = request(...args);
    sent.end();
    return sent;
  };
  Object.assign(protocol, { request, get });
}

function toHeaders(site: string | null, test: string | null): Headers {
  return [
    ...(site === null ? [] : ([[siteHeader, encodeURI(toSendable(site))]] as const)),
    ...(test === null ? [] : ([[testHeader, encodeURIComponent(toSendable(test))]] as const)),
  ];
}

/**
 * The part of a text that can be encoded and that the sandbox reads: longer headers are refused, and so is half a
 * character.
 */
function toSendable(text: string): string {
  const cut = text.slice(0, longestSite).replace(/\p{Surrogate}$/u, '');
  // Node 18 has no toWellFormed.
  return cut.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

import type { RequestSummary } from '../../emulator/control/calls.ts';
import { toClockTitle, toMs, toPhoneEnd } from '../format.ts';
import { toShortUrl } from '../http-text/short-url.ts';
import { toUrlParts } from '../http-text/url-parts.ts';

/** The name of a request: a method and a path, whose `head` is cut first, or the name of what it sent. */
export interface RequestName {
  readonly method: string;
  readonly head: string;
  readonly tail: string;
  readonly query: string;
}

/**
 * Names GraphQL requests after their operation, and file uploads `upload`: their paths are all equal, or unreadable.
 */
export function toRequestName({ method, url, operation, graphql }: RequestSummary): RequestName {
  if (graphql !== null) return { method: 'GQL', head: '', tail: graphql, query: '' };
  if (operation?.startsWith('PUT /object-storage/')) return { method, head: '', tail: 'upload', query: '' };
  const { head, tail } = toUrlParts(url);
  const at = tail.indexOf('?');
  return at === -1
    ? { method: method.slice(0, 7), head, tail, query: '' }
    : { method: method.slice(0, 7), head, tail: tail.slice(0, at), query: tail.slice(at) };
}

/** The subject of a request. The `end` of an address or a phone number says most and is cut last; else it is empty. */
export function toAbout({ about }: RequestSummary): { readonly text: string; readonly end: string } {
  const text = about?.includes('://') ? toShortUrl(about) : (about ?? '');
  return { text, end: text !== about ? toUrlParts(text).tail : toPhoneEnd(text) };
}

/** The outcome of a request; `kind` decides the colour. */
export interface RequestOutcome {
  readonly kind: 'did' | 'nothing' | 'refused' | 'fault';
  readonly text: string;
}

export function toRowOutcome({ fault, rule, failure, status, did, method }: RequestSummary): RequestOutcome {
  if (fault) return { kind: 'fault', text: `fault: ${fault.says}` };
  if (rule) return { kind: 'refused', text: rule };
  if (failure) return { kind: 'refused', text: status === null ? 'no answer' : 'broken' };
  if (did) return { kind: 'did', text: did };
  if (status === null) return { kind: 'nothing', text: '' };
  return { kind: 'nothing', text: method === 'GET' ? 'only read data' : 'changed nothing' };
}

/** Adds to the time on the emulator's clock: the real time of the request, and how long the answer took. */
export function toTimeTitle({ at, wallAt, durationMs }: RequestSummary): string {
  const took = durationMs === null ? 'no answer' : `answered after ${toMs(durationMs)} ms`;
  return `${toClockTitle(at, wallAt)}\n${took}`;
}

import type { RequestView, SentView } from '../../../emulator/control/calls.ts';
import { call } from './control.ts';
import type { Draft } from '../../http-text/apply-fix.ts';

/**
 * Sends a request through the emulator's own API port, where it is recorded like every other request.
 * @param replayOf the id of the request that it repeats
 */
export function sendDraft({ method, url, headers, body }: Draft, replayOf?: string): Promise<SentView> {
  return call('POST /control/send', { body: { method, path: url, headers, body: body ?? undefined, replayOf } });
}

/** A recorded request with its credentials unmasked, for a replay or a copy. */
export function reveal(id: string): Promise<RequestView> {
  return call('GET /control/requests/{id}', { params: { id }, query: { reveal: 'true' } });
}

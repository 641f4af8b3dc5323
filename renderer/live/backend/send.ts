import type { RequestView, SentView } from '../../../emulator/control/protocol.ts';
import { control } from './control.ts';
import type { Draft } from '../../http-text/apply-fix.ts';

/** Sends a request through the emulator's own API port; it is recorded like every other one. */
export function sendDraft({ method, url, headers, body }: Draft): Promise<SentView> {
  return control<SentView>('POST', 'send', { json: { method, path: url, headers, ...(body ? { body } : {}) } });
}

/** A recorded request with its credentials in full, as a replay or a copy needs them. */
export function reveal(id: string): Promise<RequestView> {
  return control<RequestView>('GET', `requests/${encodeURIComponent(id)}?reveal=true`);
}

import { toUrlPath } from '../../../emulator/control/call.ts';
import type { StreamName } from '../../../emulator/control/calls.ts';
import { toControlError, UnansweredError } from './control.ts';
import { token } from './session.ts';

const name = 'PUT /control/uploads/{id}/file' satisfies StreamName;

/**
 * Sends the file of a catalog upload unchanged. Unlike `fetch`, this reports progress.
 * @param told called with the number of bytes sent and their total
 * @throws ControlError with the server's sentence; UnansweredError if the server cannot be reached; another error if
 *   `signal` aborts
 */
export function sendFile(
  id: string,
  file: Blob,
  told: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', toUrlPath(name, { params: { id } }));
    if (token.value !== null) request.setRequestHeader('authorization', `Bearer ${token.value}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => told(loaded, total));
    request.addEventListener('load', () => {
      if (request.status < 300) resolve();
      else reject(toControlError(request.status, request.responseText));
    });
    request.addEventListener('error', () => reject(new UnansweredError()));
    request.addEventListener('abort', () => reject(new Error('Sending was stopped.')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

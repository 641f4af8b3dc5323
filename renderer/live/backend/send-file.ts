import { ControlError } from './control.ts';
import { token } from './session.ts';

/**
 * Sends a file as the body of a PUT, as it is. `fetch` cannot tell how far it came, this can.
 * @param told bytes that went, of how many
 * @throws ControlError with the server's sentence; TypeError where the server cannot be reached or `signal` ends it
 */
export function sendFile(
  path: string,
  file: Blob,
  told: (done: number, of: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `/control/${path}`);
    if (token.value !== null) request.setRequestHeader('authorization', `Bearer ${token.value}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => told(loaded, total));
    request.addEventListener('load', () => {
      if (request.status < 300) resolve();
      else reject(new ControlError(request.status, messageOf(request.responseText, request.status)));
    });
    request.addEventListener('error', () => reject(new TypeError('The file was not sent whole.')));
    request.addEventListener('abort', () => reject(new TypeError('The sending was stopped.')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function messageOf(text: string, status: number): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not of the control API: a proxy between, for instance.
  }
  return `The server answered ${status}.`;
}

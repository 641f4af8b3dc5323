import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** A request that the server has begun to read. */
export interface SlowRequest {
  /** Sends its body, and waits for the reply. */
  end(json: unknown): Promise<number | undefined>;
}

/** Begins a POST to the emulated API. Its body is sent only when it is ended, so that later requests overtake it. */
export async function beginSlow(apiUrl: string, path: string, key = 'sandpiper-demo-key'): Promise<SlowRequest> {
  const sent = request(apiUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', expect: '100-continue' },
  });
  // The server may stop before the request ends.
  sent.on('error', () => {});
  sent.flushHeaders();
  await once(sent, 'continue');
  return {
    async end(json) {
      const answered = once(sent, 'response');
      sent.end(JSON.stringify(json));
      const [response] = (await answered) as [IncomingMessage];
      await once(response.resume(), 'end');
      return response.statusCode;
    },
  };
}

import type { Exchange } from '../../emulator/http/record/exchange.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * Records requests without sending them, for tests in which only their number matters.
 * @param statusOf the status of a request; `left` is how many are still to come, this one included
 * @param factsOf further facts about the request
 */
export function recordMany(
  { emulator: { recorder } }: Sandbox,
  count: number,
  {
    url = '/v1/me',
    headers = [],
    statusOf = () => 200,
    factsOf = () => ({}),
  }: {
    readonly url?: string;
    /** Names and values in turn, in addition to the header of the key. */
    readonly headers?: readonly string[];
    readonly statusOf?: (left: number) => number;
    readonly factsOf?: (left: number) => Partial<Pick<Exchange, 'companyId' | 'changes'>>;
  } = {},
): void {
  for (let left = count; left > 0; left -= 1) {
    const exchange = recorder.open({
      method: 'GET',
      url,
      httpVersion: '1.1',
      rawHeaders: ['authorization', 'Bearer sandpiper-demo-key', ...headers],
      socket: { remoteAddress: '127.0.0.1' },
    } as Parameters<typeof recorder.open>[0]);
    exchange.status = statusOf(left);
    exchange.operation = 'GET /me';
    Object.assign(exchange, factsOf(left));
    recorder.close(exchange);
  }
}

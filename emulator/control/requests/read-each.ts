/** Long work with recorded requests, in slices between which other requests are answered. */
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import { createSlices } from '../../time/slices.ts';

/** How many bytes of bodies are searched before the event loop gets a turn: a few milliseconds. */
const bytesPerTurn = 1024 * 1024;
/** Decoding a request takes as long as searching this many bytes. */
export const decodingWeight = 10_000;

/** Runs work on recorded requests, which stay readable meanwhile even if newer ones push them out of the record. */
export async function whileHeld<R>(
  exchanges: readonly RecordedExchange[],
  work: (held: readonly RecordedExchange[]) => Promise<R>,
): Promise<R> {
  for (const exchange of exchanges) exchange.hold();
  try {
    return await work(exchanges);
  } finally {
    for (const exchange of exchanges) exchange.letGo();
  }
}

/**
 * Maps recorded requests in slices, and leaves out null results.
 * @param weigh the cost of one request, as the bytes that could be searched in the same time
 */
export async function readEach<T>(
  exchanges: readonly RecordedExchange[],
  make: (exchange: RecordedExchange) => T | null,
  weigh: (exchange: RecordedExchange) => number = () => decodingWeight,
): Promise<T[]> {
  const made: T[] = [];
  const slice = createSlices(bytesPerTurn);
  for (const exchange of exchanges) {
    const one = make(exchange);
    if (one !== null) made.push(one);
    const turn = slice(weigh(exchange));
    if (turn) await turn;
  }
  return made;
}

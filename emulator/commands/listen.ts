import type { StreamMessage } from '../control/protocol.ts';
import { connect, print, type ConnectOptions } from './connect.ts';
import { toDeliveryLine, toRequestLine, type DeliveryLine } from './lines.ts';
import { toPrintable } from '../printable.ts';

/** `sandpiper listen`: prints one line for each request that comes in and each move of a delivery, until it is stopped. */
export async function listen(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  if (!options.json) process.stdout.write(`Listening at ${client.url}. Ctrl+C ends it.\n`);
  // Changes come in batches, so two of them may find a delivery in the same state.
  const told = new Map<string, string>();
  for await (const message of client.stream<StreamMessage>(stop.signal)) {
    if (message.type === 'requests') {
      for (const request of message.requests) print(options, { kind: 'request', ...request }, toRequestLine(request));
    }
    if (message.type === 'records') {
      for (const { id } of message.changes.filter(({ kind }) => kind === 'deliveries')) {
        const delivery = await client.get<DeliveryLine>(`/control/deliveries/${encodeURIComponent(id)}`);
        const line = toDeliveryLine(delivery);
        if (told.get(id) !== line) print(options, { kind: 'delivery', ...delivery }, line);
        told.set(id, line);
      }
    }
    if (message.type === 'gap')
      print(options, message, `${message.skipped} lines were skipped: this reader was too slow.`);
    if (message.type === 'notice') print(options, message, toPrintable(message.text));
  }
  if (!stop.signal.aborted && !options.json) process.stdout.write('The server has ended.\n');
}

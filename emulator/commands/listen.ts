import { readDelivery } from './await-deliveries.ts';
import { connect, print, printPainted, type ConnectOptions } from './connect.ts';
import { follow, sayEnded } from './follow.ts';
import { createDeliveryTeller, toRequestLine } from './lines.ts';
import { screenOf } from './terminal.ts';

/**
 * `sandpiper listen`: prints a line for each request and each attempt of a delivery, until it is stopped or the server
 * ends.
 * @throws UserError if the server is lost
 */
export async function listen(options: ConnectOptions): Promise<void> {
  const client = connect(options);
  await client.call('GET /control/health');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  if (!options.json) options.terminal.stdout.write(`Listening at ${client.page}. Press Ctrl+C to stop.\n`);
  const screen = screenOf(options.terminal);
  const tell = createDeliveryTeller(screen);
  await follow(client, stop.signal, async (message) => {
    if (message.type === 'requests') {
      for (const request of message.requests)
        printPainted(options, { kind: 'request', ...request }, toRequestLine(request, client.page, screen));
    }
    if (message.type === 'changes') {
      for (const { id } of message.changes.filter(({ kind }) => kind === 'deliveries')) {
        const delivery = await readDelivery(client, id);
        for (const line of tell(id, delivery)) printPainted(options, { kind: 'delivery', ...delivery }, line);
      }
    }
    if (message.type === 'gap')
      print(options, message, `${message.skipped} lines were skipped: this reader was too slow.`);
    if (message.type === 'notice') print(options, message, message.text);
    if (message.type === 'end') print(options, message, sayEnded(client));
  });
}

import { toPrintable } from '../../contract/printable.ts';
import { readVersion } from '../../control/server/version.ts';
import { createLineTransport } from './line-transport.ts';
import { createMcpServer } from './server.ts';
import { mustCompile } from '../../errors.ts';
import { connect, type ConnectOptions } from '../connect.ts';

/**
 * `sandpiper mcp`: serves a running emulator's tools to an agent over standard input and output, until the input has ended
 * and all of it is answered.
 * @throws UserError if the input of a tool could not be checked
 */
export async function serveMcp(options: ConnectOptions): Promise<void> {
  mustCompile();
  const server = createMcpServer({ connect: () => connect(options, 'tool'), version: readVersion() });
  const onerror = ({ message }: Error): void => void process.stderr.write(`sandpiper: ${toPrintable(message)}\n`);
  const closed = new Promise<void>((onclose) => Object.assign(server, { onclose, onerror }));
  await server.connect(createLineTransport(process.stdin, process.stdout));
  await closed;
}

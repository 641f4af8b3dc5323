import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { readVersion } from '../../control/server/version.ts';
import { createMcpServer } from './server.ts';
import { connect, type ConnectOptions } from '../connect.ts';

/** `sandpiper mcp`: serves a running emulator's tools to an agent over standard input and output, until input ends. */
export async function serveMcp(options: ConnectOptions): Promise<void> {
  const server = createMcpServer({ connect: () => connect(options), version: readVersion() });
  await server.connect(new StdioServerTransport());
  await once(process.stdin, 'close');
  await server.close();
}

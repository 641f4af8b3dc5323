import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { UserError } from '../errors.ts';
import { listOfHeldPorts } from '../system.ts';
import { findHolder, type Holder } from './probe.ts';
import { toLocalUrl } from './urls.ts';

/**
 * For each address of `localhost`, the other one. Some clients try only one of the two, or wait before they try the
 * second.
 */
const twins: ReadonlyMap<string, string> = new Map([
  ['127.0.0.1', '::1'],
  ['::1', '127.0.0.1'],
]);

/** The listeners on a port. */
export interface Bound {
  readonly port: number;
  /** The listener on the other loopback address, for the same server; null if there is no such address, or no IPv6. */
  readonly twin: NetServer | null;
}

/**
 * Binds the port for a server, on both loopback addresses if `host` is one of them.
 * @param flag the option that sets the port, for the message
 * @throws UserError if the port cannot be opened; then nothing listens on either address
 */
export async function bind(server: Server, host: string, port: number, flag: string): Promise<Bound> {
  // Checked first, because Node throws this refusal where it cannot be caught.
  if (isNetRefused())
    throw new UserError(
      "Node's permission model does not let this process open a port. Start it with --allow-net as well.",
      'port-refused',
    );
  for (;;) {
    try {
      server.listen({ host, port });
      await once(server, 'listening');
    } catch (error) {
      throw await explain(error as NodeJS.ErrnoException, host, port, flag);
    }
    const bound = server.address() as AddressInfo;
    const other = twins.get(bound.address);
    if (other === undefined) return { port: bound.port, twin: null };
    try {
      return { port: bound.port, twin: await bindTwin(server, other, bound.port) };
    } catch (error) {
      await new Promise((resolve) => server.close(resolve));
      // The system chose a port that is free on only one of the two addresses.
      if (port === 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw await explain(error as NodeJS.ErrnoException, other, port, flag);
    }
  }
}

/** Whether Node runs with --permission and without --allow-net, which it has from version 25 on. */
function isNetRefused(): boolean {
  return process.allowedNodeEnvironmentFlags.has('--allow-net') && process.permission?.has('net') === false;
}

/**
 * Listens on another address and passes its connections to the server.
 * @returns null if the machine has no such address
 */
async function bindTwin(server: Server, host: string, port: number): Promise<NetServer | null> {
  const twin = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket));
  try {
    twin.listen({ host, port });
    await once(twin, 'listening');
    return twin;
  } catch (error) {
    if (isWithoutAddress(error)) return null;
    throw error;
  }
}

/** Whether the machine has no such address, or no IPv6 at all. */
function isWithoutAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Says who has the port and what to do about it. The last sentence has no full stop, so that the caller can continue
 * it.
 */
function sayHolder(holder: Holder): string {
  if (holder === 'other') return 'another program. Stop it';
  if (holder === 'silent')
    return 'a program that does not answer: not a Sandpiper, or one that is stopped or very busy. Stop it';
  return `another Sandpiper, whose inspector is at ${holder.inspector}. Stop it, use it by its data folder ("sandpiper listen --data FOLDER") or by the link that it printed ("sandpiper listen --url LINK")`;
}

async function explain(error: NodeJS.ErrnoException, host: string, port: number, flag: string): Promise<Error> {
  if (error.code === 'EADDRINUSE') {
    const holder = await findHolder(toLocalUrl(host, port));
    return new UserError(
      `Port ${port} on ${host} is in use by ${sayHolder(holder)}, or choose another port with ${flag} (0 takes any free one).`,
      'port-refused',
    );
  }
  if (error.code === 'EACCES')
    return new UserError(
      port < 1024
        ? `This user may not listen on port ${port}. Choose one above 1023 with ${flag}.`
        : `The system does not let this user listen on port ${port}. Choose another with ${flag} (0 takes any free one)${listOfHeldPorts === null ? '' : `; "${listOfHeldPorts}" lists those that are kept for other programs`}.`,
      'port-refused',
    );
  if (error.code === 'EMFILE' || error.code === 'ENFILE')
    return new UserError(
      `No port can be opened, as the system allows no more open files and connections (${error.code}). Close some, or raise the limit of open files (ulimit -n).`,
      'port-refused',
    );
  if (isWithoutAddress(error) || ['ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? ''))
    return new UserError(`This machine has no address ${host}. Choose another with --host.`);
  return error;
}

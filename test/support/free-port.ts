import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give to connections by themselves (Linux from 32768, macOS and Windows from 49152).
 */
const [lowest, highest] = [20_000, 32_000];

/**
 * A free port for a program that is started later, or a second time on it. A port that the system chose could be given
 * to a connection of another program in between. These ports are used only by programs that ask for them.
 * @param wanted a port that was free before, to be used again if it still is
 */
export async function freePort(wanted?: number): Promise<number> {
  for (let port = wanted ?? anyPort(); ; port = anyPort()) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve, reject) => {
      server.once('listening', () => resolve(true));
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
      );
      server.listen(port, '127.0.0.1');
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

function anyPort(): number {
  return lowest + Math.floor(Math.random() * (highest - lowest));
}

/** Two free ports, for a server that is started again on the same ones. */
export async function freePorts(): Promise<{ readonly port: number; readonly inspectorPort: number }> {
  return { port: await freePort(), inspectorPort: await freePort() };
}

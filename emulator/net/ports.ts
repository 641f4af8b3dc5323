import type { Server } from 'node:http';
import { checkHost, checkPorts, checkRuntime, checkToken, listen, type AfterWall } from './listen.ts';
import { nameOf, toAddresses, toLocalUrls, toPublicUrl, toUrls, type Addresses, type Urls } from './urls.ts';

/** The two ports of an emulator, and the addresses by which they are reached. */
export interface Ports {
  /** Empty texts until both ports are open. */
  readonly urls: Urls;
  /** The name of the address of `--host`. */
  readonly ownName: string | null;
  /** The scheme, host and port at which each server is reached from outside; null if not given. */
  readonly publicUrl: string | null;
  readonly publicInspectorUrl: string | null;
  /** The ports that are open. */
  own(): readonly number[];
  /**
   * Opens the port of the API, then that of the inspector.
   * @param onOpen called with the function that closes a port, as soon as the port is open
   * @throws UserError if one cannot be opened
   */
  open(
    servers: { readonly api: Server; readonly inspector: Server },
    afterWall: AfterWall,
    onOpen: (close: () => Promise<void>) => void,
  ): Promise<void>;
  /** The addresses on which the servers listen. */
  local(): Addresses;
  /** The addresses that the data folder stores of a running emulator, for the commands that call it. */
  toInstance(): Addresses & { readonly localInspectorUrl: string };
}

export interface PortOptions {
  readonly host: string;
  readonly port: number;
  readonly inspectorPort: number;
  readonly token: string | null;
  readonly publicUrl: string | null;
  readonly publicInspectorUrl: string | null;
  readonly keepsAlive: boolean;
}

/**
 * Checks the addresses and the token of a start; nothing listens yet.
 * @throws UserError if they cannot be used; the message says what to do
 */
export function createPorts(options: PortOptions): Ports {
  const { host, keepsAlive, token } = options;
  checkRuntime(process.versions);
  checkToken(token);
  checkHost(host, token);
  checkPorts(options.port, options.inspectorPort);
  const publicUrl = toPublicUrl(options.publicUrl, '--public-url');
  const publicInspectorUrl = toPublicUrl(options.publicInspectorUrl, '--public-inspector-url');
  const unknown = { api: '', auth: '', inspector: '' };
  const urls: { -readonly [Name in keyof Urls]: Urls[Name] } = { ...unknown, local: unknown };
  const own: number[] = [];
  return {
    urls,
    ownName: nameOf(host),
    publicUrl,
    publicInspectorUrl,
    own: () => own,
    async open({ api, inspector }, afterWall, onOpen) {
      const listening = { host, keepsAlive, afterWall };
      const apiPort = await listen(api, { ...listening, port: options.port, flag: '--port' });
      onOpen(apiPort.close);
      own.push(apiPort.port);
      const inspectorPort = await listen(inspector, {
        ...listening,
        port: options.inspectorPort,
        flag: '--inspector-port',
      });
      onOpen(inspectorPort.close);
      own.push(inspectorPort.port);
      urls.local = toLocalUrls(host, apiPort.port, inspectorPort.port);
      Object.assign(urls, toUrls(publicUrl ?? urls.local.auth, publicInspectorUrl ?? urls.local.inspector));
    },
    local: () => toAddresses(urls.local),
    toInstance: () => ({ ...toAddresses(urls), localInspectorUrl: urls.local.inspector }),
  };
}

import { once } from 'node:events';
import { Agent, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { RequestError, Server as ProxyServer } from 'proxy-chain';
import type { Authority } from './authority.ts';
import { inPath, toRefusal } from '../rules.ts';
import { isExempt } from './no-proxy.ts';
import { routeOf, type BlockedConnection, type ProductionSettings } from './hosts.ts';
import { productionRules } from './rules.ts';

/** The proxy for programs in languages other than JavaScript, which use it by `HTTPS_PROXY`. */
export interface Proxy {
  /** The proxy's address, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** A port of 127.0.0.1 where a TLS connection to one of the platform's hosts ends without a tunnel. */
  readonly tlsPort: number;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly settings: ProductionSettings;
  readonly authority: Authority;
  /** The proxy that the environment named before, for connections to their original target; null for none. */
  readonly upstream: string | null;
  /** The value of `NO_PROXY` before: targets that are reached without that proxy. */
  readonly noProxy: string;
  /** Called with each blocked connection. */
  readonly onBlocked: (blocked: BlockedConnection) => void;
  /** Called with the reason each time when `upstream` opened no tunnel. */
  readonly onNoTunnel: (why: string) => void;
}

/**
 * Starts a proxy on a free port of 127.0.0.1. Connections to the platform's hosts end here, with a certificate of the
 * run's own authority, and their bytes are passed on to the sandbox. Others are tunnelled unchanged, or refused with
 * 403, the rule in `x-sandbox-rule`, and a body for people: the reason, and the smallest fix.
 */
export async function startProxy({
  settings,
  authority,
  upstream,
  noProxy,
  onBlocked,
  onNoTunnel,
}: ProxyOptions): Promise<Proxy> {
  // Each side may go on sending when the other has ended, because a refused body is read to its end.
  const allowHalfOpen = true;
  const terminator = createTlsServer({ ...(await authority.issue(settings.hosts)), allowHalfOpen }, (secure) => {
    pipeline(secure, connect({ host: '127.0.0.1', port: settings.port, allowHalfOpen }), secure, () => {});
  });
  // A client that does not trust the certificate says so itself.
  terminator.on('tlsClientError', () => {});
  await once(terminator.listen(0, '127.0.0.1'), 'listening');
  const sandbox = new Agent({ createConnection: () => connect({ host: '127.0.0.1', port: settings.port }) } as object);

  /** @throws RequestError for a blocked host */
  const routed = (host: string, port: number): 'sandbox' | 'target' => {
    const route = routeOf(host, port, settings);
    if (route.to !== 'nowhere') return route.to;
    const blocked = { host, port, why: route.why };
    onBlocked(blocked);
    const { rule, message, fix } = toRefusal(productionRules.blocked, inPath(''), `${host}:${port}`, blocked);
    throw new RequestError(`${message} ${fix.say}\n`, rule.status, { 'x-sandbox-rule': rule.id });
  };

  const server = new WholeUrlProxy({
    port: 0,
    host: '127.0.0.1',
    prepareRequestFunction({ hostname, port }) {
      if (routed(hostname, port) === 'target')
        return { upstreamProxyUrl: isExempt(noProxy, hostname, port) ? null : upstream };
      return { customConnectServer: terminator as TlsServer & never, httpAgent: sandbox };
    },
  });
  server.onNoTunnel = onNoTunnel;
  server.forward = (request, response) => {
    const { hostname, port, pathname, search, host } = new URL(request.url ?? '');
    const to =
      routed(hostname, Number(port || 443)) === 'sandbox'
        ? requestHttp({ host: '127.0.0.1', port: settings.port, ...headOf(request, pathname + search, host) })
        : requestHttps({ host: hostname, port: port || 443, ...headOf(request, pathname + search, host) });
    to.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      pipeline(answer, response, () => {});
    });
    to.on('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`${error.message}\n`);
    });
    pipeline(request, to, () => {});
  };
  await server.listen();
  return {
    tlsPort: (terminator.address() as AddressInfo).port,
    url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    async close() {
      await server.close(true);
      terminator.close();
      sandbox.destroy();
    },
  };
}

/**
 * Handles clients that send a request for an https URL to the proxy itself, with the whole URL, instead of asking for a
 * tunnel. The library knows only tunnels and http URLs.
 */
class WholeUrlProxy extends ProxyServer {
  forward: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  onNoTunnel: (why: string) => void = () => {};

  /** The library says only in its log why another proxy opened no tunnel; the client gets a number such as 594. */
  override log(_connection: unknown, line: string): void {
    const why = /^Failed to (?:connect to|authenticate) upstream (?:SOCKS )?proxy:? (?:\w*Error: )?(.*)/.exec(
      line,
    )?.[1];
    if (why === undefined) return;
    const code = /\bE[A-Z]{3,}\b/.exec(why)?.[0];
    if (code !== undefined) this.onNoTunnel(`did not answer (${code})`);
    else this.onNoTunnel(/^\d+$/.test(why) ? `answered ${why} and opened no tunnel` : `opened no tunnel (${why})`);
  }

  override async onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!/^https:/i.test(request.url ?? '')) return super.onRequest(request, response);
    try {
      this.forward(request, response);
    } catch (error) {
      const { statusCode = 400, message, headers } = error as Partial<RequestError> & Error;
      response.writeHead(statusCode, { 'content-type': 'text/plain', ...headers }).end(message);
    }
    await once(response, 'close');
  }
}

function headOf({ method, headers }: IncomingMessage, path: string, host: string) {
  const { 'proxy-connection': _, 'proxy-authorization': __, ...rest } = headers;
  return { method, path, headers: { ...rest, host } };
}

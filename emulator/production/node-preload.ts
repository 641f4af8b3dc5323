/**
 * Loaded before the program into each Node process that `sandpiper exec --as-production` starts. Connections to the
 * platform's hosts go to the sandbox. It replaces the functions with which every HTTP client of Node connects,
 * `tls.connect` and `net.Socket.connect`, so that fetch, undici, node:http, node:https and everything built on them
 * need no change. It imports nothing but Node and files of this folder, and never breaks the program: unknown cases are
 * handled as usual.
 */
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';
import { tellCallSites } from './call-site.ts';
import {
  blockedRule,
  fixBlocked,
  productionVariable,
  routeOf,
  sayBlocked,
  type BlockedConnection,
  type ProductionSettings,
  type Route,
} from './hosts.ts';
import { answerLookups } from './lookups.ts';

/** The oldest Node in which the preload was tested. */
const oldestNode = 18;

const text = settingsText();
if (text !== undefined) {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestNode) {
    process.stderr.write(
      `sandpiper: --as-production needs Node ${oldestNode} or newer in the programs that it runs; this is Node ${process.versions.node}.\n`,
    );
    process.exit(1);
  }
  redirect(JSON.parse(text) as ProductionSettings);
}

/**
 * The settings. Undefined outside of `exec`, and if Deno hides the variables from a program, which then uses the proxy.
 */
function settingsText(): string | undefined {
  try {
    return process.env[productionVariable];
  } catch {
    return undefined;
  }
}

/** The arguments of the two functions, after Node has sorted them. */
interface Target {
  readonly host?: string | null;
  readonly port?: number | string;
  readonly path?: string | null;
  readonly socket?: unknown;
  readonly servername?: string;
  readonly ALPNProtocols?: unknown;
}

function redirect(settings: ProductionSettings): void {
  const connectSocket = net.Socket.prototype.connect as (this: net.Socket, ...args: unknown[]) => net.Socket;
  const connectTls = tls.connect as (...args: unknown[]) => tls.TLSSocket;
  /** Sockets that replace a connection to the sandbox: when they connect, they are not checked. */
  const own = new WeakSet<net.Socket>();
  const isKept = (name: string): boolean => routeOf(name, 443, settings).to !== 'target';
  const nameOf = answerLookups(settings.hosts, isKept, settings.offline);
  const routeTo = (host: string, port: number): Route => routeOf(nameOf(host), port, settings);

  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const { target, listener } = toTarget(args);
    if (target === null || own.has(this)) return connectSocket.apply(this, args);
    const route = routeTo(target.host ?? 'localhost', Number(target.port));
    if (route.to === 'target') return connectSocket.apply(this, args);
    if (listener) this.once('connect', listener);
    if (route.to === 'nowhere') return block(this, target, route);
    return toSandbox(this);
  } as typeof net.Socket.prototype.connect;

  const secure = (...args: unknown[]): tls.TLSSocket => {
    const { target, listener } = toTarget(args);
    if (target === null || (target.socket !== undefined && target.socket !== null)) return connectTls(...args);
    // A program that looks up addresses itself names the host only here.
    const { host, servername, port } = target;
    const routes = [host ?? servername ?? 'localhost', servername || host || 'localhost'].map((name) =>
      routeTo(name, Number(port)),
    );
    if (routes.some(({ to }) => to === 'sandbox')) return asSecure(toSandbox(new net.Socket()), target, listener);
    // The connection is blocked below by this name.
    if (servername && routes[1]?.to === 'nowhere')
      return connectTls({ ...target, host: servername }, ...(listener ? [listener] : []));
    return connectTls(...args);
  };
  Object.assign(tls, { connect: secure });
  tellCallSites((host) => routeTo(host, 443).to === 'sandbox');
  syncBuiltinESMExports();

  /**
   * Connects to the sandbox. If it no longer runs, the connection is refused like any other, and the message says why.
   */
  function toSandbox(socket: net.Socket): net.Socket {
    const destroy = socket.destroy;
    socket.destroy = function (error?: NodeJS.ErrnoException) {
      // With --permission, Node 26 may itself refuse to connect.
      if (error?.syscall === 'connect' && error.code === 'ECONNREFUSED')
        error.message +=
          ' (the sandbox of "sandpiper exec --as-production" is gone; nothing was sent to the real host)';
      return destroy.call(this, error);
    };
    own.add(socket);
    return connectSocket.call(socket, { host: '127.0.0.1', port: settings.port });
  }

  function block(socket: net.Socket, { host, port }: Target, { why }: Pick<BlockedConnection, 'why'>): net.Socket {
    const blocked = { host: nameOf(String(host)), port: Number(port), why };
    try {
      appendFileSync(settings.report, `${JSON.stringify(blocked)}\n`);
    } catch {
      // The report is for people; blocking does not depend on it.
    }
    const error = Object.assign(
      new Error(`connect ECONNREFUSED ${blocked.host}:${port}: ${sayBlocked(blocked)} ${fixBlocked(blocked)}`),
      {
        code: 'ECONNREFUSED',
        syscall: 'connect',
        address: blocked.host,
        port: blocked.port,
        rule: blockedRule,
      },
    );
    // Clients attach their listeners in this turn of the event loop.
    process.nextTick(() => socket.destroy(error));
    return socket;
  }
}

/**
 * The arguments of `connect` in their three forms; null if they name no host: a path, or arguments that Node will
 * refuse.
 */
function toTarget(args: readonly unknown[]): {
  readonly target: Target | null;
  readonly listener: (() => void) | null;
} {
  // Node's own callers pass the arguments as one array, which is already sorted.
  const list: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args;
  const last = list.findLast((one) => typeof one === 'function') as (() => void) | undefined;
  const [first, second] = list;
  const given: Target | null =
    typeof first === 'object' && first !== null
      ? first
      : isPort(first)
        ? { port: first, host: typeof second === 'string' ? second : 'localhost', ...optionsOf(list) }
        : null;
  // A path means a pipe, whatever host and port say.
  return { target: given?.path ? null : given, listener: last ?? null };
}

function isPort(value: unknown): value is number | string {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}

function optionsOf(list: readonly unknown[]): Target {
  return (list.slice(1).find((one) => typeof one === 'object' && one !== null) as Target | undefined) ?? {};
}

/** A plain connection that an HTTP client takes for one whose certificate was accepted. */
function asSecure(
  socket: net.Socket,
  { servername, host, ALPNProtocols }: Target,
  listener: (() => void) | null,
): tls.TLSSocket {
  const certificate = { subject: { CN: servername ?? host }, subjectaltname: `DNS:${servername ?? host}` };
  const secure = Object.assign(socket, {
    encrypted: true,
    authorized: true,
    authorizationError: null,
    secureConnecting: true,
    servername: servername ?? host,
    alpnProtocol: offersHttp1(ALPNProtocols) ? 'http/1.1' : false,
    getPeerCertificate: () => certificate,
    getCertificate: () => null,
    getCipher: () => ({ name: 'TLS_AES_256_GCM_SHA384', standardName: 'TLS_AES_256_GCM_SHA384', version: 'TLSv1.3' }),
    getProtocol: () => 'TLSv1.3',
    getSession: () => undefined,
    getFinished: () => undefined,
    getPeerFinished: () => undefined,
    getEphemeralKeyInfo: () => ({}),
    isSessionReused: () => false,
    setServername: () => {},
    setMaxSendFragment: () => true,
    disableRenegotiation: () => {},
    renegotiate: () => false,
    enableTrace: () => {},
  });
  if (listener) secure.once('secureConnect', listener);
  secure.once('connect', () => {
    secure.secureConnecting = false;
    secure.emit('secureConnect');
  });
  return secure as unknown as tls.TLSSocket;
}

function offersHttp1(protocols: unknown): boolean {
  return Array.isArray(protocols) && protocols.includes('http/1.1');
}

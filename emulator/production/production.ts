import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { UserError } from '../errors.ts';
import { temporaryVariable } from '../system.ts';
import { createAuthority } from './authority.ts';
import { productionVariable, withRoutes, type BlockedConnection, type ProductionSettings } from './hosts.ts';
import { toJavaOptions, toTrustStore } from './java.ts';
import { startProxy } from './proxy.ts';
import sitecustomize from './sitecustomize.py?raw';

export interface ProductionOptions {
  /** A private folder for the files of the run. */
  readonly folder: string;
  /** The port of 127.0.0.1 on which the sandbox listens. */
  readonly port: number;
  /** The platform's hosts, see `toPlatformHosts`. */
  readonly hosts: readonly string[];
  readonly offline: boolean;
  /** The environment that the command would have without `exec`. */
  readonly env: NodeJS.ProcessEnv;
  /** Real time, epoch milliseconds. */
  readonly now: number;
}

/** Makes a command that was written for the platform's real hosts talk to the sandbox. */
export interface Production {
  /** Variables to add to the command's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** The blocked connections: `host:port` and how often. */
  blocked(): readonly { readonly target: string; readonly why: string; readonly times: number }[];
  /** Sentences that say why the proxy of the environment opened no tunnel, each reason once. */
  upstreamFailures(): readonly string[];
  close(): Promise<void>;
}

/**
 * Prepares the environment for one run: a preload for Node, one for Python, and a proxy with a certificate authority
 * for everything else.
 * @throws UserError if the environment names a proxy or certificates that do not exist, because every connection would
 * fail; or if the folder has no room
 */
export async function openProduction({
  folder,
  port,
  hosts,
  offline,
  env,
  now,
}: ProductionOptions): Promise<Production> {
  const upstream = upstreamOf(env);
  const trusted = trustedBy(env);
  const alsoOfNode = certificatesOf(env, 'NODE_EXTRA_CA_CERTS');
  const preload = preloadPath();
  const settings: ProductionSettings = { port, hosts, offline, report: join(folder, 'blocked.ndjson') };
  const authority = await createAuthority(now);
  const own = join(folder, 'authority.pem');
  const all = join(folder, 'certificates.pem');
  write(own, [authority.certificate, ...alsoOfNode].join('\n'));
  const certificates = [authority.certificate, ...rootCertificates, ...trusted].join('\n');
  write(all, certificates);
  const ofJava = join(folder, 'certificates.jks');
  write(ofJava, toTrustStore(certificates, now));
  const php = join(folder, 'php');
  // Outside of quotes, PHP gives ~, ( and ; a meaning; within quotes, it gives $ one.
  const named = `"${all.replaceAll(/["\\$]/g, '\\$&')}"`;
  write(join(php, 'sandpiper.ini'), `curl.cainfo=${named}\nopenssl.cafile=${named}\n`);
  // Python keeps its compiled form of this file beside it, and both are removed with the folder.
  const python = join(folder, 'python');
  write(join(python, 'sitecustomize.py'), sitecustomize);
  const blockedByProxy: BlockedConnection[] = [];
  const withoutTunnel = new Set<string>();
  const proxy = await startProxy({
    settings,
    authority,
    upstream,
    noProxy: [env['NO_PROXY'], env['no_proxy']].filter(Boolean).join(','),
    onBlocked: (blocked) => void blockedByProxy.push(blocked),
    onNoTunnel: (why) => void withoutTunnel.add(why),
  });

  return {
    env: {
      [productionVariable]: JSON.stringify(withRoutes(settings, { tlsPort: proxy.tlsPort, authority: own })),
      NODE_OPTIONS: [env['NODE_OPTIONS'], `--require ${quoted(preload)}`].filter(Boolean).join(' '),
      PYTHONPATH: [python, env['PYTHONPATH']].filter(Boolean).join(delimiter),
      ...both('http_proxy', proxy.url),
      ...both('https_proxy', proxy.url),
      // The proxy takes over the exemptions of the environment: an exempt program would connect to the platform itself.
      ...both('no_proxy', 'localhost,127.0.0.1,::1'),
      NODE_EXTRA_CA_CERTS: own,
      SSL_CERT_FILE: all,
      REQUESTS_CA_BUNDLE: all,
      CURL_CA_BUNDLE: all,
      // Perl's LWP and Mojolicious read the variables of a proxy only with these. LWP also has its own list of
      // certificates.
      PERL_LWP_ENV_PROXY: '1',
      PERL_LWP_SSL_CA_FILE: all,
      MOJO_PROXY: '1',
      // PHP reads no variable for certificates. An empty entry means the folders that PHP reads anyway.
      PHP_INI_SCAN_DIR: `${env['PHP_INI_SCAN_DIR'] ?? ''}${delimiter}${php}`,
      // If a property has two values, the later one counts. Those of the program's own command line come after both.
      JAVA_TOOL_OPTIONS: [env['JAVA_TOOL_OPTIONS'], toJavaOptions(proxy.url, ofJava)].filter(Boolean).join(' '),
    },
    blocked() {
      const counts = new Map<string, { target: string; why: string; times: number }>();
      for (const { host, port: to, why } of [...blockedByProxy, ...reportedBy(settings.report)]) {
        const target = `${host}:${to}`;
        counts.set(target, { target, why, times: (counts.get(target)?.times ?? 0) + 1 });
      }
      return [...counts.values()];
    },
    upstreamFailures: () =>
      upstream === null
        ? []
        : [...withoutTunnel].map((why) => `the proxy of HTTPS_PROXY, ${new URL(upstream).host}, ${why}`),
    close: proxy.close,
  };
}

/** @throws UserError */
function write(path: string, content: string | Buffer): void {
  const failed = attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  });
  if (failed instanceof Error)
    throw new UserError(
      `${path} cannot be written (${failed.message}). Set ${temporaryVariable} to a folder that has room.`,
    );
}

/** The built preload, next to the folder of this file's bundle. @throws UserError if there is no build */
function preloadPath(): string {
  const path = fileURLToPath(new URL('../preload/node-preload.cjs', import.meta.url));
  if (!existsSync(path)) throw new UserError(`${path} is missing. Build Sandpiper once: "npm run build".`);
  return path;
}

/** Quotes a path, which may have spaces, for NODE_OPTIONS. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Sets a variable in both spellings: programs read either one, some only one. */
function both(name: string, value: string): NodeJS.ProcessEnv {
  return { [name]: value, [name.toUpperCase()]: value };
}

/** The certificates that the environment and the system trusted before, because the new list replaces them. */
function trustedBy(env: NodeJS.ProcessEnv): readonly string[] {
  const named = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'].flatMap((name) => certificatesOf(env, name));
  const ofSystem = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];
  return [...new Set([...named, ...ofSystem.map(textOf).filter((text) => text !== '')])];
}

/** @throws UserError if the variable names a file without certificates */
function certificatesOf(env: NodeJS.ProcessEnv, name: string): readonly string[] {
  const path = env[name];
  if (!path) return [];
  const text = attempt(() => readFileSync(path, 'utf8'));
  // For Python's requests, it may be a folder of certificates.
  if (name === 'REQUESTS_CA_BUNDLE' && text instanceof Error && 'code' in text && text.code === 'EISDIR') return [];
  if (text instanceof Error) throw new UserError(`${name} names ${path}, which cannot be read (${text.message}).`);
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UserError(`${name} names ${path}, which has no certificates in it. It takes a file in PEM form.`);
  return [text];
}

/** The proxy that the environment names, for connections to their original target. */
function upstreamOf(env: NodeJS.ProcessEnv): string | null {
  const named = env['HTTPS_PROXY'] ?? env['https_proxy'];
  if (!named) return null;
  const url = attempt(() => new URL(named.includes('://') ? named : `http://${named}`));
  if (url instanceof Error || url.hostname === '' || !/^(?:https?|socks[45]?):$/.test(url.protocol))
    throw new UserError(
      `HTTPS_PROXY is ${JSON.stringify(named)}, which is not a proxy. It takes an address such as http://proxy.example:8080.`,
    );
  return url.href;
}

/**
 * The connections that the processes of the command reported. Each line is parsed alone: a full disk may have cut one.
 */
function reportedBy(path: string): readonly BlockedConnection[] {
  return textOf(path)
    .split('\n')
    .flatMap((line) => {
      const blocked = attempt(() => JSON.parse(line) as BlockedConnection);
      return blocked instanceof Error ? [] : [blocked];
    });
}

function attempt<R>(work: () => R): R | Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

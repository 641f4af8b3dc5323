import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { UserError } from '../errors.ts';
import { createAuthority } from './authority.ts';
import { productionVariable, type ProductionSettings } from './hosts.ts';
import { startProxy } from './proxy.ts';

export interface ProductionOptions {
  /** Where the sandbox listens on 127.0.0.1. */
  readonly port: number;
  /** The platform's hosts, see `toPlatformHosts`. */
  readonly hosts: readonly string[];
  readonly offline: boolean;
  /** The environment that the command would have without us. */
  readonly env: NodeJS.ProcessEnv;
  /** Real time, epoch milliseconds. */
  readonly now: number;
}

/** What makes a command that was written for the platform's real hosts talk to the sandbox. */
export interface Production {
  /** Variables to lay over the command's environment. */
  readonly env: NodeJS.ProcessEnv;
  /** The blocked connections: `host:port` and how often. */
  held(): readonly { readonly target: string; readonly why: string; readonly times: number }[];
  close(): Promise<void>;
}

/** Prepares the environment for one run: a preload for Node, a proxy with a certificate authority for everything else. */
export async function openProduction({ port, hosts, offline, env, now }: ProductionOptions): Promise<Production> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-production-'));
  const settings: ProductionSettings = { port, hosts, offline, report: join(folder, 'held.ndjson') };
  const authority = await createAuthority(now);
  const own = join(folder, 'authority.pem');
  const all = join(folder, 'certificates.pem');
  writeFileSync(own, [authority.certificate, textOf(env['NODE_EXTRA_CA_CERTS'])].join('\n'));
  writeFileSync(all, [authority.certificate, ...rootCertificates, ...trustedBy(env)].join('\n'));
  const php = join(folder, 'php');
  mkdirSync(php);
  writeFileSync(join(php, 'sandpiper.ini'), `curl.cainfo=${all}\nopenssl.cafile=${all}\n`);
  const proxy = await startProxy({
    settings,
    authority,
    upstream: env['HTTPS_PROXY'] ?? env['https_proxy'] ?? null,
    onHeld: (held) => appendFileSync(settings.report, `${JSON.stringify(held)}\n`),
  });

  return {
    env: {
      [productionVariable]: JSON.stringify(settings),
      NODE_OPTIONS: [env['NODE_OPTIONS'], `--require ${quoted(preloadPath())}`].filter(Boolean).join(' '),
      ...both('http_proxy', proxy.url),
      ...both('https_proxy', proxy.url),
      ...both('no_proxy', [env['NO_PROXY'] ?? env['no_proxy'], 'localhost,127.0.0.1,::1'].filter(Boolean).join(',')),
      NODE_EXTRA_CA_CERTS: own,
      SSL_CERT_FILE: all,
      REQUESTS_CA_BUNDLE: all,
      CURL_CA_BUNDLE: all,
      // PHP reads no variable for certificates; an empty name means the folders that it reads anyway.
      PHP_INI_SCAN_DIR: `${env['PHP_INI_SCAN_DIR'] ?? ''}${delimiter}${php}`,
    },
    held() {
      const counts = new Map<string, { target: string; why: string; times: number }>();
      for (const line of textOf(settings.report).split('\n').filter(Boolean)) {
        const { host, port: to, why } = JSON.parse(line) as { host: string; port: number; why: string };
        const target = `${host}:${to}`;
        counts.set(target, { target, why, times: (counts.get(target)?.times ?? 0) + 1 });
      }
      return [...counts.values()];
    },
    async close() {
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The built preload, next to the folder of this file's bundle. @throws UserError if there is no build */
function preloadPath(): string {
  const path = fileURLToPath(new URL('../preload/node-preload.cjs', import.meta.url));
  if (!existsSync(path)) throw new UserError(`${path} is missing. Build Sandpiper once: "npm run build".`);
  return path;
}

/** As NODE_OPTIONS takes a path with spaces. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Programs read either spelling, some only one. */
function both(name: string, value: string): NodeJS.ProcessEnv {
  return { [name]: value, [name.toUpperCase()]: value };
}

/** What the environment and the system trusted before: the new list takes its place. */
function trustedBy(env: NodeJS.ProcessEnv): readonly string[] {
  const named = [env['SSL_CERT_FILE'], env['REQUESTS_CA_BUNDLE'], env['CURL_CA_BUNDLE']];
  const ofSystem = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];
  return [...new Set([...named, ...ofSystem])].map(textOf).filter((text) => text !== '');
}

function textOf(path: string | undefined): string {
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Resolves names to addresses, so that a name whose DNS server does not reply delays no other one. */
import { lookup as lookupBySystem, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { hostsFile } from '../system.ts';
import type { Resolve } from './target.ts';

export interface ResolveOptions {
  readonly hostsFile?: string;
  /** DNS servers as `Resolver.setServers` takes them; those of this machine if not given. */
  readonly servers?: readonly string[];
  /** The system's own lookup, for names that neither the hosts file nor DNS knows (mDNS, search domains). */
  readonly lookup?: Resolve;
}

/**
 * Creates the resolving: the hosts file, then DNS, then the system. The system's lookup comes last because it occupies
 * one of the few threads of this process while a server is silent. DNS needs no thread, and each name gets its own
 * resolver.
 */
export function createResolve({
  hostsFile: path = hostsFile,
  servers,
  lookup = lookupAll,
}: ResolveOptions = {}): Resolve {
  return async (hostname) => {
    const listed = inHosts(await readFile(path, 'utf8').catch(() => ''), hostname);
    if (listed.length > 0) return listed;
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const silent = answers.find((answer) => answer.status === 'rejected' && isSilence(answer.reason));
    if (silent?.status === 'rejected') throw silent.reason;
    return lookup(hostname);
  };
}

function isSilence(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ETIMEOUT';
}

function inHosts(text: string, hostname: string): readonly string[] {
  const name = hostname.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(name) ? [address] : [];
  });
}

async function lookupAll(hostname: string): Promise<readonly string[]> {
  const found = await lookupBySystem(hostname, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

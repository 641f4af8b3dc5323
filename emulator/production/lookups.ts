/**
 * The answer to a program that looks up a host itself, if connections to that host do not go to their original
 * target: an address of this machine that represents the name, so that no query leaves the machine, and the connection that
 * follows is known by it. Part of the preload: it imports nothing but Node.
 */
import dns from 'node:dns';
import { isIP } from 'node:net';

/** The name that an address means; the host itself if it is no such address. */
export type NameOf = (host: string) => string;

/**
 * Replaces the lookups of `node:dns`, of its promises and of its resolvers.
 * @param hosts names whose addresses are the same in every process of a run
 * @param isKept whether connections to a name go elsewhere, or nowhere
 */
export function answerLookups(hosts: readonly string[], isKept: (name: string) => boolean): NameOf {
  const addresses = new Map<string, string>();
  const names = new Map<string, string>();
  const addressOf = (name: string): string => {
    const known = addresses.get(name);
    if (known !== undefined) return known;
    const number = addresses.size + 1;
    const address = `127.47.${(number >> 8) & 0xff}.${number & 0xff}`;
    addresses.set(name, address);
    names.set(address, name);
    return address;
  };
  for (const host of hosts) addressOf(host);

  const owners: readonly (readonly [owner: object, isPromised: boolean])[] = [
    [dns, false],
    [dns.Resolver.prototype, false],
    [dns.promises, true],
    [dns.promises.Resolver.prototype, true],
  ];
  for (const [owner, isPromised] of owners)
    for (const method of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
      const functions = owner as { [name: string]: Function | undefined };
      const original = functions[method];
      if (typeof original !== 'function') continue;
      const replaced = function (this: unknown, ...args: unknown[]): unknown {
        const [name, ...rest] = args;
        const done = rest.at(-1);
        const isOurs = typeof name === 'string' && name !== '' && isIP(name) === 0 && isKept(name);
        const found =
          isOurs && (isPromised || typeof done === 'function') ? toAnswer(method, addressOf(name), rest) : null;
        if (found === null) return original.apply(this, args);
        if (isPromised) return Promise.resolve(found.length === 1 ? found[0] : { address: found[0], family: found[1] });
        process.nextTick(done as () => void, null, ...found);
        return {};
      };
      // What util.promisify reads of a function is among them.
      functions[method] = Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original));
    }
  return (host) => names.get(host.replace(/^::ffff:/i, '')) ?? host;
}

/**
 * What a callback gets after the error.
 * @param rest the arguments after the name
 * @returns null if no address is asked for
 */
function toAnswer(method: string, address: string, [first]: readonly unknown[]): readonly unknown[] | null {
  const { family, all, ttl } = (typeof first === 'object' && first !== null ? first : {}) as {
    readonly family?: unknown;
    readonly all?: unknown;
    readonly ttl?: unknown;
  };
  if (method === 'resolve' && typeof first === 'string' && first !== 'A' && first !== 'AAAA') return null;
  const isSixth = [family, first, method].some((one) => [6, 'IPv6', 'AAAA', 'resolve6'].includes(one as string));
  const shown = isSixth ? `::ffff:${address}` : address;
  if (method !== 'lookup') return [[ttl ? { address: shown, ttl: 60 } : shown]];
  const version = isSixth ? 6 : 4;
  return all ? [[{ address: shown, family: version }]] : [shown, version];
}

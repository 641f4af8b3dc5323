/**
 * Answers a program that looks up a host itself, if connections to that host do not go to their original target. The
 * answer is an address of this machine that represents the name: no query leaves the machine, and the connection that
 * follows is known by that address. Part of the preload: it imports nothing but Node.
 */
import dns from 'node:dns';
import { isIP } from 'node:net';

/** Returns the name that an address represents; the host itself if it is not such an address. */
export type NameOf = (host: string) => string;

/** The kinds of records, as the methods of `node:dns` name them. */
const kinds = 'A Aaaa Any Caa Cname Mx Naptr Ns Ptr Soa Srv Tlsa Txt'.split(' ');
const methods = ['lookup', 'resolve', 'resolve4', 'resolve6', ...kinds.map((kind) => `resolve${kind}`)];

/**
 * Replaces the lookups of `node:dns`, of its promises and of its resolvers.
 * @param hosts names whose addresses are the same in every process of a run
 * @param isKept whether connections to a name go to the sandbox, or are blocked
 * @param isOffline whether no query at all may leave the machine
 */
export function answerLookups(hosts: readonly string[], isKept: (name: string) => boolean, isOffline: boolean): NameOf {
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
    for (const method of methods) {
      const functions = owner as { [name: string]: Function | undefined };
      const original = functions[method];
      if (typeof original !== 'function') continue;
      const replaced = function (this: unknown, ...args: unknown[]): unknown {
        const [name, ...rest] = args;
        const done = rest.at(-1);
        const isOurs = typeof name === 'string' && name !== '' && isIP(name) === 0 && isKept(name);
        const kind = kindOf(method, rest);
        // Arguments that Node refuses go to Node, which refuses them as usual.
        if (!isOurs || kind === null || !(isPromised || typeof done === 'function')) return original.apply(this, args);
        const found = toAnswer(method, kind, addressOf(name), rest);
        if (isPromised) {
          if (found === null) return Promise.reject(noSuchRecords(kind, name));
          return Promise.resolve(found.length === 1 ? found[0] : { address: found[0], family: found[1] });
        }
        if (found === null) process.nextTick(done as () => void, noSuchRecords(kind, name));
        else process.nextTick(done as () => void, null, ...found);
        return {};
      };
      // The properties that util.promisify reads of a function are among these.
      functions[method] = Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original));
    }
  const nameOf: NameOf = (host) => names.get(host.replace(/^::ffff:/i, '')) ?? host;
  for (const [owner, isPromised] of owners) answerReverse(owner, isPromised, { nameOf, isOffline });
  return nameOf;
}

/**
 * Replaces the functions that ask for the name of an address. The system would ask a server, even for the addresses
 * made here.
 */
function answerReverse(
  owner: object,
  isPromised: boolean,
  { nameOf, isOffline }: { readonly nameOf: NameOf; readonly isOffline: boolean },
): void {
  const functions = owner as { [name: string]: Function | undefined };
  for (const method of ['reverse', 'lookupService']) {
    const original = functions[method];
    if (typeof original !== 'function') continue;
    const replaced = function (this: unknown, ...args: unknown[]): unknown {
      const [address, port] = args;
      const done = args.at(-1);
      const isWhole = typeof address === 'string' && isIP(address) > 0 && (isPromised || typeof done === 'function');
      if (!isWhole || (method === 'lookupService' && !isPort(port))) return original.apply(this, args);
      const known = nameOf(address);
      const name = known === address && /^(?:::ffff:)?127\.|^::1$/i.test(address) ? 'localhost' : known;
      if (known === address && !isOffline) return original.apply(this, args);
      const error = name === address ? noSuchName(method, address) : null;
      const service = String(port);
      if (isPromised && error) return Promise.reject(error);
      if (isPromised) return Promise.resolve(method === 'reverse' ? [name] : { hostname: name, service });
      const found = method === 'reverse' ? [[name]] : [name, service];
      process.nextTick(done as () => void, ...(error ? [error] : [null, ...found]));
      return {};
    };
    functions[method] = Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original));
  }
}

const isPort = (value: unknown): boolean => /^\d+$/.test(String(value)) && Number(value) < 65_536;

/** The error with which Node says that an address has no name. */
function noSuchName(method: string, hostname: string): Error {
  const syscall = method === 'reverse' ? 'getHostByAddr' : 'getnameinfo';
  return Object.assign(new Error(`${syscall} ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', syscall, hostname });
}

/** The kind of record that is asked for, an address or another one; null for a kind that does not exist. */
function kindOf(method: string, [first]: readonly unknown[]): string | null {
  if (method === 'resolve' && typeof first === 'string')
    return kinds.find((kind) => kind.toUpperCase() === first) ?? null;
  return kinds.find((kind) => method === `resolve${kind}`) ?? (method === 'resolve6' ? 'Aaaa' : 'A');
}

/**
 * The arguments of a callback after the error.
 * @param rest the arguments after the name
 * @returns null if neither an address nor all records are asked for
 */
function toAnswer(
  method: string,
  kind: string,
  address: string,
  [first]: readonly unknown[],
): readonly unknown[] | null {
  const { family, all, ttl } = (typeof first === 'object' && first !== null ? first : {}) as {
    readonly family?: unknown;
    readonly all?: unknown;
    readonly ttl?: unknown;
  };
  if (kind === 'Any') return [[{ type: 'A', address, ttl: 60 }]];
  if (kind !== 'A' && kind !== 'Aaaa') return null;
  const isSixth = kind === 'Aaaa' || [family, first].some((one) => one === 6 || one === 'IPv6');
  const shown = isSixth ? `::ffff:${address}` : address;
  if (method !== 'lookup') return [[ttl ? { address: shown, ttl: 60 } : shown]];
  const version = isSixth ? 6 : 4;
  return all ? [[{ address: shown, family: version }]] : [shown, version];
}

/** The error with which Node says that a name has no records of a kind. */
function noSuchRecords(kind: string, hostname: string): Error {
  const syscall = `query${kind}`;
  return Object.assign(new Error(`${syscall} ENODATA ${hostname}`), { code: 'ENODATA', syscall, hostname });
}

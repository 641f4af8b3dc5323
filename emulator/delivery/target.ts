/**
 * Decides where deliveries may go (docs/security.md, Outgoing webhooks). The address is judged before the connection,
 * and the connection is made to this very address.
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Reach } from '../records.ts';
import { isUrl } from '../contract/url.ts';

/** Name → its addresses, as `dns.lookup` with `all` answers. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface TargetPolicy {
  readonly reach: Reach;
  /** The ports this emulator listens on: none of them may be a target on this machine. */
  readonly ownPorts: readonly number[];
  readonly resolve: Resolve;
}

/** A target that may be connected to, by these addresses and no others. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly [string, ...string[]];
}

/** A target that is refused before anything was sent; the message says why and what to do. */
export class TargetRefused extends Error {
  /** The reach that the webhook would need for it; null if no reach allows it. */
  readonly asksReach: Reach | null;

  constructor(message: string, asksReach: Reach | null = null) {
    super(message);
    this.asksReach = asksReach;
  }
}

type Zone = Reach | 'never';

const never = new BlockList();
const loopback = new BlockList();
const privateNets = new BlockList();
for (const net of [
  '0.0.0.0/8', // unspecified, "this network"
  '169.254.0.0/16', // link-local, and the metadata services of most clouds
  '192.0.0.0/24', // another cloud's metadata service is here
  '100.100.100.200/32', // another one
  '168.63.129.16/32', // another one, which is not a private address
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  // metadata services, by IPv6
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  '100::/64', // discard
  '2001::/32', // Teredo: an IPv4 address in disguise
  '64:ff9b:1::/48',
  '2001:db8::/32', // for documents
  '3fff::/20', // the same
  '5f00::/16', // segment routing
]) {
  addNet(never, net);
}
for (const net of ['127.0.0.0/8', '::1/128']) addNet(loopback, net);
for (const net of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15', 'fc00::/7'])
  addNet(privateNets, net);

function addNet(list: BlockList, net: string): void {
  const [address = '', prefix] = net.split('/');
  list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6');
}

/**
 * Judges an address text as a person or an API call wrote it, and resolves its name once.
 * @throws TargetRefused
 */
export async function toTarget(text: string, { reach, ownPorts, resolve }: TargetPolicy): Promise<Target> {
  const url = toUrl(text);
  const host = hostOf(url);
  const [first, ...others] = isIP(host) === 0 ? await addressesOf(host, resolve) : [host];
  if (first === undefined) throw new TargetRefused(`The name ${host} has no address.`);
  const addresses = [first, ...others] as const;
  for (const address of addresses) checkAddress(address, url, { reach, ownPorts });
  return { url, addresses };
}

/** Why nothing would be sent to an address; null if it may be sent, or if that depends on what a name resolves to. */
export function whyRefused(text: string, policy: Omit<TargetPolicy, 'resolve'>): string | null {
  try {
    const url = toUrl(text);
    const host = hostOf(url);
    const known = isIP(host) === 0 ? (ownAddresses(host) ?? []) : [host];
    for (const address of known) checkAddress(address, url, policy);
    return null;
  } catch (error) {
    if (error instanceof TargetRefused) return error.message;
    throw error;
  }
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** @throws TargetRefused */
function checkAddress(address: string, url: URL, { reach, ownPorts }: Omit<TargetPolicy, 'resolve'>): void {
  const host = hostOf(url);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const zone = zoneOf(address);
  const named = address === host ? address : `${host} (${address})`;
  if (isUnspecified(address))
    throw new TargetRefused(
      `${named} is what servers listen on to take all addresses of their machine; nothing is ever sent there. Write localhost instead.`,
    );
  if (zone === 'never')
    throw new TargetRefused(
      `${named} is a link-local, multicast, reserved or disguised address; nothing is ever sent there.`,
    );
  if (zone !== 'loopback' && reach !== 'public' && zone !== reach)
    throw new TargetRefused(
      `${named} is outside of this machine, in a ${zone} network, but the reach is "${reach}". Allow it with reach "${zone}", under Webhooks in the inspector or in the control API.`,
      zone,
    );
  if (ownPorts.includes(port) && (zone === 'loopback' || isThisMachine(address)))
    throw new TargetRefused(
      `Port ${port} on this machine is Sandpiper's own; a webhook may not call it. Give the address of your own receiver.`,
    );
}

const isUnspecified = (address: string): boolean => address === '0.0.0.0' || address === '::';

function toUrl(text: string): URL {
  if (!isUrl(text))
    throw new TargetRefused(`${JSON.stringify(text)} is not a URL such as http://localhost:3000/webhooks.`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TargetRefused(`Only http: and https: are delivered to, not ${url.protocol}.`);
  if (url.username !== '' || url.password !== '')
    throw new TargetRefused('The URL carries a user name or password; those are not sent. Take them out of it.');
  return url;
}

/** RFC 6761: localhost and the names below it are this machine, whatever a resolver says. Null for other names. */
function ownAddresses(host: string): readonly string[] | null {
  return host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1', '::1'] : null;
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  return ownAddresses(host) ?? (await resolve(host)).map((address) => address.replace(/%.*$/, ''));
}

/** A cache: judging takes longer than signing, and a receiver gets many deliveries. */
const judged = new Map<string, Zone>();
const mostJudged = 1_000;

/** How far away an address is. Looks through disguises (mapped, translated, NAT64, 6to4). */
export function zoneOf(address: string): Zone {
  const known = judged.get(address);
  if (known !== undefined) return known;
  const zone = judge(address);
  if (judged.size >= mostJudged) judged.clear();
  judged.set(address, zone);
  return zone;
}

function judge(address: string): Zone {
  if (isIPv4(address)) return zoneOfPlain(address, 'ipv4');
  if (!isIPv6(address)) return 'never';
  const words = toWords(address);
  const tail = toIPv4(words[6] ?? 0, words[7] ?? 0);
  const leading = (count: number): boolean => words.slice(0, count).every((word) => word === 0);
  if (leading(5) && words[5] === 0xffff) return zoneOf(tail);
  if (leading(6) && (words[6] !== 0 || (words[7] ?? 0) > 1)) return 'never';
  if (words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0))
    return onlyPublic(tail);
  if (leading(4) && words[4] === 0xffff && words[5] === 0) return onlyPublic(tail);
  if (words[0] === 0x2002) return onlyPublic(toIPv4(words[1] ?? 0, words[2] ?? 0));
  return zoneOfPlain(address, 'ipv6');
}

/** A translating gateway must not be a way back into a private network. */
function onlyPublic(embedded: string): Zone {
  return zoneOf(embedded) === 'public' ? 'public' : 'never';
}

function zoneOfPlain(address: string, family: 'ipv4' | 'ipv6'): Zone {
  if (never.check(address, family)) return 'never';
  if (loopback.check(address, family)) return 'loopback';
  return privateNets.check(address, family) ? 'private' : 'public';
}

function toIPv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight 16-bit words of a valid IPv6 address. */
function toWords(address: string): readonly number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [, before = '', a, b, c, d] = dotted ?? [];
  const hex = dotted
    ? `${before}${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`
    : address;
  const [left = '', right] = hex.split('::');
  const toNumbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const head = toNumbers(left);
  if (right === undefined) return head;
  const tail = toNumbers(right);
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

function isThisMachine(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((one) => one.address));
  return own.includes(address);
}

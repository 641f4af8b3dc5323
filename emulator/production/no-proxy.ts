import { BlockList, isIP } from 'node:net';

/**
 * Whether `NO_PROXY` exempts a connection. An entry is a name, which includes the names below it, an address, or a
 * range of addresses (`10.0.0.0/8`); each may have a port. The entry `*` exempts all.
 * @param list entries with commas or spaces between them
 */
export function isExempt(list: string, host: string, port: number): boolean {
  const target = toPlain(host);
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = entry, only] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
      const wanted = toPlain(name.replace(/^\*?\./, ''));
      if (wanted === '' || (only !== undefined && Number(only) !== port)) return false;
      return wanted === '*' || target === wanted || target.endsWith(`.${wanted}`) || isInRange(target, wanted);
    });
}

/** Removes the brackets of IPv6 and the dot at the end. */
function toPlain(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function isInRange(address: string, range: string): boolean {
  const [, base = '', bits = ''] = /^(.+)\/(\d+)$/.exec(range) ?? [];
  const version = isIP(base);
  if (version === 0 || version !== isIP(address) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(base, Number(bits), family);
  return block.check(address, family);
}

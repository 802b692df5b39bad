import { isIPv4 } from 'node:net';
import { networkOf } from './client-address.ts';

/** Its limit is `weight` times the limit of one subscriber. */
interface WeightedNetwork {
  name: string;
  weight: number;
}

/**
 * Returns the networks of an address, smallest first: `networkOf`, then the sizes in which providers assign
 * addresses, /56 and /48, or an IPv4 /24. Other text is a network of its own.
 */
export function networksOf(address: string): WeightedNetwork[] {
  const own = networkOf(address);
  return [{ name: own, weight: 1 }, ...widerNetworks(own)];
}

/** Returns all addresses that one customer is likely to have, the widest network of `networksOf`. */
export function widestNetworkOf(address: string): string {
  const own = networkOf(address);
  return widerNetworks(own).at(-1)?.name ?? own;
}

function widerNetworks(own: string): WeightedNetwork[] {
  if (isIPv4(own)) return [{ name: `${own.split('.', 3).join('.')}.0/24`, weight: 6 }];
  const groups = own.split(':');
  if (groups.length !== 4) return [];
  const site = groups.slice(0, 3).join(':');
  const highByte = (Number.parseInt(groups[3] ?? '', 16) >> 8).toString(16);
  return [
    { name: `${site}:${highByte}00::/56`, weight: 2 },
    { name: `${site}::/48`, weight: 4 },
  ];
}

import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type ProxiedRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Whether the headers of this address are trusted. */
export function isTrustedProxy(address: string | undefined, trustedProxies: BlockList): boolean {
  if (address === undefined) return false;
  return trustedProxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Returns a forwarding header's values, in order; only trusted proxies have any. */
function forwardedValues(request: ProxiedRequest, name: string, trustedProxies: BlockList): string[] {
  const value = request.headers[name];
  if (value === undefined || !isTrustedProxy(request.socket.remoteAddress, trustedProxies)) return [];
  return String(value)
    .split(',')
    .map((item) => item.trim());
}

/** Returns the requested host with its port; the host that a trusted proxy names takes precedence. */
export function hostOf(request: ProxiedRequest, trustedProxies: BlockList): string {
  return forwardedValues(request, 'x-forwarded-host', trustedProxies)[0] ?? request.headers.host ?? '';
}

/**
 * The connection's address, or the last one in `X-Forwarded-For` that is not a trusted proxy's. Addresses
 * before that one could be forged.
 */
export function clientAddress(request: ProxiedRequest, trustedProxies: BlockList): string {
  const chain = forwardedValues(request, 'x-forwarded-for', trustedProxies).map(bareAddress);
  const own = request.socket.remoteAddress ?? '';
  return chain.findLast((address) => address !== '' && !isTrustedProxy(address, trustedProxies)) ?? own;
}

/** Removes the port and the brackets that some proxies add. Other text is not changed. */
function bareAddress(item: string): string {
  const [, bracketed, plain] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(item) ?? [];
  const address = bracketed ?? plain ?? item;
  return isIP(address) === 0 ? item : address;
}

/** Returns the network that a provider assigns to one subscriber: an IPv4 address, or an IPv6 /64. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const parsed = ipaddr.process(plain);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':', 4).join(':');
}

const MAX_CACHED_ADDRESSES = 10_000;

export class ClientNetworks {
  readonly #trustedProxies: BlockList;
  /** By the address of the connection; null for a trusted proxy. */
  readonly #networks = new Map<string, string | null>();

  constructor(trustedProxies: BlockList) {
    this.#trustedProxies = trustedProxies;
  }

  /**
   * Undefined if the connection has closed, or if a trusted proxy, which represents all of its clients, does
   * not name the client.
   */
  of(request: ProxiedRequest): string | undefined {
    const own = request.socket.remoteAddress;
    if (own === undefined) return undefined;
    let network = this.#networks.get(own);
    if (network === undefined) {
      if (this.#networks.size >= MAX_CACHED_ADDRESSES) this.#networks.clear();
      network = isTrustedProxy(own, this.#trustedProxies) ? null : networkOf(own);
      this.#networks.set(own, network);
    }
    if (network !== null) return network;
    const address = clientAddress(request, this.#trustedProxies);
    return isTrustedProxy(address, this.#trustedProxies) ? undefined : networkOf(address);
  }
}

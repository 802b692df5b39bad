import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv6 } from 'node:net';

/** What is looked at of a request, Fastify's or Node's own. */
export type ProxiedRequest = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Whether this is the address of a proxy whose word on a request counts. */
export function isTrustedProxy(address: string | undefined, trustedProxies: BlockList): boolean {
  if (address === undefined) return false;
  return trustedProxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** A header that proxies set, where the one that the request came from is trusted; the last where there are several. */
function forwardedValues(request: ProxiedRequest, name: string, trustedProxies: BlockList): string[] {
  const value = request.headers[name];
  if (value === undefined || !isTrustedProxy(request.socket.remoteAddress, trustedProxies)) return [];
  return String(value)
    .split(',')
    .map((item) => item.trim());
}

/** The host that the caller asked for, with its port; what a trusted proxy says of it comes first. */
export function hostOf(request: ProxiedRequest, trustedProxies: BlockList): string {
  return forwardedValues(request, 'x-forwarded-host', trustedProxies)[0] ?? request.headers.host ?? '';
}

/**
 * The caller's address: the connection's own, or the last one in `X-Forwarded-For` that is not a trusted
 * proxy's. What stands before that one may be made up.
 */
export function clientAddress(request: ProxiedRequest, trustedProxies: BlockList): string {
  const chain = forwardedValues(request, 'x-forwarded-for', trustedProxies).map(bareAddress);
  const own = request.socket.remoteAddress ?? '';
  return chain.findLast((address) => address !== '' && !isTrustedProxy(address, trustedProxies)) ?? own;
}

/** Some proxies write an address with its port, and IPv6 in brackets; whatever is none stays as it is. */
function bareAddress(item: string): string {
  const [, bracketed, plain] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(item) ?? [];
  const address = bracketed ?? plain ?? item;
  return isIP(address) === 0 ? item : address;
}

/** What one subscriber is given: an IPv4 address, or the first half of an IPv6 one. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail === undefined ? 0 : tail.split(':').filter((group) => group !== '').length;
  while (tail !== undefined && groups.length + after < 8) groups.push('0');
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const KNOWN_ADDRESSES = 10_000;

/** The networks that requests come from, for limits: asked for with every one of them. */
export class ClientNetworks {
  readonly #trustedProxies: BlockList;
  /** By the connection's address; null for a trusted proxy's. */
  readonly #known = new Map<string, string | null>();

  constructor(trustedProxies: BlockList) {
    this.#trustedProxies = trustedProxies;
  }

  /**
   * Undefined for what a trusted proxy asks by itself, or without saying for whom: its own address stands
   * for all of its callers.
   */
  of(request: ProxiedRequest): string | undefined {
    const own = request.socket.remoteAddress;
    if (own === undefined) return undefined;
    let known = this.#known.get(own);
    if (known === undefined) {
      if (this.#known.size >= KNOWN_ADDRESSES) this.#known.clear();
      known = isTrustedProxy(own, this.#trustedProxies) ? null : networkOf(own);
      this.#known.set(own, known);
    }
    if (known !== null) return known;
    const address = clientAddress(request, this.#trustedProxies);
    return isTrustedProxy(address, this.#trustedProxies) ? undefined : networkOf(address);
  }
}

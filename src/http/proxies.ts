import { type BlockList, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Whether this is the address of a proxy whose word on a request counts. */
export function isTrusted(address: string | undefined, trustedProxies: BlockList): boolean {
  if (address === undefined) return false;
  return trustedProxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** A header that proxies set, where the one that the request came from is trusted; the last where there are several. */
function wordOfProxy(request: FastifyRequest, name: string, trustedProxies: BlockList): string[] {
  const value = request.headers[name];
  if (value === undefined || !isTrusted(request.socket.remoteAddress, trustedProxies)) return [];
  return String(value)
    .split(',')
    .map((item) => item.trim());
}

/** The host that the caller asked for, with its port; what a trusted proxy says of it comes first. */
export function hostOf(request: FastifyRequest, trustedProxies: BlockList): string {
  return wordOfProxy(request, 'x-forwarded-host', trustedProxies)[0] ?? request.headers.host ?? '';
}

/**
 * The caller's address: the connection's own, or the last one in `X-Forwarded-For` that is not a trusted
 * proxy's. What stands before that one may be made up.
 */
export function clientAddress(request: FastifyRequest, trustedProxies: BlockList): string {
  const chain = wordOfProxy(request, 'x-forwarded-for', trustedProxies);
  const own = request.socket.remoteAddress ?? '';
  return chain.findLast((address) => address !== '' && !isTrusted(address, trustedProxies)) ?? own;
}

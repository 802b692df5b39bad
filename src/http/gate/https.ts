import type { BlockList } from 'node:net';
import { TLSSocket } from 'node:tls';
import { isTrustedProxy, type ProxiedRequest } from './client-address.ts';

/**
 * Whether the caller reached us over HTTPS: by this connection's own TLS, or by the word of a proxy,
 * which counts only from an address that the operator trusts (contract, “Order of refusal”, 1).
 */
export function arrivedByHttps(request: ProxiedRequest, trustedProxies: BlockList): boolean {
  const forwarded = request.headers['x-forwarded-proto'];
  if (forwarded !== undefined && isTrustedProxy(request.socket.remoteAddress, trustedProxies)) {
    // A chain of proxies lists what each one saw: one plain hop is one too many.
    return String(forwarded)
      .split(',')
      .every((protocol) => protocol.trim().toLowerCase() === 'https');
  }
  return request.socket instanceof TLSSocket;
}

import type { BlockList } from 'node:net';
import { TLSSocket } from 'node:tls';
import { contextOf, PLAIN_HTTP, REFUSED_EARLY } from '../request-context.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { refuse } from '../responses/send-error.ts';
import { isTrustedProxy, type ProxiedRequest } from './client-address.ts';
import type { GateStep } from './gate.ts';

/**
 * A trusted proxy's `X-Forwarded-Proto` decides; without it, this connection must be TLS (contract, “Order of
 * refusal”, 1). A TLS server refuses plain HTTP even from a trusted proxy.
 */
export function arrivedOverHttps(
  request: ProxiedRequest,
  { trustedProxies, isTlsServer }: { trustedProxies: BlockList; isTlsServer: boolean },
): boolean {
  const isEncrypted = request.socket instanceof TLSSocket;
  if (isTlsServer && !isEncrypted) return false;
  const forwarded = request.headers['x-forwarded-proto'];
  if (forwarded === undefined || !isTrustedProxy(request.socket.remoteAddress, trustedProxies)) {
    return isEncrypted;
  }
  // A chain of proxies lists the protocol of each hop, and every one must be HTTPS.
  return String(forwarded)
    .split(',')
    .every((protocol) => protocol.trim().toLowerCase() === 'https');
}

/** Refuses plain HTTP. A TLS server also closes the connection, because no request on it can succeed. */
export function requireHttps({ isTlsServer }: { isTlsServer: boolean }): GateStep {
  return (request, response, next) => {
    const context = contextOf(request);
    if (context.isHttps) return next(request, response);
    const isPlainOnTlsPort = isTlsServer && !(request.socket instanceof TLSSocket);
    context.route = isPlainOnTlsPort ? PLAIN_HTTP : REFUSED_EARLY;
    if (isPlainOnTlsPort) response.shouldKeepAlive = false;
    refuse(request, response, requestErrors.https_required());
  };
}

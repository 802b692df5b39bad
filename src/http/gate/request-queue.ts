import type { IncomingMessage } from 'node:http';
import type { TokenVerifier } from '../../api-keys/verify-token.ts';
import type { ClientNetworks } from './client-address.ts';
import { widestNetworkOf } from './networks.ts';
import type { QueuedRequest } from './overload-control.ts';

/** The services that tell whose request it is without a look-up. */
export interface QueueServices {
  verifier: Pick<TokenVerifier, 'merchantOf'>;
  networks: ClientNetworks;
}

/**
 * Returns the queue of a request: its merchant's if the token in its query was valid before, else that of its network,
 * an IPv4 /24 or an IPv6 /48, since one client may have all addresses of such a network.
 */
export function queueOf({ verifier, networks }: QueueServices, request: IncomingMessage): string {
  const [, token] = /[?&]access_token=([^&#]+)/.exec(request.url ?? '') ?? [];
  const merchantId = token === undefined ? undefined : verifier.merchantOf(token);
  if (merchantId !== undefined) return merchantQueue(merchantId);
  return `network ${widestNetworkOf(networks.of(request) ?? '')}`;
}

/** Returns how a request waits: in its queue, and only while its connection is open. */
export function queuedRequest(services: QueueServices, request: IncomingMessage): QueuedRequest {
  return { queue: queueOf(services, request), isGone: () => request.socket.destroyed };
}

/** Returns the queue of a merchant's requests. */
export function merchantQueue(merchantId: number): string {
  return `merchant ${merchantId}`;
}

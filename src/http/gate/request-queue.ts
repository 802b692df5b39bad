import type { IncomingMessage } from 'node:http';
import type { TokenVerifier } from '../../api-keys/verify-token.ts';
import { liveSideOf } from '../../database/sides.ts';
import { bearerToken } from '../parameters/read.ts';
import type { ClientNetworks } from './client-address.ts';
import { widestNetworkOf } from './networks.ts';
import type { QueuedRequest } from './overload-control.ts';
import { NETWORK } from './queued-requests.ts';

/** Services that identify the sender of a request without a database lookup. */
export interface QueueServices {
  verifier: Pick<TokenVerifier, 'merchantOf'>;
  networks: ClientNetworks;
}

/**
 * Returns the merchant's queue if the token in the query or header was valid before. Otherwise the network's,
 * an IPv4 /24 or an IPv6 /48, because one client may have all addresses of such a network.
 */
export function queueOf({ verifier, networks }: QueueServices, request: IncomingMessage): string {
  const [, inQuery] = /[?&]access_token=([^&#]+)/.exec(request.url ?? '') ?? [];
  const token = inQuery ?? bearerToken(request.headers.authorization);
  const merchantId = token === undefined ? undefined : verifier.merchantOf(token);
  if (merchantId !== undefined) return merchantQueue(merchantId);
  return `${NETWORK} ${widestNetworkOf(networks.of(request) ?? '')}`;
}

export function queuedRequest(services: QueueServices, request: IncomingMessage): QueuedRequest {
  return { queue: queueOf(services, request), isGone: () => request.socket.destroyed };
}

/** Live and test keys share a queue. */
export function merchantQueue(merchantId: number): string {
  return `merchant ${liveSideOf(merchantId)}`;
}

import type { IncomingMessage } from 'node:http';
import type { TokenVerifier } from '../../api-keys/verify-token.ts';
import { liveSideOf } from '../../database/sides.ts';
import { bearerToken } from '../parameters/read.ts';
import type { ClientNetworks } from './client-address.ts';
import { widestNetworkOf } from './networks.ts';
import type { QueuedRequest } from './overload-control.ts';
import { NETWORK } from './queued-requests.ts';

/** The services that identify the sender of a request without a lookup in the database. */
export interface QueueServices {
  verifier: Pick<TokenVerifier, 'merchantOf'>;
  networks: ClientNetworks;
}

/**
 * Returns the queue of a request. If the token in its query or header was valid before, that is its merchant's queue.
 * Otherwise it is the queue of its network, an IPv4 /24 or an IPv6 /48, because one client may have all addresses of
 * such a network.
 */
export function queueOf({ verifier, networks }: QueueServices, request: IncomingMessage): string {
  const [, inQuery] = /[?&]access_token=([^&#]+)/.exec(request.url ?? '') ?? [];
  const token = inQuery ?? bearerToken(request.headers.authorization);
  const merchantId = token === undefined ? undefined : verifier.merchantOf(token);
  if (merchantId !== undefined) return merchantQueue(merchantId);
  return `${NETWORK} ${widestNetworkOf(networks.of(request) ?? '')}`;
}

/** Returns the queue in which a request waits, and a function that returns whether its connection has closed. */
export function queuedRequest(services: QueueServices, request: IncomingMessage): QueuedRequest {
  return { queue: queueOf(services, request), isGone: () => request.socket.destroyed };
}

/** Returns the queue of a merchant's requests, with live and test keys. */
export function merchantQueue(merchantId: number): string {
  return `merchant ${liveSideOf(merchantId)}`;
}

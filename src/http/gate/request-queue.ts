import type { IncomingMessage } from 'node:http';
import type { TokenVerifier } from '../../api-keys/verify-token.ts';
import type { ClientNetworks } from './client-address.ts';
import { widestNetworkOf } from './networks.ts';
import type { QueuedRequest } from './overload-control.ts';

/** What tells whose request it is, before anything is looked up for it. */
export interface QueueServices {
  verifier: Pick<TokenVerifier, 'merchantOf'>;
  networks: ClientNetworks;
}

/**
 * The line that a request waits in: its merchant's, if the token in its query was good before, else that of the network
 * it comes from, an IPv4 /24 or an IPv6 /48: one sender may have all of its addresses.
 */
export function queueOf({ verifier, networks }: QueueServices, request: IncomingMessage): string {
  const [, token] = /[?&]access_token=([^&#]+)/.exec(request.url ?? '') ?? [];
  const merchantId = token === undefined ? undefined : verifier.merchantOf(token);
  if (merchantId !== undefined) return merchantQueue(merchantId);
  return `network ${widestNetworkOf(networks.of(request) ?? '')}`;
}

/** How a request asks to be let in: for its line, and only while its connection is open. */
export function queuedRequest(services: QueueServices, request: IncomingMessage): QueuedRequest {
  return { queue: queueOf(services, request), isGone: () => request.socket.destroyed };
}

/** The line of a merchant's requests. */
export function merchantQueue(merchantId: number): string {
  return `merchant ${merchantId}`;
}

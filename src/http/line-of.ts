import type { IncomingMessage } from 'node:http';
import type { TokenVerifier } from '../api-keys/verify-token.ts';
import { widestNetworkOf } from './network-prefixes.ts';
import type { ClientNetworks } from './proxies.ts';

/** What tells whose request it is, before anything is looked up for it. */
export interface LineServices {
  verifier: Pick<TokenVerifier, 'merchantOf'>;
  networks: ClientNetworks;
}

/**
 * The line that a request waits in: its merchant's, if the token in its query was good before, else that of the network
 * it comes from, an IPv4 /24 or an IPv6 /48: one sender may have all of its addresses.
 */
export function lineOf({ verifier, networks }: LineServices, request: IncomingMessage): string {
  const [, token] = /[?&]access_token=([^&#]+)/.exec(request.url ?? '') ?? [];
  const merchantId = token === undefined ? undefined : verifier.merchantOf(token);
  if (merchantId !== undefined) return merchantLine(merchantId);
  return `network ${widestNetworkOf(networks.of(request) ?? '')}`;
}

/** The line of a merchant's requests. */
export function merchantLine(merchantId: number): string {
  return `merchant ${merchantId}`;
}

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { consoleErrors } from '../errors.ts';
import { ownOrigin } from '../guard.ts';
import { NO_PASSKEYS_AT_ADDRESS } from './passkey-limits.ts';

/** The service as browsers know it: passkeys belong to a host name, and are used at an origin. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Returns the service as the request's browser knows it: PUBLIC_URL, or the host of the request. A host that
 * somebody makes up does not help: what a browser signs has the origin of the page, and authenticators offer
 * a passkey only at the host that it was made for.
 * @throws {DomainError} `conflict` at an IP address, where browsers have no passkeys
 */
export function relyingPartyOf(
  request: FastifyRequest,
  config: Pick<Config, 'publicUrl' | 'trustedProxies'>,
): RelyingParty {
  const url = URL.parse(ownOrigin(request, config));
  const id = url?.hostname ?? '';
  if (url === null || id === '' || isIP(id.replace(/^\[(.*)\]$/, '$1')) !== 0)
    throw consoleErrors.conflict(NO_PASSKEYS_AT_ADDRESS);
  return { id, origin: url.origin };
}

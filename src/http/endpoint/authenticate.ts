import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../api-keys/scopes.ts';
import type { Caller, TokenVerifier } from '../../api-keys/verify-token.ts';
import type { DomainError } from '../../errors/domain-error.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { ClientNetworks } from '../gate/client-address.ts';
import type { RawParameter } from '../parameters/raw-parameters.ts';
import type { RateLimits } from '../rate-limits/limits.ts';
import { contextOf } from '../request-context.ts';
import { requestErrors } from '../responses/request-errors.ts';

export interface AuthenticationServices<Granted extends string = Scope> {
  verifier: TokenVerifier<Granted>;
  limits: RateLimits;
  metrics: Metrics;
  networks: ClientNetworks;
}

/** A key that a request's token belongs to. */
export interface KeyCaller<Granted extends string> extends Caller<Granted> {
  token: string;
}

/**
 * Accepts the first valid one of the `sent` tokens; `bind` later rejects a request that sends several.
 * Invalid tokens count as failures of the client's network, if it is known. Once the network has reached its
 * limit, tokens that this process remembers as valid are still accepted, and a limited number of others are
 * looked up.
 * @throws {DomainError} `missing` without a token, `token_refused`, `authentication_limited`
 */
export async function authenticate<Granted extends string>(
  { verifier, limits, metrics, networks }: AuthenticationServices<Granted>,
  request: FastifyRequest,
  sent: readonly Pick<RawParameter, 'kind' | 'text'>[],
  missing: () => DomainError,
): Promise<KeyCaller<Granted>> {
  const values = sent.filter(({ kind }) => kind !== 'null');
  if (values.length === 0) throw missing();
  const network = networks.of(request.raw);
  let [secondsToWait, isLookupSkipped] = [0, false];
  for (const { kind, text: token } of values) {
    if (network !== undefined) secondsToWait = limits.failuresByAddress.secondsToWait(network);
    const isToken = kind === 'text' || kind === 'string';
    if (isToken && secondsToWait > 0 && network !== undefined && !verifier.wasValid(token)) {
      isLookupSkipped = !limits.lookupBudget.take(network);
      if (isLookupSkipped) break;
    }
    const caller = isToken ? await verifier.verify(token) : undefined;
    if (caller !== undefined) return { ...caller, token };
    if (network !== undefined) limits.failuresByAddress.takeWithoutWaiting(network, network);
  }
  const refused = values.map(({ text }) => verifier.refusedKeyOf(text));
  contextOf(request.raw).refusedKey = refused.find((key) => key !== undefined);
  if (secondsToWait === 0 || network === undefined)
    throw requestErrors.token_refused(verifier.explainMisplaced(values.map(({ text }) => text)));
  metrics.limited('failed-authentication');
  // Another lookup is allowed within a second.
  if (isLookupSkipped) throw requestErrors.authentication_limited(1);
  contextOf(request.raw).rateLimitHeaders = limits.failuresByAddress.headers(network);
  throw requestErrors.authentication_limited(secondsToWait);
}

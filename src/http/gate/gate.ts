import { type IncomingMessage, METHODS, type RequestListener, type ServerResponse } from 'node:http';
import type { DomainError } from '../../errors/domain-error.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { RateLimits } from '../rate-limits/limits.ts';
import { contextOf, REFUSED_EARLY } from '../request-context.ts';
import { MAX_HEADERS, MAX_URL_LENGTH } from '../request-limits.ts';
import { OVERLOADED, requestErrors } from '../responses/request-errors.ts';
import { refuse } from '../responses/send-error.ts';
import type { ClientNetworks } from './client-address.ts';
import type { OverloadControl } from './overload-control.ts';
import { type QueueServices, queueOf } from './request-queue.ts';
import { normalizeTarget, pathOf } from './request-target.ts';

/** A step of handling a request: it responds, or calls `next`. */
export type GateStep = (request: IncomingMessage, response: ServerResponse, next: RequestListener) => void;

export function createGate(steps: readonly GateStep[], listener: RequestListener): RequestListener {
  return steps.reduceRight<RequestListener>(
    (next, step) => (request, response) => step(request, response, next),
    listener,
  );
}

/** Node's parser also accepts methods of other protocols, such as RTSP, which the router does not know. */
const KNOWN_METHODS = new Set(METHODS);

export const requireKnownMethod = refuseIf(({ method = '' }) =>
  KNOWN_METHODS.has(method) ? undefined : requestErrors.malformed_request(),
);

export const limitSize = refuseIf(({ url = '', rawHeaders }) => {
  if (url.length > MAX_URL_LENGTH) return requestErrors.url_too_long();
  // Names and values alternate.
  return rawHeaders.length > 2 * MAX_HEADERS ? requestErrors.headers_too_large() : undefined;
});

export function limitAddresses({
  networks,
  limits,
  metrics,
}: {
  networks: ClientNetworks;
  limits: RateLimits;
  metrics: Metrics;
}): GateStep {
  return refuseIf((request) => {
    const network = networks.of(request);
    if (network === undefined) return undefined;
    const seconds = limits.byAddress.takeWithoutWaiting(network, network);
    if (seconds === 0) return undefined;
    metrics.limited('address');
    contextOf(request).rateLimitHeaders = limits.byAddress.headers(network);
    return requestErrors.address_limited(seconds);
  });
}

/** Refuses requests before they are routed and parsed, if `OverloadControl` would refuse them anyway. */
export function refuseOverload(services: QueueServices & { overloadControl: OverloadControl }): GateStep {
  const { overloadControl } = services;
  return refuseIf((request) => {
    if (!overloadControl.isFull(() => queueOf(services, request))) return undefined;
    overloadControl.noteShed();
    return OVERLOADED;
  });
}

/** Refuses targets that a listener does not serve, as if there was nothing there. */
export function refuseTargets(isRefused: (target: string | undefined) => boolean): GateStep {
  return refuseIf(({ url }) =>
    isRefused(url) ? requestErrors.not_found(pathOf(normalizeTarget(url))) : undefined,
  );
}

function refuseIf(check: (request: IncomingMessage) => DomainError | undefined): GateStep {
  return (request, response, next) => {
    const error = check(request);
    if (error === undefined) return next(request, response);
    contextOf(request).route = REFUSED_EARLY;
    refuse(request, response, error);
  };
}

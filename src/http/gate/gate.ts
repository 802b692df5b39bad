import { type IncomingMessage, METHODS, type RequestListener, type ServerResponse } from 'node:http';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { MOST_HEADERS, MOST_URL_LENGTH } from '../bounds.ts';
import type { RateLimits } from '../rate-limits/limits.ts';
import { contextOf, REFUSED_EARLY } from '../request-context.ts';
import { errors, type HttpError } from '../responses/errors.ts';
import { sendErrorRaw } from '../responses/send-error.ts';
import { arrivedByHttps } from './https.ts';
import { OVERLOADED, type OverloadControl } from './overload-control.ts';
import { type QueueServices, queueOf } from './request-queue.ts';

/** Node's parser lets more through, such as those of RTSP, which no router knows. */
const KNOWN_METHODS = new Set(METHODS);

/** What the front needs to know. */
export interface GateServices extends QueueServices {
  config: Pick<Config, 'trustedProxies'>;
  limits: RateLimits;
  overloadControl: OverloadControl;
  metrics: Metrics;
}

/**
 * A listener that turns away at once, before anything is parsed or looked up, what is too large, what comes
 * from an address past its limit, and what there is no room for. `known` answers what it knows by heart
 * even then, as that costs no more than to refuse it. What did not arrive by HTTPS goes on to be told that.
 */
export function createGate(
  services: GateServices,
  listener: RequestListener,
  known: (rest: RequestListener) => RequestListener = (rest) => rest,
): RequestListener {
  const { config, overloadControl } = services;
  const answer = known((request, response) => {
    if (!overloadControl.isFull(() => queueOf(services, request))) return listener(request, response);
    overloadControl.noteShed();
    refuseEarly(request, response, OVERLOADED);
  });
  return (request, response) => {
    if (!KNOWN_METHODS.has(request.method ?? '')) {
      refuseEarly(request, response, errors.malformed_request());
      return;
    }
    if (!arrivedByHttps(request, config.trustedProxies)) return listener(request, response);
    const refusal = checkSize(request) ?? checkAddressLimit(services, request);
    if (refusal === undefined) answer(request, response);
    else refuseEarly(request, response, refusal);
  };
}

function refuseEarly(request: IncomingMessage, response: ServerResponse, refusal: HttpError): void {
  contextOf(request).route = REFUSED_EARLY;
  sendErrorRaw(request, response, refusal);
}

function checkSize({ url = '', rawHeaders }: IncomingMessage): HttpError | undefined {
  if (url.length > MOST_URL_LENGTH) return errors.url_too_long(MOST_URL_LENGTH);
  // Names and values in turn.
  if (rawHeaders.length > 2 * MOST_HEADERS) return errors.headers_too_large();
  return undefined;
}

function checkAddressLimit(
  { networks, limits, metrics }: GateServices,
  request: IncomingMessage,
): HttpError | undefined {
  const network = networks.of(request);
  if (network === undefined) return undefined;
  const wait = limits.byAddress.takeWithoutWaiting(network, network);
  if (wait === 0) return undefined;
  metrics.limited('address');
  contextOf(request).rateLimitHeaders = limits.byAddress.headers(network);
  return errors.address_limited(wait);
}

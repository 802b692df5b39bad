import { type IncomingMessage, METHODS, type RequestListener, type ServerResponse } from 'node:http';
import type { Config } from '../config.ts';
import type { Metrics } from '../observability/metrics.ts';
import { TURNED_AWAY, trailOf } from '../observability/trail.ts';
import { type Admission, OVERLOADED } from './admission.ts';
import { MOST_HEADERS, MOST_URL_LENGTH } from './bounds.ts';
import { refuse } from './error-answers.ts';
import { errors, type HttpError } from './errors.ts';
import { arrivedByHttps } from './https-only.ts';
import type { Limits } from './limits/limits.ts';
import { type LineServices, lineOf } from './line-of.ts';

/** Node's parser lets more through, such as those of RTSP, which no router knows. */
const METHODS_OF_HTTP = new Set(METHODS);

/** What the front needs to know. */
export interface FrontServices extends LineServices {
  config: Pick<Config, 'trustedProxies'>;
  limits: Limits;
  admission: Admission;
  metrics: Metrics;
}

/**
 * A listener that turns away at once, before anything is parsed or looked up, what is too large, what comes
 * from an address past its limit, and what there is no room for. `known` answers what it knows by heart
 * even then, as that costs no more than to refuse it. What did not arrive by HTTPS goes on to be told that.
 */
export function front(
  services: FrontServices,
  listener: RequestListener,
  known: (rest: RequestListener) => RequestListener = (rest) => rest,
): RequestListener {
  const { config, admission } = services;
  const answer = known((request, response) => {
    if (!admission.isFull(() => lineOf(services, request))) return listener(request, response);
    admission.noteShed();
    turnAway(request, response, OVERLOADED);
  });
  return (request, response) => {
    if (!METHODS_OF_HTTP.has(request.method ?? '')) {
      turnAway(request, response, errors.malformed_request());
      return;
    }
    if (!arrivedByHttps(request, config.trustedProxies)) return listener(request, response);
    const refusal = tooLarge(request) ?? pastLimit(services, request);
    if (refusal === undefined) answer(request, response);
    else turnAway(request, response, refusal);
  };
}

function turnAway(request: IncomingMessage, response: ServerResponse, refusal: HttpError): void {
  trailOf(request).route = TURNED_AWAY;
  refuse(request, response, refusal);
}

function tooLarge({ url = '', rawHeaders }: IncomingMessage): HttpError | undefined {
  if (url.length > MOST_URL_LENGTH) return errors.url_too_long(MOST_URL_LENGTH);
  // Names and values in turn.
  if (rawHeaders.length > 2 * MOST_HEADERS) return errors.headers_too_large();
  return undefined;
}

function pastLimit(
  { networks, limits, metrics }: FrontServices,
  request: IncomingMessage,
): HttpError | undefined {
  const network = networks.of(request);
  if (network === undefined) return undefined;
  const wait = limits.byAddress.takeLoosely(network, network);
  if (wait === 0) return undefined;
  metrics.limited('address');
  trailOf(request).limitHeaders = limits.byAddress.headers(network);
  return errors.address_limited(wait);
}

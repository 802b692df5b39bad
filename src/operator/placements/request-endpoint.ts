import type { FastifyInstance } from 'fastify';
import type { Problem } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { bindRecord } from '../../http/parameters/bind.ts';
import { readLine } from '../../http/parameters/lines.ts';
import { mergeParameters } from '../../http/parameters/raw-parameters.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { sendJson } from '../../http/responses/respond.ts';
import type { Auction, SentRequest } from '../../placements/reserve/auction.ts';
import {
  exampleRequests,
  exampleResults,
  MAX_PLACES,
  requestParameters,
  requestResultsSchema,
  sentRequests,
} from '../../placements/reserve/request-schema.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { campaignsTag } from '../tags.ts';

interface Services extends OperatorEndpointServices {
  auction: Auction;
}

/** `POST /placements` (contract for campaigns, “Asking for placements”). */
export function requestEndpoint(app: FastifyInstance, services: Services): void {
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/placements',
    pathParameters: {},
    name: 'requestPlacements',
    tag: campaignsTag,
    summary: 'Ask whom to place',
    description:
      'Gives places to products of active campaigns. Up to 100 requests are decided one after the other, for up to 200 ' +
      'places together. A product’s score is its campaign’s bid, multiplied with the rate at which it sells. A place ' +
      'costs what was needed to win it, and at most the bid. It is reserved, within all budgets, until its ' +
      '[outcome](#reportPlacementOutcomes) is reported or it expires. After a start, the call responds with 503 for some ' +
      'seconds, until the process knows who competes.',
    scope: 'campaigns',
    parameters: {
      requests: {
        type: sentRequests,
        required: true,
        description: 'The requests.',
        example: exampleRequests,
      },
    },
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200, 503],
    success: {
      description: 'What each request got.',
      schema: requestResultsSchema,
      examples: { results: { summary: 'One of two places is filled', value: exampleResults } },
    },
    handle: async ({ request, reply, input: { requests } }) => {
      const results = await services.auction.place(readRequests(requests));
      await sendJson(request, reply, JSON.stringify({ results }));
    },
  });
}

/** @throws {DomainError} `invalid_parameters` */
function readRequests(texts: readonly string[]): SentRequest[] {
  const problems: Problem[] = [];
  let places = 0;
  const read = texts.flatMap((text, index): SentRequest[] => {
    const place = `requests[${index}]`;
    const members = readLine({ number: index, text });
    if (members instanceof InvalidValue) {
      problems.push({ field: place, reason: members.reason });
      return [];
    }
    const bound = bindRecord(requestParameters, mergeParameters(members));
    if (!('bound' in bound)) {
      for (const { field, reason } of bound.problems) problems.push({ field: `${place}[${field}]`, reason });
      return [];
    }
    places += bound.bound.count ?? 1;
    return [bound.bound];
  });
  if (places > MAX_PLACES)
    problems.push({
      field: 'requests',
      reason: `expected at most ${MAX_PLACES} places together, found ${places}`,
    });
  if (problems.length > 0) throw errors.invalid_parameters(problems);
  return read;
}

import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../database/actor.ts';
import { runVerb } from '../../database/write-context.ts';
import { bindRecord, propertiesOf } from '../../http/parameters/bind.ts';
import { type BodyLine, readLine } from '../../http/parameters/lines.ts';
import { mergeParameters } from '../../http/parameters/raw-parameters.ts';
import { text } from '../../http/parameters/types.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { findMerchantByExternalId } from '../../merchants/queries.ts';
import {
  type DecisionBatchResult,
  type DecisionLineResult,
  decisionBatchSchema,
  decisionLineSchema,
  exampleDecisionResult,
  exampleDecisions,
  MAX_DECISIONS,
} from '../../products/moderation/decision-schema.ts';
import {
  type DecisionResult,
  type ModerationDecision,
  moderateProducts,
} from '../../products/moderation/moderate-product.ts';
import { lookedUpIdentifier } from '../../products/record/product-parameters.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { externalId } from '../merchants/merchant-parameters.ts';
import { catalogTag } from '../tags.ts';
import { decisionParameters, REASONS_WITH_OK } from './decision-parameters.ts';

const MAX_VERSION = 100;
/** Limits memory, because records may be large, and how long other writes of the merchant wait. */
const DECISIONS_AT_ONCE = 20;

const lineParameters = {
  merchant: {
    type: externalId,
    required: true,
    description: 'The operator’s own ID of the merchant.',
    example: 'seller-4711',
  },
  identifier: {
    type: lookedUpIdentifier,
    required: true,
    description: 'The unique ID of the product.',
    example: 'VASE-7',
  },
  ...decisionParameters,
  version: {
    type: text(MAX_VERSION),
    description:
      'The `version` in the queue. The line is rejected if the product shows something else by now, which waits for a ' +
      'review.',
    example: 'hV2h9S0l8mX1rQ4tZ7aB3w',
  },
} as const;

interface SentDecision {
  line: number;
  merchant: string;
  decision: ModerationDecision;
}

type Services = OperatorWriteServices & { lowInventory: number };

/** `POST /moderation`. */
export function decisionsEndpoint(app: FastifyInstance, services: Services): void {
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/moderation',
    pathParameters: {},
    name: 'moderateProducts',
    tag: catalogTag,
    summary: 'Moderate many products',
    description:
      'Decides about up to 200 products of any merchants, as with the call for one product. The post data is NDJSON or a ' +
      'JSON array. Accepted lines are stored even if others are rejected, and repeating a line changes nothing. A ' +
      'decision takes its product off the queue, whatever the state.',
    scope: 'catalog',
    parameters: {},
    lines: {
      maximum: MAX_DECISIONS,
      schema: decisionLineSchema(propertiesOf(lineParameters)),
      examples: exampleDecisions,
    },
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200],
    success: {
      description: 'What each line did.',
      schema: decisionBatchSchema,
      examples: { decisions: { summary: 'A decision and a rejected line', value: exampleDecisionResult } },
    },
    handle: async ({ request, reply, caller: { who }, lines }) => {
      const results = await decide(services, who, lines.map(readDecision));
      const batch: DecisionBatchResult = { results, updated: 0, unchanged: 0, rejected: 0 };
      for (const { result } of results) batch[result] += 1;
      await sendJson(request, reply, JSON.stringify(batch));
    },
  });
}

function readDecision(line: BodyLine): SentDecision | DecisionLineResult {
  const members = readLine(line);
  if (members instanceof InvalidValue)
    return {
      line: line.number,
      merchant: null,
      identifier: null,
      ...rejection([{ name: '', reason: members.reason }]),
    };
  const sent = mergeParameters(members);
  const read = bindRecord(lineParameters, sent);
  if ('problems' in read) {
    const { merchant, identifier } = lineParameters;
    const names = bindRecord({ merchant }, new Map([['merchant', sent.get('merchant') ?? []]]));
    const products = bindRecord({ identifier }, new Map([['identifier', sent.get('identifier') ?? []]]));
    return {
      line: line.number,
      merchant: 'bound' in names ? names.bound.merchant : null,
      identifier: 'bound' in products ? products.bound.identifier : null,
      ...rejection(read.problems.map(({ field: name, reason }) => ({ name, reason }))),
    };
  }
  const { merchant, identifier, state, reasons = [], version } = read.bound;
  if (state === 'ok' && reasons.length > 0) {
    const errors = [{ name: 'reasons', reason: REASONS_WITH_OK }];
    return { line: line.number, merchant, identifier, ...rejection(errors) };
  }
  return { line: line.number, merchant, decision: { identifier, state, reasons, version } };
}

/** Decides about the products of each merchant in transactions of their own, in order. */
async function decide(
  services: Services,
  who: Actor,
  lines: readonly (SentDecision | DecisionLineResult)[],
): Promise<DecisionLineResult[]> {
  const { database, lowInventory } = services;
  const made = new Map<number, DecisionLineResult>();
  const byMerchant = Map.groupBy(
    lines.filter((each) => 'decision' in each),
    ({ merchant }) => merchant,
  );
  for (const [externalId, sent] of byMerchant) {
    const merchant = await database.first(findMerchantByExternalId, { externalId });
    for (let start = 0; start < sent.length; start += DECISIONS_AT_ONCE) {
      const some = sent.slice(start, start + DECISIONS_AT_ONCE);
      const results =
        merchant === undefined
          ? []
          : await runVerb(
              services,
              { merchantId: merchant.id, who, lowInventory },
              moderateProducts,
              some.map(({ decision }) => decision),
              { locksMerchant: true },
            );
      for (const [index, each] of some.entries()) made.set(each.line, resultOf(each, results[index]));
    }
  }
  return lines.map((each) => {
    const result = 'decision' in each ? made.get(each.line) : each;
    if (result === undefined) throw new Error(`line ${each.line} has no result`);
    return result;
  });
}

/** `result` is undefined if there is no such merchant. */
function resultOf(
  { line, merchant, decision: { identifier } }: SentDecision,
  result: DecisionResult | undefined,
): DecisionLineResult {
  const named = { line, merchant, identifier };
  switch (result) {
    case undefined:
      return { ...named, ...rejection([{ name: 'merchant', reason: `there is no merchant ${merchant}` }]) };
    case 'not_found':
      return {
        ...named,
        ...rejection([{ name: 'identifier', reason: `there is no product ${identifier}` }]),
      };
    case 'changed_meanwhile': {
      const reason = 'the product has changed, or was reviewed, since you read the queue; read it again';
      return { ...named, ...rejection([{ name: 'version', reason }]) };
    }
    default:
      return { ...named, result, errors: [] };
  }
}

function rejection(errors: DecisionLineResult['errors']): Pick<DecisionLineResult, 'result' | 'errors'> {
  return { result: 'rejected', errors };
}

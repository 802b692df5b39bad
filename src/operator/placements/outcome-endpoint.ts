import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../database/actor.ts';
import { runVerb } from '../../database/write-context.ts';
import { bindRecord } from '../../http/parameters/bind.ts';
import { type BodyLine, readLine } from '../../http/parameters/lines.ts';
import { mergeParameters } from '../../http/parameters/raw-parameters.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import {
  exampleOutcomeResult,
  exampleOutcomes,
  MAX_LINES,
  type OutcomeBatchResult,
  type OutcomeLineResult,
  outcomeBatchSchema,
  outcomeLineSchema,
  outcomeParameters,
} from '../../placements/outcomes/outcome-schema.ts';
import {
  NO_PLACEMENT,
  type OutcomeResult,
  type PlacementOutcome,
  reportOutcomes,
} from '../../placements/outcomes/report-outcomes.ts';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../placements/record/placement.ts';
import { merchantOf } from '../../placements/record/placement-id.ts';
import type { SpendNeeds } from '../../placements/record/record-spend.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { campaignsTag } from '../tags.ts';

/** Each has a transaction of its own. */
const MERCHANTS_AT_ONCE = 4;

type NamedOutcome = { line: number; outcome: PlacementOutcome };
type ReadLine = NamedOutcome | OutcomeLineResult;

/** `POST /placements/outcomes` (contract for campaigns, “What became of them”). */
export function outcomeEndpoint(app: FastifyInstance, services: OperatorWriteServices & SpendNeeds): void {
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/placements/outcomes',
    pathParameters: {},
    name: 'reportPlacementOutcomes',
    tag: campaignsTag,
    summary: 'Report what became of placements',
    description:
      'Says of up to 1,000 placements whether they were delivered or released. The post data is NDJSON or a JSON array. ' +
      'Lines are applied in order, and repeating one changes nothing. A placement that is delivered after it expired is ' +
      'charged if every budget still covers it; otherwise it costs nothing, and is `late`.',
    scope: 'campaigns',
    parameters: {},
    lines: { maximum: MAX_LINES, schema: outcomeLineSchema, examples: exampleOutcomes },
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200],
    success: {
      description: 'What each line did.',
      schema: outcomeBatchSchema,
      examples: { outcomes: { summary: 'A change and a rejected line', value: exampleOutcomeResult } },
    },
    handle: async ({ request, reply, caller: { who }, lines }) => {
      const now = services.now();
      const read = lines.map((line) => readOutcome(line, now));
      const results = await report(services, who, read);
      const batch: OutcomeBatchResult = { results, updated: 0, unchanged: 0, rejected: 0 };
      for (const { result } of results) batch[result] += 1;
      await sendJson(request, reply, JSON.stringify(batch));
    },
  });
}

function readOutcome(line: BodyLine, now: number): ReadLine {
  const { number } = line;
  const members = readLine(line);
  if (members instanceof InvalidValue) return rejected(number, null, '', members.reason);
  const sent = mergeParameters(members);
  const bound = bindRecord(outcomeParameters, sent);
  if (!('bound' in bound)) {
    const errors = bound.problems.map(({ field: name, reason }) => ({ name, reason }));
    const { placement_id: rule } = outcomeParameters;
    const named = bindRecord({ rule }, new Map([['rule', sent.get('placement_id') ?? []]]));
    const placement_id = 'bound' in named ? named.bound.rule : null;
    return { line: number, placement_id, result: 'rejected', errors };
  }
  const { placement_id, outcome, at = now } = bound.bound;
  if (at > now + MAX_CLOCK_DIFFERENCE_MS)
    return rejected(number, placement_id, 'at', 'expected a time that is not in the future');
  return { line: number, outcome: { placement_id, outcome, at } };
}

/** Reports the outcomes of each merchant in a transaction of its own. Resolves to a result for each line. */
async function report(
  services: OperatorWriteServices & SpendNeeds,
  who: Actor,
  lines: readonly ReadLine[],
): Promise<OutcomeLineResult[]> {
  const byMerchant = Map.groupBy(
    lines.filter((each) => 'outcome' in each),
    ({ outcome }) => merchantOf(outcome.placement_id),
  );
  const results = new Map<ReadLine, OutcomeResult>();
  const reportSome = async (merchantId: number | undefined, some: readonly NamedOutcome[]): Promise<void> => {
    const merchant =
      merchantId !== undefined && (await services.database.first(findMerchantById, { merchantId }));
    const caller = { merchantId: merchantId ?? 0, who, lowBudget: services.lowBudget };
    const outcomes = some.map(({ outcome }) => outcome);
    const reported = merchant ? await runVerb(services, caller, reportOutcomes, { outcomes }) : [];
    for (const [index, each] of some.entries())
      results.set(each, reported[index] ?? { field: 'placement_id', reason: NO_PLACEMENT });
  };
  const waiting = byMerchant.entries();
  const workers = Array.from({ length: MERCHANTS_AT_ONCE }, async () => {
    for (const [merchantId, some] of waiting) await reportSome(merchantId, some);
  });
  await Promise.all(workers);
  return lines.map((each): OutcomeLineResult => {
    if (!('outcome' in each)) return each;
    const { placement_id } = each.outcome;
    const result = results.get(each);
    if (result === undefined) throw new Error('a line of a report has no result');
    return typeof result === 'string'
      ? { line: each.line, placement_id, result, errors: [] }
      : rejected(each.line, placement_id, result.field, result.reason);
  });
}

function rejected(
  line: number,
  placement_id: string | null,
  name: string,
  reason: string,
): OutcomeLineResult {
  return { line, placement_id, result: 'rejected', errors: [{ name, reason }] };
}

import type { FastifyInstance } from 'fastify';
import { DomainError } from '../errors/domain-error.ts';
import { registerWrite } from '../http/endpoint/register-write.ts';
import { bindRecord, type NoParameters, type ParameterRules } from '../http/parameters/bind.ts';
import { type BodyLine, readLine } from '../http/parameters/lines.ts';
import { mergeParameters } from '../http/parameters/raw-parameters.ts';
import { MAX_WRITE_BYTES } from '../http/request-limits.ts';
import { sendPrivate } from '../http/responses/send-private.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import { TimeSlices } from '../shared/time-slices.ts';
import {
  actions,
  exampleLines,
  exampleResult,
  lineParameters,
  lineSchema,
  MAX_ERRORS,
  MAX_LINES,
  orderBatchSchema,
} from './batch-schema.ts';
import {
  changeOrdersOnce,
  type OrderLine,
  type OrderLineResult,
  rejectedLine,
} from './change/change-batch.ts';
import type { OrderWriteServices } from './change-endpoints.ts';
import type { ListedValues } from './listed-values.ts';
import { changeParameters } from './order-parameters.ts';
import { readCall } from './read-call.ts';
import { ordersTag } from './record/order-schema.ts';

/** `POST /orders/batch.json` (contract for orders, “Calls”). */
export function orderBatchEndpoint(app: FastifyInstance, services: OrderWriteServices): void {
  const { lowInventory, listedValues } = services;
  registerWrite<NoParameters>(app, services, {
    path: '/orders/batch.json',
    name: 'changeOrders',
    tag: ordersTag,
    summary: 'Change many orders',
    description:
      'Ships, refunds, cancels, acknowledges or annotates orders with up to 1,000 lines. The post data is NDJSON or a JSON ' +
      'array, so the token is in the query or in the header. Lines are applied in order. Accepted lines are stored even if ' +
      'others are rejected.',
    scope: 'fulfillment',
    parameters: {},
    lines: { maximum: MAX_LINES, schema: lineSchema, examples: exampleLines },
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200, 409],
    success: {
      description: 'What each line did.',
      schema: orderBatchSchema,
      examples: { batch: { summary: 'A change and a rejected line', value: exampleResult } },
      isPrivate: true,
    },
    locksMerchant: true,
    handle: async ({ request, reply, caller: { key }, lines, runOnce }) => {
      const read = await readBatch(await listedValues.read(), lines);
      const needs = { lowInventory, isAudited: key === undefined };
      const { response } = await runOnce(changeOrdersOnce, read, needs);
      await sendPrivate(request, reply, new RenderedJson(Buffer.from(response)));
    },
  });
}

/** Pauses for other work between lines. */
async function readBatch(listed: ListedValues, lines: readonly BodyLine[]): Promise<OrderLine[]> {
  const read: OrderLine[] = [];
  const slices = new TimeSlices();
  for (const line of lines) {
    read.push(readBatchLine(listed, line));
    await slices.pause();
  }
  return read;
}

function readBatchLine(listed: ListedValues, line: BodyLine): OrderLine {
  const { number } = line;
  const members = readLine(line);
  if (members instanceof InvalidValue)
    return rejectedLine(number, null, [{ name: '', reason: members.reason }]);
  const sent = mergeParameters(members);
  const action = actions.find((each) => each === sent.get('action')?.[0]?.text);
  const rules: ParameterRules = action === undefined ? {} : changeParameters[action];
  if (action === undefined) for (const name of sent.keys()) if (!(name in lineParameters)) sent.delete(name);
  const bound = bindRecord({ ...lineParameters, ...rules }, sent);
  const id = bindRecord(
    { order_id: lineParameters.order_id },
    new Map([['order_id', sent.get('order_id') ?? []]]),
  );
  const order_id = 'bound' in id ? Number(id.bound.order_id) : null;
  if (!('bound' in bound)) return rejectedLine(number, order_id, errorsOf(bound.problems));
  const { order_id: _, action: __, ...input } = bound.bound;
  try {
    return { line: number, call: readCall(listed, order_id ?? 0, action ?? 'acknowledge', input as never) };
  } catch (error) {
    if (error instanceof DomainError) return rejectedLine(number, order_id, errorsOf(error.problems));
    throw error;
  }
}

function errorsOf(problems: DomainError['problems']): OrderLineResult['errors'] {
  return problems.slice(0, MAX_ERRORS).map(({ field: name, reason }) => ({ name, reason }));
}

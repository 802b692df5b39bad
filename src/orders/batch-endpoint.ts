import type { FastifyInstance } from 'fastify';
import { DomainError } from '../errors/domain-error.ts';
import { registerWrite } from '../http/endpoint/register-write.ts';
import { bindRecord, jsonSchemaOf, type NoParameters, type ParameterRules } from '../http/parameters/bind.ts';
import { type BodyLine, readLine } from '../http/parameters/lines.ts';
import { mergeParameters } from '../http/parameters/raw-parameters.ts';
import { oneOf } from '../http/parameters/types.ts';
import { MAX_WRITE_BYTES } from '../http/request-limits.ts';
import { sendPrivate } from '../http/responses/send-private.ts';
import { orNull, record, type Schema } from '../http/schema.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import { TimeSlices } from '../shared/time-slices.ts';
import {
  changeOrdersOnce,
  type OrderBatchResult,
  type OrderLine,
  type OrderLineResult,
  rejectedLine,
} from './change/change-once.ts';
import type { OrderAction } from './change/change-orders.ts';
import type { OrderWriteServices } from './change-endpoints.ts';
import { changeParameters, orderId } from './order-parameters.ts';
import { type OrderLists, readCall } from './read-call.ts';
import { ordersTag } from './record/order-schema.ts';

const MAX_LINES = 1_000;
/** Limits the size of the response. */
const MAX_ERRORS = 20;
const actions = Object.keys(changeParameters) as OrderAction[];
const named: ParameterRules = {
  order_id: { type: orderId.type, required: true },
  action: { type: oneOf(actions), required: true },
};

const lineSchema: Schema = {
  title: 'OrderLine',
  description: 'An action, and the parameters of its call.',
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(Object.assign({}, named, ...Object.values(changeParameters)) as ParameterRules).map(
      ([name, rule]) => [name, jsonSchemaOf({ ...rule, ...(name in named && { required: true }) })],
    ),
  ),
  required: ['order_id', 'action'],
  additionalProperties: false,
};

const count: Schema = { type: 'integer', minimum: 0, maximum: MAX_LINES };
const text: Schema = { type: 'string' };
const resultSchema = record<OrderLineResult>('OrderLineResult', 'What one line did.', {
  line: { type: 'integer', minimum: 1, description: 'The position of the line, from 1.' },
  order_id: { ...orNull({ type: 'integer' }), description: 'Null if the line has no valid one.' },
  result: { ...text, enum: ['updated', 'unchanged', 'rejected'] },
  errors: {
    type: 'array',
    items: record('OrderLineError', 'Why a line was rejected.', { name: text, reason: text }),
    description: `At most ${MAX_ERRORS}; none unless it was rejected.`,
  },
});
const batchSchema = record<OrderBatchResult>(
  'OrderBatchResult',
  'A result for each line, in order, and their counts.',
  { results: { type: 'array', items: resultSchema }, updated: count, unchanged: count, rejected: count },
);

const exampleLines = [
  { order_id: 4711, action: 'fulfill', carrier: 'UPS', tracking_number: '1Z999AA10123456784' },
  { order_id: 4712, action: 'cancel', reason: 'out_of_stock' },
];
const exampleResult: OrderBatchResult = {
  results: [
    { line: 1, order_id: 4711, result: 'updated', errors: [] },
    {
      line: 2,
      order_id: 4712,
      result: 'rejected',
      errors: [{ name: 'order_id', reason: 'the order 4712 has shipped; refund it instead' }],
    },
  ],
  updated: 1,
  unchanged: 0,
  rejected: 1,
};

/** `POST /orders/batch.json` (contract for orders, “Calls”). */
export function orderBatchEndpoint(app: FastifyInstance, services: OrderWriteServices): void {
  const { lowInventory, orderLists } = services;
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
      schema: batchSchema,
      examples: { batch: { summary: 'A change and a rejected line', value: exampleResult } },
      isPrivate: true,
    },
    locksMerchant: true,
    handle: async ({ request, reply, caller: { key }, lines, once }) => {
      const read = await readBatch(await orderLists(), lines);
      const needs = { lowInventory, isAudited: key === undefined };
      const { response } = await once(changeOrdersOnce, read, needs);
      await sendPrivate(request, reply, new RenderedJson(Buffer.from(response)));
    },
  });
}

/** Pauses for other work between lines. */
async function readBatch(lists: OrderLists, lines: readonly BodyLine[]): Promise<OrderLine[]> {
  const read: OrderLine[] = [];
  const slices = new TimeSlices();
  for (const line of lines) {
    read.push(readBatchLine(lists, line));
    await slices.pause();
  }
  return read;
}

function readBatchLine(lists: OrderLists, line: BodyLine): OrderLine {
  const { number } = line;
  const members = readLine(line);
  if (members instanceof InvalidValue)
    return rejectedLine(number, null, [{ name: '', reason: members.reason }]);
  const sent = mergeParameters(members);
  const action = actions.find((each) => each === sent.get('action')?.[0]?.text);
  const rules: ParameterRules = action === undefined ? {} : changeParameters[action];
  if (action === undefined) for (const name of sent.keys()) if (!(name in named)) sent.delete(name);
  const bound = bindRecord({ ...named, ...rules }, sent);
  const id = bindRecord(
    { order_id: named.order_id ?? orderId },
    new Map([['order_id', sent.get('order_id') ?? []]]),
  );
  const order_id = 'bound' in id ? Number(id.bound.order_id) : null;
  if (!('bound' in bound)) return rejectedLine(number, order_id, errorsOf(bound.problems));
  const { order_id: _, action: __, ...input } = bound.bound;
  try {
    return { line: number, call: readCall(lists, order_id ?? 0, action ?? 'acknowledge', input as never) };
  } catch (error) {
    if (error instanceof DomainError) return rejectedLine(number, order_id, errorsOf(error.problems));
    throw error;
  }
}

function errorsOf(problems: DomainError['problems']): OrderLineResult['errors'] {
  return problems.slice(0, MAX_ERRORS).map(({ field: name, reason }) => ({ name, reason }));
}

import { jsonSchemaOf, type ParameterDefinitions } from '../http/parameters/bind.ts';
import { oneOf } from '../http/parameters/types.ts';
import { orNull, record, type Schema } from '../http/schema.ts';
import type { OrderBatchResult, OrderLineResult } from './change/change-batch.ts';
import type { OrderAction } from './change/change-orders.ts';
import { changeParameters, orderId } from './order-parameters.ts';

export const MAX_LINES = 1_000;
/** Limits the size of the response. */
export const MAX_ERRORS = 20;
export const actions = Object.keys(changeParameters) as OrderAction[];

/** The parameters of every line. */
export const lineParameters = {
  order_id: { ...orderId, required: true },
  action: { type: oneOf(actions), required: true, description: 'The call that the line stands for.' },
} as const;

/** The schemas of the parameters of all calls. A description says which calls have the parameter. */
function schemasOfCalls(): Record<string, Schema> {
  const found = new Map<string, { schema: Schema; description: string; calls: string[] }>();
  for (const action of actions) {
    const parameters: ParameterDefinitions = changeParameters[action];
    for (const [name, { description, ...rule }] of Object.entries(parameters)) {
      const known = found.get(name);
      if (known === undefined) found.set(name, { schema: jsonSchemaOf(rule), description, calls: [action] });
      else known.calls.push(action);
    }
  }
  return Object.fromEntries(
    [...found].map(([name, { schema, description, calls }]) => {
      const names = calls.map((call) => `\`${call}\``).join(' and ');
      return [name, { ...schema, description: `For ${names}. ${description}` }];
    }),
  );
}

/** One line of a batch. */
export const lineSchema: Schema = {
  title: 'OrderLine',
  description: 'An action, and the parameters of its call.',
  type: 'object',
  properties: {
    order_id: { ...lineParameters.order_id.type.schema, description: lineParameters.order_id.description },
    action: { ...lineParameters.action.type.schema, description: lineParameters.action.description },
    ...schemasOfCalls(),
  },
  required: ['order_id', 'action'],
  additionalProperties: false,
};

const counted = (outcome: string): Schema => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_LINES,
  description: `The number of lines that ${outcome}.`,
});
const text: Schema = { type: 'string' };
const resultSchema = record<OrderLineResult>('OrderLineResult', 'What one line did.', {
  line: { type: 'integer', minimum: 1, description: 'The position of the line, from 1.' },
  order_id: {
    ...orNull({ type: 'integer' }),
    description: 'The `order_id` of the line; null if it has no valid one.',
  },
  result: {
    ...text,
    enum: ['updated', 'unchanged', 'rejected'],
    description: 'What the line did. A line that is `rejected` has changed nothing.',
  },
  errors: {
    type: 'array',
    items: record('OrderLineError', 'Why a line was rejected.', {
      name: { ...text, description: 'The parameter; blank if the error concerns the whole line.' },
      reason: { ...text, description: 'What is wrong with it, and what was expected.' },
    }),
    description: `At most ${MAX_ERRORS}; empty unless the line was rejected.`,
  },
});

export const orderBatchSchema = record<OrderBatchResult>(
  'OrderBatchResult',
  'A result for each line, in order, and their counts.',
  {
    results: { type: 'array', items: resultSchema },
    updated: counted('changed something'),
    unchanged: counted('changed nothing'),
    rejected: counted('were rejected'),
  },
);

export const exampleLines = [
  { order_id: 4711, action: 'fulfill', carrier: 'UPS', tracking_number: '1Z999AA10123456784' },
  { order_id: 4712, action: 'cancel', reason: 'out_of_stock' },
];

export const exampleResult: OrderBatchResult = {
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

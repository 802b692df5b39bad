import type { FastifyInstance } from 'fastify';
import { registerWrite, type WriteServices } from '../../http/endpoint/register-write.ts';
import { jsonSchemaOf, type NoParameters, type ParameterRules } from '../../http/parameters/bind.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { orNull, record, type Schema } from '../../http/schema.ts';
import { productsTag } from '../record/product-schema.ts';
import { productLineFields, readBatch, stockLineFields } from './batch-parameters.ts';
import type { WriteSettings } from './change-product.ts';
import { identifierType } from './parameters.ts';
import { changesOnlyQuantities } from './stock-scope.ts';
import { type BatchResult, type LineResult, writeBatchOnce } from './write-batch.ts';

const MAX_LINES = 1_000;

const lineSchema: Schema = {
  title: 'ProductLine',
  description:
    'Fields of a product to change or create, as in `products/update`; or `variation` and its stock, as in ' +
    '`variations/update`.',
  type: 'object',
  properties: {
    ...schemasOf({ ...stockLineFields, ...productLineFields, variation: { type: identifierType } }),
    ...Object.fromEntries(
      (['quantity', 'quantity_change', 'quantity_was'] as const).map((name) => [
        name,
        { ...jsonSchemaOf(stockLineFields[name]), description: stockLineFields[name].description },
      ]),
    ),
  },
  required: ['identifier'],
  additionalProperties: false,
};

const counted = (outcome: string): Schema => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_LINES,
  description: `The number of lines that ${outcome}.`,
});
const text: Schema = { type: 'string' };
const errorSchema = record<LineResult['errors'][number]>('LineError', 'Why a line was rejected.', {
  name: { ...text, description: 'The field; blank if the error concerns the whole line.' },
  reason: { ...text, description: 'What is wrong with it, and what was expected.' },
});
const resultSchema = record<LineResult>('LineResult', 'What one line did.', {
  line: { type: 'integer', minimum: 1, description: 'The position of the line, from 1.' },
  identifier: { ...orNull({ type: 'string' }), description: 'Null if the line has no valid one.' },
  result: {
    ...text,
    enum: ['created', 'updated', 'unchanged', 'rejected'],
    description: 'What the line did. A line that is `rejected` has changed nothing.',
  },
  errors: {
    type: 'array',
    items: errorSchema,
    description: 'At most 20; empty unless the line was rejected.',
  },
});
const batchSchema = record<BatchResult>(
  'BatchResult',
  'A result for each line, in order, and their counts.',
  {
    results: { type: 'array', items: resultSchema },
    created: counted('created a product'),
    updated: counted('changed something'),
    unchanged: counted('changed nothing'),
    rejected: counted('were rejected'),
  },
);

const exampleLines = [
  { identifier: 'VASE-7', retail_price: 24.5 },
  { identifier: 'VASE-7', variation: 'VASE-7-S', quantity_change: -1 },
  { identifier: 'VASE-8' },
];
const exampleResult: BatchResult = {
  results: [
    { line: 1, identifier: 'VASE-7', result: 'updated', errors: [] },
    { line: 2, identifier: 'VASE-7', result: 'updated', errors: [] },
    {
      line: 3,
      identifier: 'VASE-8',
      result: 'rejected',
      errors: [{ name: 'title', reason: 'missing, expected text for a new product' }],
    },
  ],
  created: 0,
  updated: 2,
  unchanged: 0,
  rejected: 1,
};

/** `POST /products/batch.json` (contract for writing, “Many at once”). */
export function productBatchEndpoint(app: FastifyInstance, services: WriteServices & WriteSettings): void {
  const { lowInventory, maxCategories, onlyListedCategories, moderationQueue } = services;
  const settings = { lowInventory, maxCategories, onlyListedCategories, moderationQueue };
  registerWrite<NoParameters>(app, services, {
    path: '/products/batch.json',
    name: 'writeProducts',
    tag: productsTag,
    summary: 'Write many products',
    description:
      'Changes up to 1,000 products, or creates those that do not exist yet. The post data is NDJSON or a JSON array, so ' +
      'the token is in the query or in the header. Lines are applied in order. Accepted lines are stored even if others ' +
      'are rejected. With a key that has the scope `stock` without `write`, lines that would change or create anything ' +
      'but quantities are rejected.',
    scope: 'stock',
    parameters: {},
    lines: { maximum: MAX_LINES, schema: lineSchema, examples: exampleLines },
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200, 409],
    success: {
      description: 'What each line did.',
      schema: batchSchema,
      examples: { batch: { summary: 'Two changes and a rejected line', value: exampleResult } },
    },
    locksMerchant: true,
    // A key with `write` must not get the rejections of a key without it.
    alsoCompared: ({ caller: { key } }) => (changesOnlyQuantities(key) ? 'only quantities' : undefined),
    handle: async ({ request, reply, caller: { key }, lines, runOnce }) => {
      const onlyQuantities = changesOnlyQuantities(key);
      const read = await readBatch(lines, { onlyQuantities });
      const batch = { lines: read, isAudited: key === undefined, onlyQuantities };
      const { response } = await runOnce(writeBatchOnce, batch, settings);
      await sendJson(request, reply, response);
    },
  });
}

function schemasOf(definitions: ParameterRules): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, jsonSchemaOf(definition)]),
  );
}

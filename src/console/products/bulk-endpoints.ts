import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { merchantUser } from '../../audit/record-audit.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { errors } from '../../errors/errors.ts';
import type { BoundParameters } from '../../http/parameters/bind.ts';
import { amount, int32, oneOf, type ParameterType, text } from '../../http/parameters/types.ts';
import { sendInSteps } from '../../http/responses/send-in-steps.ts';
import type { Imports } from '../../imports/imports.ts';
import { type BulkChange, bulkAmounts, bulkLine, nameChange } from '../../products/bulk/bulk-change.ts';
import { readProducts, selectProducts } from '../../products/bulk/select-products.ts';
import { spreadsheetCsvHeader, spreadsheetCsvLines } from '../../products/files/write-product-csv.ts';
import { MAX_COUNT, type Product } from '../../products/record/product.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { BulkPreview } from '../catalog-api.ts';
import { consoleErrors } from '../errors.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { matching, matchParameters, selectionOf, selectionParameters } from './selection-parameters.ts';

const MAX_PERCENT = 1_000;
const MAX_CAMPAIGN_NAME = 255;
const kinds = ['amount', 'percent', 'stock', 'campaign', 'enable', 'disable', 'delete'] as const;

const percent: ParameterType<number> = {
  expected: `a number from -99 to ${MAX_PERCENT}, not 0`,
  schema: { type: 'number', minimum: -99, maximum: MAX_PERCENT },
  read: ({ text: digits }) => {
    const number = /^-?\d{1,4}(\.\d{1,2})?$/.test(digits) ? Number(digits) : 0;
    return number !== 0 && number >= -99 && number <= MAX_PERCENT ? number : undefined;
  },
};

const changeParameters = {
  kind: { type: oneOf(kinds), required: true },
  field: { type: oneOf(bulkAmounts) },
  value: { type: amount, null: 'clears' },
  percent: { type: percent },
  quantity: { type: int32(0, MAX_COUNT) },
  campaign_name: { type: text(MAX_CAMPAIGN_NAME), null: 'clears' },
} as const;

interface BulkServices {
  offLoop: OffLoopReads;
  unreadBytes: ConcurrentUse;
  imports: Imports;
}

/**
 * A bulk change is the import of a file that the service writes itself, so it has an import's preview,
 * progress, results and limits.
 */
export function consoleBulkEndpoints(app: FastifyInstance, services: BulkServices): void {
  const { offLoop, unreadBytes, imports } = services;
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/products/bulk',
    parameters: { ...selectionParameters, ...changeParameters },
    statuses: [200, 409],
    handle: async ({ caller: { merchant, user }, input }) => {
      const { kind, field, value, percent, quantity, campaign_name: campaign, ...selection } = input;
      const change = changeOf({ kind, field, value, percent, quantity, campaign_name: campaign });
      const products = await selectProducts({ offLoop }, merchant.id, selectionOf(selection));
      if (products.count === 0)
        throw consoleErrors.conflict('The selected products no longer match. Select products again.');
      const render = (product: Product): string[] => [bulkLine(product, change) ?? ''];
      const lines = readProducts({ offLoop }, merchant.id, products, { render });
      const stream = Readable.from(lines, { objectMode: false });
      const name = nameChange(change, products.count, merchant.currency);
      const incoming = {
        merchantId: merchant.id,
        createdBy: merchantUser(user),
        stream,
        abort: (error: Error): void => void stream.destroy(error),
        bytes: 0,
        describe: async () => ({ name, firstStep: 'checking' }) as const,
        isBulk: true,
      };
      const key = await imports.take(incoming);
      if (key === undefined) throw new Error('the bulk change was not stored');
      return RenderedJson.of<BulkPreview>({ id: key.id, products: products.count });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/export.csv',
    parameters: matchParameters,
    statuses: [200],
    handle: async ({ request, reply, caller: { merchant }, input }) => {
      const products = await selectProducts({ offLoop }, merchant.id, matching(input));
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="products.csv"');
      await sendInSteps(request, reply, {
        beginning: Buffer.from(spreadsheetCsvHeader()),
        steps: readProducts({ offLoop }, merchant.id, products, {
          render: spreadsheetCsvLines,
          beforeStep: () => unreadBytes.requireRemaining(merchant.id),
        }),
      });
      return undefined;
    },
  });
}

/** @throws {DomainError} `invalid_parameters` if the change lacks a value */
function changeOf({
  kind,
  field,
  value,
  percent,
  quantity,
  campaign_name: name,
}: BoundParameters<typeof changeParameters>): BulkChange {
  const missing = (parameter: string): Error =>
    errors.invalid_parameters([{ field: parameter, reason: `missing, required for ${kind}` }]);
  switch (kind) {
    case 'amount':
      if (field === undefined) throw missing('field');
      if (value === undefined) throw missing('value');
      return { kind, field, value };
    case 'percent':
      if (field === undefined) throw missing('field');
      if (percent === undefined) throw missing('percent');
      return { kind, field, percent };
    case 'stock':
      if (quantity === undefined) throw missing('quantity');
      return { kind, quantity };
    case 'campaign':
      if (name === undefined) throw missing('campaign_name');
      return { kind, name };
    default:
      return { kind };
  }
}

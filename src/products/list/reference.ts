import type { EndpointReference } from '../../http/endpoint/reference.ts';
import { record, type Schema } from '../../http/endpoint/schema.ts';
import { exampleProduct } from '../record/example-product.ts';
import { productSchema } from '../record/product-schema.ts';
import { listDefaults, type listParameters } from './parameters.ts';

const products: Schema = { type: 'array', items: productSchema };
const place: Schema = { type: 'integer', minimum: 0 };

interface PaginationSummary {
  results: unknown[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}

/** What `pagination=true` is answered with (specification, part 2). */
const summarySchema = record<PaginationSummary>(
  'PaginationSummary',
  'A page of products and its place among all that match.',
  {
    results: { ...products, description: 'The products of the page.' },
    from: { ...place, description: 'The position of the page’s first product, from 1; 0 past the end.' },
    to: { ...place, description: 'The position of its last product; 0 past the end.' },
    page: { type: 'integer', minimum: 1, description: 'The page returned.' },
    per_page: { type: 'integer', minimum: 1, description: 'The page size used.' },
    total_entries: { ...place, description: 'How many products match in all.' },
  },
);

const exampleSummary: PaginationSummary = {
  results: [exampleProduct],
  from: 51,
  to: 51,
  page: 2,
  per_page: 50,
  total_entries: 51,
};

/** What the document says of `GET /products.json`. */
export const listReference: EndpointReference<typeof listParameters> = {
  name: 'listProducts',
  tag: { name: 'Products', description: 'The merchant’s catalog.' },
  summary: 'List products',
  description:
    'Lists the merchant’s products, page by page, those of every state where no `status` is given. ' +
    'Products without a value for the sort come below all values; ties go by `internal_id` in the same ' +
    'direction, so that pages never overlap or skip. A page past the end is empty.',
  parameters: {
    status: { description: 'Only products in this state.', example: 'in_stock' },
    category: {
      description: 'Only products whose category begins with these levels, letter case included.',
      example: 'Home | Decoration',
    },
    page: { description: 'The page to return.', default: listDefaults.page, example: 2 },
    per_page: { description: 'How many products a page has.', default: listDefaults.per_page, example: 50 },
    sort: {
      description:
        'The order. `ratings`, `target_price`, `sfb` and `sales` are the fields `ratings_average`, ' +
        '`cost_basis`, `scheduling_fee_bid` and `sales_count`.',
      default: listDefaults.sort,
      example: 'updated_at_descending',
    },
    pagination: {
      description: 'Whether to answer with the pagination summary, the products under `results`.',
      default: listDefaults.pagination,
      example: true,
    },
  },
  success: {
    description: 'The page: an array of products, or the pagination summary where `pagination` is true.',
    schema: { oneOf: [products, summarySchema] },
    examples: {
      products: { summary: 'Products', value: [exampleProduct] },
      summary: { summary: 'With `pagination=true`', value: exampleSummary },
    },
    linked: true,
  },
};

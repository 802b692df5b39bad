import type { EndpointReference } from '../../http/endpoint/reference.ts';
import { record, type Schema } from '../../http/schema.ts';
import { exampleProduct } from '../record/example-product.ts';
import { productSchema } from '../record/product-schema.ts';
import { productsTag } from '../write/references.ts';
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

/** The response to `pagination=true` (specification, part 2). */
const summarySchema = record<PaginationSummary>(
  'PaginationSummary',
  'A page of products and its position among all matching products.',
  {
    results: { ...products, description: 'The products of the page.' },
    from: {
      ...place,
      description: 'The position of the page’s first product, starting at 1; 0 past the end.',
    },
    to: { ...place, description: 'The position of the page’s last product; 0 past the end.' },
    page: { type: 'integer', minimum: 1, description: 'The page returned.' },
    per_page: { type: 'integer', minimum: 1, description: 'The page size used.' },
    total_entries: { ...place, description: 'The total number of matching products.' },
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

/** The documentation of `GET /products.json`. */
export const listReference: EndpointReference<typeof listParameters> = {
  name: 'listProducts',
  tag: productsTag,
  summary: 'List products',
  description:
    'Lists the merchant’s products page by page, in every status unless `status` is given. Products ' +
    'without a value for the sort key count as lower than all others. Ties are sorted by `internal_id` in ' +
    'the same direction, so that pages never overlap or skip products while the catalog does not change. ' +
    'A page past the end is empty.',
  parameters: {
    status: { description: 'Returns only products with this status.', example: 'in_stock' },
    category: {
      description: 'Returns only products whose category begins with these levels. Case-sensitive.',
      example: 'Home | Decoration',
    },
    page: { description: 'The page to return.', default: listDefaults.page, example: 2 },
    per_page: {
      description: 'The number of products per page.',
      default: listDefaults.per_page,
      example: 50,
    },
    sort: {
      description:
        'The sort order. `unique_id`, `ratings`, `target_price`, `sfb` and `sales` are the fields ' +
        '`identifier`, `ratings_average`, `cost_basis`, `scheduling_fee_bid` and `sales_count`.',
      default: listDefaults.sort,
      example: 'updated_at_descending',
    },
    pagination: {
      description: 'Whether to return the pagination summary, with the products under `results`.',
      default: listDefaults.pagination,
      example: true,
    },
  },
  success: {
    description: 'The page: an array of products, or the pagination summary if `pagination` is true.',
    schema: { oneOf: [products, summarySchema] },
    examples: {
      products: { summary: 'Products', value: [exampleProduct] },
      summary: { summary: 'With `pagination=true`', value: exampleSummary },
    },
    linked: true,
  },
};

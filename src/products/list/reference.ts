import type { EndpointReference, Success } from '../../http/endpoint/reference.ts';
import { type PaginationSummary, pageReferences, summarySchema } from '../../http/pages/reference.ts';
import { record, type Schema } from '../../http/schema.ts';
import { exampleProduct } from '../record/example-product.ts';
import { productSchema } from '../record/product-schema.ts';
import { productsTag, unsupportedReference } from '../write/references.ts';
import { listDefaults, type productsParameters } from './parameters.ts';

const products: Schema = { type: 'array', items: productSchema };

/** The response to `changed_since` (contract for writing, “Staying in sync”). */
interface Changes {
  results: unknown[];
  cursor: string;
  more: boolean;
}

export const changesSchema = record<Changes>(
  'ProductChanges',
  'Products in the order of their last change.',
  {
    results: { ...products, description: 'The products, each as it is now.' },
    cursor: { type: 'string', description: 'The position for the next request.' },
    more: { type: 'boolean', description: 'Whether there are further changes already.' },
  },
);

export const exampleChanges: Changes = {
  results: [exampleProduct],
  cursor: 'ZkpTMnFJZ3ZbMSwiY2hhbmdlcyIsMTc2Mzg1MDAwMDAwMCwxNzYzODUwMDAwMDAwMDAwLDUxXQ',
  more: false,
};

const exampleSummary: PaginationSummary<unknown> = {
  results: [exampleProduct],
  from: 51,
  to: 51,
  page: 2,
  per_page: 50,
  total_entries: 51,
};

const productsSummary = summarySchema('PaginationSummary', {
  items: 'products',
  one: 'product',
  results: products,
});

const pages = pageReferences('products');

export const pageOfProducts: Success = {
  description: 'The page: an array of products, or the pagination summary if `pagination` is true.',
  schema: { oneOf: [products, productsSummary] },
  examples: {
    products: { summary: 'Products', value: [exampleProduct] },
    summary: { summary: 'With `pagination=true`', value: exampleSummary },
  },
  linked: true,
};

export const listReference: EndpointReference<typeof productsParameters> = {
  name: 'listProducts',
  tag: productsTag,
  summary: 'List products',
  description:
    'Lists the merchant’s products page by page, in every status unless `status` is given. Products ' +
    'without a value for the sort key count as lower than all others. Ties are sorted by `internal_id` in ' +
    'the same direction, so that pages never overlap or skip products while the catalog does not change. ' +
    'A page past the end is empty.\n\n' +
    'To read the whole list while it changes, follow `rel="next"` of the `Link` header. To keep a copy of the ' +
    'catalog, follow `changed_since`: begin with `start`, and send the `cursor` of each response with the next ' +
    'request. Products come in the order of their last change, in every status; one that changes again comes ' +
    'again. While `more` is true, there are further changes already. `changed_since` can only be combined with ' +
    '`per_page`.',
  parameters: {
    status: { description: 'Returns only products with this status.', example: 'in_stock' },
    category: {
      description: 'Returns only products whose category begins with these levels. Case-sensitive.',
      example: 'Home | Decoration',
    },
    page: pages.page,
    per_page: pages.per_page,
    sort: {
      description:
        'The sort order. `unique_id`, `ratings`, `target_price`, `sfb` and `sales` are the fields ' +
        '`identifier`, `ratings_average`, `cost_basis`, `scheduling_fee_bid` and `sales_count`.',
      default: listDefaults.sort,
      example: 'updated_at_descending',
    },
    pagination: pages.pagination,
    after: {
      description:
        'The position after which the page begins, from the `Link` header of an earlier response. It belongs to ' +
        'one list: the other parameters have to be the same. `page` is only reported then.',
    },
    changed_since: {
      description: 'Lists changes: `start` for everything, or the `cursor` of an earlier response.',
      example: 'start',
    },
    health_status: unsupportedReference,
  },
  success: {
    description:
      'The page: an array of products, the pagination summary if `pagination` is true, or changes if ' +
      '`changed_since` is sent.',
    schema: {
      oneOf: [products, productsSummary, changesSchema],
    },
    examples: {
      products: { summary: 'Products', value: [exampleProduct] },
      summary: { summary: 'With `pagination=true`', value: exampleSummary },
      changes: { summary: 'With `changed_since`', value: exampleChanges },
    },
    linked: true,
  },
};

import type { EndpointReference } from '../../http/endpoint/reference.ts';
import { listReference, pageOfProducts } from '../list/reference.ts';
import { productsTag } from '../write/references.ts';
import type { searchParameters } from './parameters.ts';

const { page, per_page, pagination } = listReference.parameters;

export const searchReference: EndpointReference<typeof searchParameters> = {
  name: 'searchProducts',
  tag: productsTag,
  summary: 'Search products',
  description:
    'Finds the merchant’s products for which each word of the query begins a word of the title, or an identifier of the ' +
    'product or of one of its variations. Case and accents do not matter. Newest products come first. Deleted products ' +
    'are found only with `status=deleted`.',
  parameters: {
    query: { description: 'The beginnings of words, separated by spaces.', example: 'clay pot' },
    status: {
      description: 'Returns only products with this status; by default, all except deleted ones.',
      example: 'in_stock',
    },
    page,
    per_page,
    pagination,
  },
  success: pageOfProducts,
};

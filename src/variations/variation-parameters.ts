import { identifierRule } from '../products/record/field-descriptions.ts';
import { productIdentifier } from '../products/record/product-parameters.ts';
import { READ_ONLY } from '../products/write/parameter-schemas.ts';
import {
  identifierType,
  readOnlyVariationParameters,
  stockParameters,
} from '../products/write/parameters.ts';

/** What the documentation says of a parameter that names a variation in a call that writes. */
export const variationIdentifier = {
  description: `The unique ID of the variation. ${identifierRule}`,
  example: 'VASE-7-S',
};
const identifier = { type: identifierType, required: true, ...variationIdentifier } as const;
const { quantity, size, color } = stockParameters;

export const createVariationParameters = {
  product_identifier: { type: identifierType, required: true, ...productIdentifier },
  identifier,
  quantity,
  size,
  color,
  ...readOnlyVariationParameters,
} as const;

export const updateVariationParameters = {
  product_identifier: { type: identifierType, null: 'clears', description: `${READ_ONLY} ${identifierRule}` },
  identifier,
  ...stockParameters,
  ...readOnlyVariationParameters,
} as const;

import type { Success } from '../../http/endpoint/declaration.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { record, type Schema } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import {
  listedProductFields,
  type ProductOfMerchant,
} from '../../products/of-all/list-products-of-all-merchants.ts';
import { exampleProduct } from '../../products/record/example-product.ts';
import type { Product } from '../../products/record/product.ts';
import { productProperties } from '../../products/record/product-schema.ts';
import { type Moderation, moderationStates } from '../../products/record/product-status.ts';
import { pick } from '../../shared/pick.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';

export interface ListedProduct extends Pick<Product, (typeof listedProductFields)[number]> {
  merchant: NamedMerchant;
  currency: string;
  moderation: Moderation;
  variation_count: number;
}

export interface MerchantProductPage {
  results: ListedProduct[];
  next: string | null;
}

export const currencySchema: Schema = {
  type: 'string',
  description: 'The ISO 4217 code of the currency of the amounts.',
};

const listedProductSchema = record<ListedProduct>('ListedProduct', 'A product of a merchant.', {
  merchant: namedMerchantSchema,
  currency: currencySchema,
  ...pick(productProperties, listedProductFields),
  moderation: {
    type: 'string',
    enum: moderationStates,
    description: 'The operator’s decision about the product.',
  },
  variation_count: { type: 'integer', minimum: 0, description: 'The number of variations.' },
});

export function listedProduct(
  owner: Pick<ListedProduct, 'merchant' | 'currency'>,
  { product, moderation, variationCount }: Omit<ProductOfMerchant, 'merchantId'>,
): ListedProduct {
  return { ...owner, ...product, moderation, variation_count: variationCount };
}

const exampleOwner = { merchant: exampleNamedMerchant, currency: 'EUR' };
const variationCount = exampleProduct.variations.length;
const example = listedProduct(exampleOwner, {
  product: pick(exampleProduct, listedProductFields),
  moderation: 'ok',
  variationCount,
});

export const productPage: Success = {
  description: 'A page of products.',
  schema: record<MerchantProductPage>('MerchantProductPage', 'Products of all merchants.', {
    results: { type: 'array', items: listedProductSchema },
    next: nextSchema,
  }),
  examples: {
    page: {
      summary: 'The last page',
      value: { results: [example], next: null } satisfies MerchantProductPage,
    },
  },
};

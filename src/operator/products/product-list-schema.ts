import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record, type Schema } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import type { ProductOfMerchant } from '../../products/of-all/list-products-of-all.ts';
import { exampleProduct } from '../../products/record/example-product.ts';
import type { Product } from '../../products/record/product.ts';
import { productProperties } from '../../products/record/product-schema.ts';
import { type Moderation, moderationStates } from '../../products/record/product-status.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';

/** What the list shows of a product. */
const listedFields = [
  'identifier',
  'internal_id',
  'status',
  'title',
  'category',
  'retail_price',
  'buy_now_price',
  'available_quantity',
  'primary_image',
  'created_at',
  'updated_at',
] as const satisfies (keyof Product)[];

export interface ListedProduct extends Pick<Product, (typeof listedFields)[number]> {
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
  ...picked(productProperties),
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
  return { ...owner, ...picked(product), moderation, variation_count: variationCount };
}

function picked<Values extends Record<(typeof listedFields)[number], unknown>>(
  values: Values,
): Pick<Values, (typeof listedFields)[number]> {
  const entries = listedFields.map((name) => [name, values[name]]);
  return Object.fromEntries(entries) as Pick<Values, (typeof listedFields)[number]>;
}

const exampleOwner = { merchant: exampleNamedMerchant, currency: 'EUR' };
const variationCount = exampleProduct.variations.length;
const example = listedProduct(exampleOwner, { product: exampleProduct, moderation: 'ok', variationCount });

export const productPage: Success = {
  description: 'A page of products.',
  schema: record<MerchantProductPage>('MerchantProductPage', 'Products of all merchants.', {
    results: { type: 'array', items: listedProductSchema },
    next: orNull({
      type: 'string',
      description: 'The value of `after` for the next page; null on the last one.',
    }),
  }),
  examples: {
    page: {
      summary: 'The last page',
      value: { results: [example], next: null } satisfies MerchantProductPage,
    },
  },
};

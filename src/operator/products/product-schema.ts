import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import { exampleReason, reasonSchema } from '../../products/moderation/issues-schema.ts';
import type { ModeratedProductRecord } from '../../products/of-all/read-moderated.ts';
import { exampleProduct } from '../../products/record/example-product.ts';
import { productSchema } from '../../products/record/product-schema.ts';
import { moderationStates } from '../../products/record/product-status.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';
import { currencySchema } from './product-list-schema.ts';

export interface MerchantProduct extends ModeratedProductRecord {
  merchant: NamedMerchant;
  currency: string;
  /** Whether it is test data. */
  test: boolean;
}

type ProductModeration = ModeratedProductRecord['moderation'];

const state: Schema = { type: 'string', enum: moderationStates };
const reasons: Schema = { type: 'array', items: reasonSchema };

const moderationSchema = record<ProductModeration>('ProductModeration', 'What was decided about a product.', {
  state: { ...state, description: 'The present decision.' },
  reasons: { ...reasons, description: 'The reasons of the present decision.' },
  since: { ...orNull(time), description: 'Since when the state is not `ok`; null if it is.' },
  waits_since: {
    ...orNull(time),
    description: 'Since when the product waits for a review; null if it does not.',
  },
  history: {
    type: 'array',
    description: 'The last 20 decisions, newest first.',
    items: record<ProductModeration['history'][number]>('ProductDecision', 'A decision about the product.', {
      state,
      reasons,
      at: time,
      who: {
        type: 'string',
        description: '`operator` for an operator key, otherwise with the name and email of the operator.',
      },
    }),
  },
});

const example: MerchantProduct = {
  merchant: exampleNamedMerchant,
  currency: 'EUR',
  test: false,
  product: exampleProduct,
  moderation: {
    state: 'ok',
    reasons: [],
    since: null,
    waits_since: null,
    history: [
      { state: 'ok', reasons: [], at: '2026-03-04T08:00:00Z', who: 'operator' },
      { state: 'problematic', reasons: [exampleReason], at: '2026-03-03T08:00:00Z', who: 'operator' },
    ],
  },
};

export const productSuccess: Success = {
  description: 'The product.',
  schema: record<MerchantProduct>('MerchantProduct', 'A product of a merchant.', {
    merchant: namedMerchantSchema,
    currency: currencySchema,
    test: { type: 'boolean', description: 'Whether it is test data.' },
    product: productSchema,
    moderation: moderationSchema,
  }),
  examples: { product: { summary: 'A product that was problematic', value: example } },
};

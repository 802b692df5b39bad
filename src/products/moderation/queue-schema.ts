import type { Success } from '../../http/endpoint/declaration.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { record, type Schema, time } from '../../http/schema.ts';
import { productProperties } from '../record/product-schema.ts';
import { moderationStates } from '../record/product-status.ts';
import { reviewedFields } from '../record/review-state.ts';
import { exampleReason, reasonSchema } from './issues-schema.ts';
import type { PastDecision, QueueEntry } from './list-queue.ts';
import type { QueuedMerchant } from './queries.ts';

/** The response of `GET moderation`. */
export interface ModerationQueue {
  /** Whether the setting `MODERATION_QUEUE` is on. */
  is_on: boolean;
  results: QueueEntry[];
  /** The `after` of the next page; null on the last one. */
  next: string | null;
}

const text: Schema = { type: 'string' };
const state: Schema = { type: 'string', enum: moderationStates };

const merchantSchema = record<QueuedMerchant>('QueuedMerchant', 'The merchant of a product.', {
  external_id: { ...text, description: 'The operator’s own ID.' },
  name: text,
  currency: { ...text, description: 'The ISO 4217 code of the currency of its amounts.' },
});

const decisionSchema = record<PastDecision>('PastDecision', 'A decision about a product.', {
  merchant: merchantSchema,
  identifier: text,
  title: { ...text, description: 'The title at that time; blank without one.' },
  category: {
    ...text,
    description: 'The first level of the category at that time; blank without one.',
  },
  state,
  reasons: { type: 'array', items: reasonSchema },
  at: time,
  who: {
    ...text,
    description: '`operator` for an operator key, otherwise with the name and email of the operator.',
  },
});

const productSchema = record<QueueEntry['product']>(
  'QueuedProductFields',
  'What reviewers see of a product. Changes of other fields do not lead to a review, except for `status`.',
  picked(['status', ...reviewedFields, 'created_at', 'updated_at']),
);

function picked<Name extends keyof typeof productProperties>(names: readonly Name[]): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, productProperties[name]])) as Record<Name, Schema>;
}

const entrySchema = record<QueueEntry>('QueuedProduct', 'A product that waits for a review.', {
  merchant: merchantSchema,
  identifier: text,
  internal_id: { type: 'integer' },
  state: { ...state, description: 'The present decision.' },
  reasons: { type: 'array', items: reasonSchema, description: 'The reasons of the present decision.' },
  since: { ...time, description: 'When the product was created, or first changed after its last review.' },
  version: {
    ...text,
    description:
      'Differs once the product shows something else. A decision that sends it does not apply to what the reviewer has ' +
      'not seen.',
  },
  is_new: { type: 'boolean', description: 'Whether the product has not been reviewed since it was created.' },
  changed: {
    type: 'array',
    items: { type: 'string', enum: reviewedFields },
    description:
      'The fields that were changed since the last review, even if they have their value from then again. Empty for a ' +
      'new product.',
  },
  before: {
    title: 'ReviewedValuesBefore',
    description: 'The values of the `changed` fields at the last decision. Empty if there was none.',
    type: 'object',
    properties: picked(reviewedFields),
    additionalProperties: false,
  },
  product: productSchema,
  history: {
    type: 'array',
    items: decisionSchema,
    description: 'The last five decisions about this product, newest first.',
  },
  similar: {
    type: 'array',
    items: decisionSchema,
    description:
      'The last decisions, up to five, about other products of the merchant, or in the first level of the category of ' +
      'any merchant, newest first.',
  },
});

const queueSchema = record<ModerationQueue>('ModerationQueue', 'A page of the queue of moderation.', {
  is_on: {
    type: 'boolean',
    description: 'Whether products get into the queue: the setting `MODERATION_QUEUE`.',
  },
  results: { type: 'array', items: entrySchema },
  next: nextSchema,
});

const exampleMerchant: QueuedMerchant = { external_id: 'seller-4711', name: 'Alpine Vases', currency: 'EUR' };

export const exampleEntry: QueueEntry = {
  merchant: exampleMerchant,
  identifier: 'VASE-7',
  internal_id: 51,
  state: 'problematic',
  reasons: [exampleReason],
  since: '2026-03-04T10:12:00Z',
  version: 'hV2h9S0l8mX1rQ4tZ7aB3w',
  is_new: false,
  changed: ['primary_image'],
  before: { primary_image: null },
  product: {
    status: 'problematic',
    title: 'Blue vase',
    description: 'A vase of blown glass.',
    category: 'Home | Decoration',
    condition: 'New',
    brand: 'Northwind',
    material: 'Glass',
    retail_price: 24.5,
    buy_now_price: null,
    minimum_bid_amount: null,
    buy_one_get_one_price: null,
    accessory_price: null,
    accessory_description: null,
    primary_image: 'https://img.alpine-vases.example/7.jpg',
    extra_images: null,
    created_at: '2026-03-02T09:45:00Z',
    updated_at: '2026-03-04T10:12:00Z',
  },
  history: [
    {
      merchant: exampleMerchant,
      identifier: 'VASE-7',
      title: 'Blue vase',
      category: 'Home',
      state: 'problematic',
      reasons: [exampleReason],
      at: '2026-03-03T08:00:00Z',
      who: 'operator',
    },
  ],
  similar: [],
};

export const queueSuccess: Success = {
  description: 'A page of the queue.',
  schema: queueSchema,
  examples: {
    queue: {
      summary: 'A problematic product that the merchant has changed',
      value: { is_on: true, results: [exampleEntry], next: null } satisfies ModerationQueue,
    },
  },
};

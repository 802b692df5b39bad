import { productStatuses } from '../../src/products/record/product.ts';
import type { ProductDraft, VariationDraft } from '../../src/products/record/product-draft.ts';
import { type PageQuery, sortWords } from './listing-model.ts';
import { fc } from './seed.ts';

/** Identifiers that sort differently by bytes, by UTF-16 units, by letter case and by alphabet. */
const STEMS = ['a', 'A', 'Z', '_', '-', '0', 'é', '日', 'ａ', '𐐀', 'a b', 'aa'];
const LEVELS = ['Home', 'home', 'Hom', 'Ä', '日本', '𐐀', 'A & B', '100%', '_', '"', "O'Neil", 'a/b', '\\'];

const identifier = fc.tuple(fc.constantFrom(...STEMS), fc.nat(4)).map(([stem, number]) => `${stem}${number}`);
const level = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('Home', 'Ä') }, fc.constantFrom(...LEVELS));
const category = fc.oneof(
  fc.constant(null),
  fc.array(level, { minLength: 1, maxLength: 3 }).map((levels) => levels.join(' | ')),
);
/** A small set of values, so that there are many ties. */
const amount = fc.constantFrom(null, 0, 0.1, 0.30000000000000004, 10, 1e15);
const count = fc.constantFrom(null, 0, 1, 2 ** 28);
const time = fc.constantFrom(
  null,
  '1969-07-20T20:17:40Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.001Z',
  '2026-06-30T12:00:00Z',
);
const text = fc.oneof(
  fc.constantFrom(null, '', 'plain', '"quoted", \\ and\nmore', '日本語 🏺'),
  fc.string({ unit: 'grapheme' }),
);

const images = fc.constantFrom(
  null,
  '',
  'https://images.example/1.png',
  'http://images.example/日本 1.png?a=1 | HTTPS://images.example/2.png',
);

export const anyFields: fc.Arbitrary<ProductDraft['fields']> = fc.record(
  {
    status: fc.option(fc.constantFrom(...productStatuses)),
    category,
    title: text,
    available_quantity: count,
    ratings_average: fc.constantFrom(null, 0, 3.33, 5),
    ratings_count: count,
    cost_basis: amount,
    scheduling_fee_bid: amount,
    reserve_price: amount,
    weight: amount,
    sales_count: count,
    max_daily_schedules: count,
    extra_images: images,
    created_at: time,
    updated_at: time,
    disabled_at: fc.option(time, { freq: 1, nil: null }),
    deleted_at: fc.option(time, { freq: 1, nil: null }),
    catalog_only_at: fc.option(time, { freq: 1, nil: null }),
  },
  { requiredKeys: [] },
);

function variationsOf(product: string): fc.Arbitrary<VariationDraft[] | undefined> {
  const variation = fc.record(
    {
      identifier: fc.nat(5).map((number) => `${product} v${number}`),
      size: text,
      color: text,
      quantity: count,
      created_at: time,
      disabled_at: time,
      deleted_at: time,
    },
    { requiredKeys: ['identifier'] },
  );
  return fc.option(fc.uniqueArray(variation, { selector: (one) => one.identifier, maxLength: 4 }), {
    nil: undefined,
  });
}

export function draftOf(product: string): fc.Arbitrary<ProductDraft> {
  return fc.record({
    merchant: fc.constant(null),
    identifier: fc.constant(product),
    fields: anyFields,
    variations: variationsOf(product),
  });
}

export const anyDraft: fc.Arbitrary<ProductDraft> = identifier.chain(draftOf);

/** Pages of a few listings, so that pages of the same listing are requested repeatedly. */
export const anyPageQuery: fc.Arbitrary<PageQuery> = fc.record({
  status: fc.option(fc.constantFrom('in_stock', 'sold_out', 'banned'), { nil: undefined }),
  category: fc.option(fc.array(level, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  sort: fc.constantFrom(...sortWords),
  page: fc.integer({ min: 1, max: 30 }),
  perPage: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(10, 50, 1000)),
  summary: fc.boolean(),
});

import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import { orderStatuses } from '../../src/orders/record/order.ts';
import {
  type Field,
  type FieldKind,
  productFields,
  productStatuses,
  variationFields,
} from '../../src/products/record/product.ts';
import type { ProductDraft, VariationDraft } from '../../src/products/record/product-draft.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { fc } from './seed.ts';

/** These sort differently by language, letter case and compatibility form than by bytes. */
const WORDS = [
  ...[
    'a',
    'B',
    'ä',
    'Z',
    '_',
    '-',
    'z',
    'A',
    'b',
    'Ä',
    'é',
    'e',
    'ß',
    'ss',
    'æ',
    'I',
    'i',
    'İ',
    'ı',
    'ﬁ',
    'fi',
  ],
  ...[
    'Å',
    'Å',
    'Ω',
    'Ⅷ',
    '０',
    '0',
    '10',
    '9',
    '日本',
    'ａ',
    '𐐀',
    'ÿ',
    'a-b',
    'ab',
    'a_b',
    'a b',
    'ch',
    'll',
  ],
];
/** SQL, patterns, COPY or JSON could misinterpret it. */
const SYNTAX = [
  ...[
    '',
    ' ',
    ' padded ',
    '?',
    '$1',
    ':name',
    "'",
    "''",
    "O'Neil",
    '"',
    '"quoted"',
    '\\',
    '\\\\',
    '\\N',
    '\\.',
  ],
  ...[
    '\\x41',
    '\\u0000',
    '%',
    '100%',
    '{}',
    '[null]',
    'null',
    'NULL',
    ',',
    ';--',
    '/* */',
    '\t',
    '\n',
    '\r\n',
  ],
  ...[
    '\u0001',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\ufffd',
    '\uffff',
    '\u{10ffff}',
    'e\u0301',
  ],
  ...['👩‍👩‍👧', '🏺', 'العربية', '\u202eabc'],
];

export const wildText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...WORDS, ...SYNTAX),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', '')),
);
export const wildAmount = fc.constantFrom(
  ...[0, 0.1, 0.30000000000000004, 1e-7, 5e-324, 9.99, 10, 12.5, 1e15, 1e21],
  ...[Number.MAX_SAFE_INTEGER, 2 ** 53 + 2, Number.MAX_VALUE],
);
/** Few, so that lists by category have several products. */
export const wildLevel = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Home', 'Ä') },
  fc.constantFrom(...WORDS, ...SYNTAX.filter((text) => text.trim() === text && text !== '')),
);
export const wildIdentifier = fc
  .tuple(fc.constantFrom(...WORDS), fc.nat(3))
  .map(([word, number]) => (number === 0 ? word : `${word}${number}`));
const wildTime = fc.constantFrom(
  ...['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z'],
  ...['2026-06-30T12:00:00Z', '9999-12-31T23:59:59.999Z'],
);

const wildUrl = fc.option(
  wildText.map((text) => `https://images.example/${text.replaceAll('|', '')}`),
  { freq: 2 },
);

/** For each kind of field that files may set, often null. */
const values: Partial<Record<FieldKind, fc.Arbitrary<unknown>>> = {
  status: fc.option(fc.constantFrom(...productStatuses)),
  category: fc.option(
    fc.array(wildLevel, { minLength: 1, maxLength: 3 }).map((levels) => levels.join(' | ')),
  ),
  text: fc.option(wildText, { freq: 2 }),
  amount: fc.option(wildAmount, { freq: 2 }),
  rating: fc.constantFrom(null, 0, 0.30000000000000004, 3.33, 5),
  // The sum of four variations is below 2 ** 31.
  count: fc.constantFrom(null, 0, 1, 5, 6, 2 ** 29 - 1),
  sum: fc.constantFrom(null, 0, 5, 6, 2 ** 31 - 1),
  time: fc.option(wildTime, { freq: 2 }),
};

function anyOf(fields: Record<string, Field>): fc.Arbitrary<Record<string, unknown>> {
  const arbitraries: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, field] of Object.entries(fields)) {
    const holdsUrls = field.kind === 'text' && field.urls !== undefined;
    const arbitrary = holdsUrls ? wildUrl : values[field.kind];
    if (arbitrary !== undefined) arbitraries[name] = arbitrary;
  }
  return fc.record(arbitraries, { requiredKeys: [] });
}

export const wildDraft: fc.Arbitrary<ProductDraft> = wildIdentifier.chain((identifier) => {
  const variation = fc
    .tuple(fc.nat(3), anyOf(variationFields))
    .map(([number, fields]): VariationDraft => ({ ...fields, identifier: `${identifier} v${number}` }));
  return fc.record({
    merchant: fc.constant(null),
    identifier: fc.constant(identifier),
    fields: anyOf(productFields) as fc.Arbitrary<ProductDraft['fields']>,
    variations: fc.option(fc.uniqueArray(variation, { selector: (one) => one.identifier, maxLength: 3 }), {
      nil: undefined,
    }),
  });
});

/** Often one that the product does not have. */
const wildScheduled = fc.option(fc.option(fc.nat(3), { freq: 3 }), { nil: undefined, freq: 2 });

export const wildSchedule: fc.Arbitrary<ScheduleDraft> = fc
  .record({
    merchant: fc.constant(null),
    variation: wildScheduled,
    schedule_id: fc.tuple(wildIdentifier, fc.constantFrom('', '.', ':1')).map((parts) => parts.join('')),
    product_identifier: wildIdentifier,
    scheduled_at: fc.oneof(
      wildTime.map((time) => Date.parse(time)),
      fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 3) }),
    ),
    sold: fc.boolean(),
    sale_price: fc.oneof(fc.nat(1000), fc.constantFrom(0, 1, 10 ** 10)),
    rating: fc.option(fc.nat(500)),
    order_id: fc.constantFrom(undefined, null, 1, 2 ** 31 - 1),
  })
  .map(({ variation, ...one }) => {
    const variation_identifier =
      typeof variation === 'number' ? `${one.product_identifier} v${variation}` : variation;
    const result = one.sold ? {} : { sale_price: null, rating: null };
    return { ...one, variation_identifier, ...result };
  });

const wildOrderTime = fc.option(wildTime.map((time) => Date.parse(time)));
/** Often one that exists. */
const wildExternalId = fc.nat(9).map((number) => `O ${number}`);

/** Many are refused, such as those of products that do not exist. */
export const wildOrder: fc.Arbitrary<OrderDraft> = fc
  .record(
    {
      external_id: wildExternalId,
      product: wildIdentifier,
      variation: fc.option(fc.nat(3), { freq: 2 }),
      order_id: fc.option(fc.integer({ min: 1, max: 30 }), { freq: 1 }),
      product_quantity: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom(...orderStatuses, 'paid', 'paid'),
      product_name: wildText,
      customer_name: fc.option(wildText),
      city: fc.option(wildText),
      state: fc.option(wildText),
      country: fc.constantFrom('AUT', 'USA', null),
      available_refunds: fc.dictionary(fc.constantFrom('buyer_fee', 'shipping_fee'), fc.nat(1000)),
      seller_fees: fc.array(
        fc.record({ type: wildText.filter((type) => type !== ''), amount: fc.nat(1000) }),
      ),
      related_order_ids: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 3 }),
      created_at: wildOrderTime,
      paid_at: wildOrderTime,
      fulfillment_due_date: wildOrderTime,
      carrier: fc.constantFrom('ups', 'Pigeons'),
      tracking_number: wildIdentifier,
      stock: fc.constantFrom('none', 'reserve'),
    },
    { requiredKeys: ['external_id'] },
  )
  .map(({ product, variation, ...fields }) => ({
    merchant: null,
    ...fields,
    ...(product !== undefined && {
      product_identifier: product,
      variation_identifier: variation == null ? null : `${product} v${variation}`,
    }),
  }));
